// node main.mjs [SHARDS]: quantizes 16 shards of 256 vectors each, or as many as are given, with 1, 2 and 4 workers.
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startNginx } from '../support/nginx.mjs'
import { Cluster } from './cluster.mjs'
import { publish, writeShards } from './producer.mjs'

const folder = fileURLToPath(new URL('.tmp/shards', import.meta.url))
const jobs = await writeShards(folder, { shards: Number(process.argv[2] ?? 16), samples: 256, together: 32 })
const bytes = jobs.reduce((sum, { length }) => sum + length, 0)
console.log(`${jobs.length} jobs, ${(bytes / 2 ** 20).toFixed(0)} MiB of samples`)
console.log(`${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`)

// Two limits that a cluster meets. Against the first, workers beyond the processors gain nothing.
await measure('as fast as the processors allow', '0')
await measure('shards behind a server that sends 512 KiB a second to each that asks', '512k')

/**
 * @param {string} title
 * @param {string} rate
 */
async function measure(title, rate) {
  const files = await startNginx(folder, { rate })
  console.log(`\n${title}\nworkers   jobs/s   ratio`)
  let alone = 0
  for (const count of [1, 2, 4]) {
    const pace = await paceOf(count, files.origin)
    if (count === 1) alone = pace
    console.log(`${String(count).padStart(7)} ${pace.toFixed(1).padStart(8)} ${(pace / alone).toFixed(2).padStart(7)}`)
  }
  await files.stop()
}

/**
 * Jobs a second.
 *
 * @param {number} workers
 * @param {string} origin
 */
async function paceOf(workers, origin) {
  const cluster = await Cluster.start()
  await publish(cluster.connection, jobs)
  for (let i = 0; i < workers; i++) await cluster.addWorker(origin)
  await cluster.begin(30_000)
  // Processes that have just begun are slow: the second half counts.
  await cluster.untilResults(jobs.length / 2)
  const before = await cluster.count('results')
  const start = performance.now()
  await cluster.untilResults(jobs.length)
  const seconds = (performance.now() - start) / 1000
  await cluster.stop()
  return (jobs.length - before) / seconds
}
