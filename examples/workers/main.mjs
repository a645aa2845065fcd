// node main.mjs [ROUNDS]: the pace of 1, 2 and 4 workers that quantize vectors, as medians of 3 rounds, or of as many as are given.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startNginx } from '../support/nginx.mjs'
import { paceOf } from './measure.mjs'
import { writeShards } from './producer.mjs'

const WORKERS = [1, 2, 4]
const rounds = Number(process.argv[2] ?? 3)
const processors = availableParallelism()
const folder = (/** @type {string} */ name) => fileURLToPath(new URL(`.tmp/${name}`, import.meta.url))
console.log(`${processors} processors, ${rounds} rounds`)

// Two limits that a cluster meets. Against the first, workers beyond the processors gain nothing.
const whole = await writeShards(folder('whole'), { shards: 16, samples: 512, together: 512 })
await measure('jobs of 2 MiB, a whole shard each, from a server without limits', folder('whole'), again(whole, 8), '0')
const parts = await writeShards(folder('parts'), { shards: 8, samples: 256, together: 32 })
await measure('jobs of 132 KiB, from a server that sends 512 KiB a second to each that asks', folder('parts'), parts, '512k')

/**
 * @param {string} title
 * @param {string} shards
 * @param {readonly import('./producer.mjs').Work[]} jobs
 * @param {string} rate
 */
async function measure(title, shards, jobs, rate) {
  const files = await startNginx(shards, { rate })
  console.log(`\n${title}: ${jobs.length} jobs\nworkers   jobs/s   ratio   processor ms a job   processors of workers   of everything`)
  /** @type {Map<number, import('./measure.mjs').Pace[]>} */
  const paces = new Map(WORKERS.map((count) => [count, []]))
  // In turns, as what else the machine does changes with time.
  for (let i = 0; i < rounds; i++) for (const [count, seen] of paces) seen.push(await paceOf(count, jobs, files.origin))
  for (const [count, seen] of paces) {
    const ratio = median(seen.map(({ jobs }, i) => jobs / (paces.get(1)?.[i]?.jobs ?? NaN)))
    /** @param {keyof import('./measure.mjs').Pace} column */
    const of = (column) => median(seen.map((pace) => pace[column]))
    const [milliseconds, used, busy] = [of('processor') * 1000, of('used'), of('busy')]
    console.log(`${cell(count, 7, 0)} ${cell(of('jobs'), 8, 1)} ${cell(ratio, 7, 2)} ${cell(milliseconds, 20, 1)} ${cell(used, 23, 2)} ${cell(busy, 15, 2)}`)
  }
  await files.stop()
}

/**
 * The same work several times over, under names of its own: long enough to be measured, in a folder that isn't large.
 *
 * @param {readonly import('./producer.mjs').Work[]} jobs
 * @param {number} times
 */
function again(jobs, times) {
  return Array.from({ length: times }, (_, i) => jobs.map((job) => ({ ...job, id: `${job.id}-${i}` }))).flat()
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

/**
 * @param {number} number
 * @param {number} width
 * @param {number} digits
 */
function cell(number, width, digits) {
  return number.toFixed(digits).padStart(width)
}
