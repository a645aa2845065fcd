// node main.mjs [SHARDS]: quantizes 16 shards of 256 vectors each, or as many as are given, with 1, 2 and 4 workers.
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startNginx } from '../support/nginx.mjs'
import { Cluster } from './cluster.mjs'
import { publish, writeShards } from './producer.mjs'

const folder = fileURLToPath(new URL('.tmp/shards', import.meta.url))
const jobs = await writeShards(folder, { shards: Number(process.argv[2] ?? 16), samples: 256, together: 32 })
const bytes = jobs.reduce((sum, { length }) => sum + length, 0)
const files = await startNginx(folder)
console.log(`${jobs.length} jobs, ${(bytes / 2 ** 20).toFixed(0)} MiB of samples; ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`)
console.log('workers   jobs/s   ratio')
let alone = 0
for (const count of [1, 2, 4]) {
  const cluster = await Cluster.start()
  await publish(cluster.connection, jobs)
  for (let i = 0; i < count; i++) await cluster.addWorker(files.origin)
  const start = performance.now()
  await cluster.begin(30_000)
  await cluster.untilResults(jobs.length)
  const pace = (jobs.length * 1000) / (performance.now() - start)
  await cluster.stop()
  if (count === 1) alone = pace
  console.log(`${String(count).padStart(7)} ${pace.toFixed(1).padStart(8)} ${(pace / alone).toFixed(2).padStart(7)}`)
}
await files.stop()
