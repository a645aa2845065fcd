// npm run fuzz -- [--minutes N] [--seed S] [--only NAME] [--input FILE]: the readers on damaged and made inputs, for longer than in the tests.
// Needs the built packages. Ends with 1 and a file if an input breaks a reader; --input runs such a file again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isKilnError } from 'kiln-format'
import { runTarget } from './fuzz/run.mjs'
import { targets } from './fuzz/targets.mjs'

const HELP = `npm run fuzz -- [--minutes N] [--seed S] [--only NAME] [--input FILE]
  --minutes  in all, shared out over the targets; default 5
  --seed     the same seed gives the same inputs; default one of the clock, which is printed
  --only     one target: ${targets.map(({ name }) => name).join(', ')}
  --input    runs a file that was found, with --only
`
const folder = fileURLToPath(new URL('../.tmp/fuzz/', import.meta.url))

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
    only: { type: 'string' },
    input: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed)
const chosen = targets.filter(({ name }) => values.only === undefined || name.toLowerCase() === values.only.toLowerCase())
if (values.help) process.stdout.write(HELP)
else if (!(minutes > 0) || !Number.isInteger(seed) || chosen.length === 0 || (values.input !== undefined && chosen.length !== 1)) {
  process.stderr.write(HELP)
  process.exitCode = 2
} else if (values.input !== undefined) await again(chosen[0], values.input)
else await all()

/** @param {import('./fuzz/targets.mjs').Target} target @param {string} file */
async function again(target, file) {
  try {
    await target.run(new Uint8Array(readFileSync(file)))
    console.log('read')
  } catch (error) {
    if (!isKilnError(error)) throw error
    console.log(`refused: ${error.message}`)
  }
}

async function all() {
  Error.stackTraceLimit = 20
  console.log(`seed ${seed}, ${minutes} min over ${chosen.length} targets`)
  const rows = []
  for (const [i, target] of chosen.entries()) {
    const stop = performance.now() + (minutes * 60_000) / chosen.length
    const figures = await runTarget(target, seed + i, (inputs) => {
      progress(`${target.name}: ${inputs.toLocaleString('en')} inputs, ${Math.ceil((stop - performance.now()) / 1000)} s to go`)
      return performance.now() < stop
    })
    progress('')
    rows.push({ target, ...figures })
    console.log(line(target.name, figures))
    if (figures.finding !== undefined) report(target, i, figures.finding)
  }
  const inputs = rows.reduce((sum, row) => sum + row.inputs, 0)
  const slowest = rows.reduce((a, b) => (b.slowest > a.slowest ? b : a))
  const largest = rows.reduce((a, b) => (b.memory > a.memory ? b : a))
  const found = rows.filter(({ finding }) => finding !== undefined).length
  console.log(
    `${inputs.toLocaleString('en')} inputs, ${found === 0 ? 'nothing found' : `${found} found`}; slowest ${slowest.slowest.toFixed(0)} ms of processor time ` +
      `(${slowest.target.name}), most memory ${(largest.memory / 2 ** 20).toFixed(1)} MiB (${largest.target.name})`,
  )
}

let shown = 0
/** @param {string} text */
function progress(text) {
  if (!process.stderr.isTTY || (text !== '' && performance.now() - shown < 200)) return
  shown = performance.now()
  process.stderr.write(`\r\x1b[2K${text}`)
}

/** @param {string} name @param {import('./fuzz/run.mjs').Figures} figures */
function line(name, { inputs, read, refused, slowest, memory }) {
  const codes = [...refused].sort().map(([code, count]) => `${code} ${count}`)
  return `${name}: ${inputs} inputs, ${read} read${codes.length > 0 ? `, refused ${codes.join(', ')}` : ''}; slowest ${slowest.toFixed(0)} ms, most memory ${(memory / 2 ** 20).toFixed(1)} MiB`
}

/** @param {import('./fuzz/targets.mjs').Target} target @param {number} i @param {{ bytes: Uint8Array, error: unknown }} finding */
function report(target, i, { bytes, error }) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${target.name.replace(/\W+/g, '-').toLowerCase()}-${seed + i}.bin`)
  writeFileSync(path, bytes)
  console.log(`\nFOUND by ${target.name}, ${bytes.length} bytes, in ${path}`)
  console.log(error instanceof Error ? error.stack : error)
  console.log(`Run it again: npm run fuzz -- --only "${target.name}" --input ${path}
Keep it: cut it down to what still breaks; mend the reader as a kind; then add the bytes as a named case: of bodies, directories, frames and
schema text in spec/build/ (npm run cases writes the case files), of a converter in the test of that reader, beside its siblings.\n`)
  process.exitCode = 1
}
