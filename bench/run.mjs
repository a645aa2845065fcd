// `npm run bench` in the root: installs the peers, builds, and runs this. Prints tables, and writes what was measured
// to results/node-<major>.json; `--quick` takes fewer rounds, `--only W2,W4` some workloads, `--sections limits` some tables, which take
// the place of those of an earlier run.
//
// Each workload runs in a process of its own: what V8 learned of one kind of message would slow down all the others, of
// every library alike, and nobody's program handles all of them at once.
import { fork } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { workloads } from './lib/workload-list.mjs'

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, rounds: { type: 'string' }, only: { type: 'string' }, sections: { type: 'string' } },
})
const rounds = Number(flags.rounds ?? (flags.quick ? 3 : 11))
const chosen = flags.only?.split(',') ?? workloads.map(({ id }) => id)
const sections = flags.sections?.split(',') ?? ['against', 'limits', 'frames', 'growth', 'allocation']

mkdirSync(new URL('results/', import.meta.url), { recursive: true })
const file = new URL(`results/node-${process.versions.node.split('.')[0]}.json`, import.meta.url)
const machine = { node: process.version, v8: process.versions.v8, cpu: cpus()[0].model, cpus: cpus().length, rounds }
const results = { ...earlier(), ...machine }
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0].model}; medians of ${rounds} interleaved rounds; ratios are within one run\n`)

for (const section of ['against', 'limits']) {
  if (!sections.includes(section)) continue
  results[section] ??= {}
  for (const id of chosen) results[section][id] = await inChild({ section, id, rounds })
}
if (sections.includes('frames')) results.frames = await inChild({ section: 'frames', rounds })
if (sections.includes('growth')) results.growth = await inChild({ section: 'growth', rounds: flags.quick ? 3 : 7 })
if (sections.includes('allocation')) results.allocation = await inChild({ section: 'allocation' })

writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
console.log(`\nwritten: bench/results/${file.pathname.split('/').at(-1)}`)

/** What a run of some workloads or sections leaves as it was: ratios are within a workload's process, so they may stand together. */
function earlier() {
  if ((flags.only ?? flags.sections) === undefined || !existsSync(file)) return {}
  const before = JSON.parse(readFileSync(file, 'utf8'))
  return before.node === machine.node && before.cpu === machine.cpu ? before : {}
}

function inChild(task) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./lib/child.mjs', import.meta.url)), [JSON.stringify(task)])
    let answer
    child.on('message', (message) => { answer = message })
    child.on('exit', (code, signal) => {
      if (code === 0) resolve(answer)
      else reject(new Error(`${task.section} ${task.id ?? ''} ended with ${signal ?? code}`))
    })
  })
}
