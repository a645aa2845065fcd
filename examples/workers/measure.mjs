import { cpus } from 'node:os'
import { Cluster } from './cluster.mjs'
import { Result } from './messages.mjs'
import { publish } from './producer.mjs'

/**
 * @typedef Pace
 * @property {number} jobs a second
 * @property {number} processor seconds of processor time that a job took its worker
 * @property {number} used processors that the workers had, all together
 * @property {number} busy processors that were at work, for whatever program of this machine
 */

/**
 * Has workers do jobs, and measures the second half: processes that have just begun are slow.
 *
 * @param {number} workers
 * @param {readonly import('./producer.mjs').Work[]} jobs
 * @param {string} origin
 * @returns {Promise<Pace>}
 */
export async function paceOf(workers, jobs, origin) {
  const cluster = await Cluster.start()
  await publish(cluster.connection, jobs)
  for (let i = 0; i < workers; i++) await cluster.addWorker(origin)
  await cluster.begin(30_000)
  await cluster.untilResults(jobs.length / 2)
  const before = await cluster.count('results')
  const [start, busyBefore] = [performance.now(), busySeconds()]
  await cluster.untilResults(jobs.length)
  const [seconds, busy] = [(performance.now() - start) / 1000, busySeconds() - busyBefore]
  const results = await cluster.results()
  await cluster.stop()
  const done = results.length - before
  const pace = done / seconds
  const processor = processorTime(results.slice(before))
  return { jobs: pace, processor, used: processor * pace, busy: busy / seconds }
}

/**
 * Seconds a job, between each worker's first result of these and its last: a result tells what was spent before it.
 *
 * @param {Awaited<ReturnType<Cluster['results']>>} results
 */
function processorTime(results) {
  /** @type {Map<string, bigint>} */
  const workers = new Map()
  let [spent, jobs] = [0n, 0]
  for (const { frame } of results) {
    if (!frame.is(Result)) throw new Error(`the job ${frame.value.job} failed`)
    const { worker, spent: last } = frame.value
    const seen = workers.get(worker)
    if (seen !== undefined) [spent, jobs] = [spent + last - seen, jobs + 1]
    workers.set(worker, last)
  }
  return Number(spent) / jobs / 1e6
}

/** Seconds that this machine's processors have been at work, added up. */
function busySeconds() {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000
}
