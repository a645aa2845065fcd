// node run.mjs [--seconds S] [--only NAME]: each target for S seconds (60 unless told), guided by the coverage of packages/*/dist. Corpora and
// what was found stay in .tmp/. Jazzer.js 4 is native: on Linux its library wants glibc 2.38 (Debian 13, Ubuntu 24.04).
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { targets } from '../../scripts/fuzz/targets.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } } })
const jazzer = join(here, 'node_modules/@jazzer.js/core/dist/cli.js')
// Targets that draw from a seed learn nothing from coverage of their bytes.
const guided = targets.filter(({ words, seeds, name }) => (words.length > 0 || seeds().length > 1) && (values.only === undefined || values.only === name))

for (const target of guided) {
  const folder = join(here, '.tmp', target.name.replace(/\W+/g, '-').toLowerCase())
  const corpus = join(folder, 'corpus')
  mkdirSync(corpus, { recursive: true })
  target.seeds().forEach((seed, i) => writeFileSync(join(corpus, `seed-${i}`), seed))
  const words = join(folder, 'words.dict')
  writeFileSync(words, target.words.map((word) => `"${Buffer.from(word).toString('hex').replace(/../g, '\\x$&')}"\n`).join(''))
  const { status, stderr, error } = spawnSync(
    process.env['KILN_FUZZ_NODE'] ?? process.execPath,
    [
      ...process.execArgv, jazzer, join(here, 'entry.mjs'), corpus, '-i', 'packages/', '--disableBugDetectors', '.*', '--timeout', '20000', '--', `-max_total_time=${values.seconds}`,
      `-dict=${words}`, '-max_len=8192', '-rss_limit_mb=2048', `-artifact_prefix=${folder}/`, '-print_final_stats=1', '-seed=1',
    ],
    { encoding: 'utf8', env: { ...process.env, KILN_FUZZ_TARGET: target.name }, maxBuffer: 2 ** 28 },
  )
  if (error !== undefined) throw error
  // The last line of progress: libFuzzer does not always say how many inputs it ran in all.
  const inputs = [...stderr.matchAll(/^#(\d+)\t/gm)].at(-1)?.[1]
  if (status !== 0) {
    console.log(`${target.name}: ended with ${status}; ${folder} has ${readdirSync(folder).join(', ')}\n${stderr.slice(-3000)}`)
    process.exitCode = 1
    continue
  }
  const coverage = [...stderr.matchAll(/cov: (\d+) ft: (\d+)/g)]
  const [first, last] = [coverage[0], coverage.at(-1)]
  console.log(`${target.name}: ${inputs ?? 'no'} inputs in ${values.seconds} s; edges ${first?.[1]} to ${last?.[1]}, features ${first?.[2]} to ${last?.[2]}; nothing found`)
}
