// `npm run bench` in the root: installs the peers, builds, and runs this. Prints tables, and writes what was measured
// to results/node-<major>.json; `--quick` takes fewer rounds, `--only W2,W4` some workloads.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { allocation } from './sections/allocation.mjs'
import { growth } from './sections/growth.mjs'
import { limits } from './sections/limits.mjs'
import { against } from './sections/against.mjs'
import { frames } from './sections/frames.mjs'
import { workloads } from './lib/workloads.mjs'

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, rounds: { type: 'string' }, only: { type: 'string' }, sections: { type: 'string' } },
})
const rounds = Number(flags.rounds ?? (flags.quick ? 3 : 11))
const only = flags.only?.split(',')
const chosen = workloads.filter(({ id }) => only === undefined || only.includes(id))
const sections = (flags.sections ?? 'against,limits,frames,growth,allocation').split(',')

const results = { node: process.version, v8: process.versions.v8, cpu: cpus()[0].model, cpus: cpus().length, rounds }
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0].model}; medians of ${rounds} interleaved rounds; ratios are within one run\n`)

if (sections.includes('against')) results.against = against(chosen, { rounds })
if (sections.includes('limits')) results.limits = limits(chosen, { rounds })
if (sections.includes('frames')) results.frames = await frames({ rounds })
if (sections.includes('growth')) results.growth = growth({ rounds: flags.quick ? 3 : 7 })
if (sections.includes('allocation')) results.allocation = allocation()

mkdirSync(new URL('results/', import.meta.url), { recursive: true })
const file = new URL(`results/node-${process.versions.node.split('.')[0]}.json`, import.meta.url)
writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
console.log(`\nwritten: bench/results/${file.pathname.split('/').at(-1)}`)
