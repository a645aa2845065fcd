// npm test, here: what may go wrong with workers and a broker does, and the results are what they must be.
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { iterateFrames, parseSchema } from 'kiln-format'
import { quantize } from 'kiln-format/numeric'
import { startNginx } from '../support/nginx.mjs'
import { Cluster } from './cluster.mjs'
import { paceOf } from './measure.mjs'
import { DIMENSIONS, Fault, NamedSample, Result, Sample } from './messages.mjs'
import { publish, writeShards } from './producer.mjs'

const folder = fileURLToPath(new URL('.tmp/check', import.meta.url))
/** @type {Awaited<ReturnType<typeof startNginx>>} */
let files
/** @type {import('./producer.mjs').Work[]} */
let jobs

before(async () => {
  await rm(folder, { recursive: true, force: true })
  jobs = await writeShards(folder, { shards: 16, samples: 64, together: 8 })
  files = await startNginx(folder)
})
after(() => files?.stop())

/**
 * Holds results against the shards themselves: each job once, each sample once, each bit as it must be.
 *
 * @param {Awaited<ReturnType<Cluster['results']>>} results
 */
async function checkResults(results) {
  assert.deepEqual(results.map(({ subject }) => subject).sort(), jobs.map(({ id }) => `results.${id}`).sort())
  /** @type {number[]} */
  const seen = []
  for (const { subject, frame } of results) {
    assert.ok(frame.is(Result), `${subject} is a fault`)
    const { job: id, ids, vectors } = frame.value
    assert.equal(subject, `results.${id}`)
    seen.push(...ids)
    const job = /** @type {import('./producer.mjs').Work} */ (jobs.find((other) => other.id === id))
    const bytes = (await readFile(join(folder, job.shard))).subarray(job.start, job.start + job.length)
    const samples = Array.from(iterateFrames(bytes, [Sample, NamedSample]), ({ value }) => value)
    assert.deepEqual([...ids], samples.map((sample) => sample.id))
    const numbers = samples.flatMap(({ vector }) => Array.from(vector.get('vector').copy('f32')))
    for (const { name = '', data } of quantize('vectors', [samples.length, DIMENSIONS], numbers, 'mxfp4')) {
      assert.ok(Buffer.from(vectors.get(name).bytes).equals(/** @type {Uint8Array} */ (data)), name)
    }
  }
  assert.deepEqual(seen.sort((a, b) => a - b), Array.from({ length: 16 * 64 }, (_, i) => i))
}

test('a worker dies, the broker is killed and comes back: nothing is lost, nothing is there twice', async () => {
  const cluster = await Cluster.start()
  try {
    const half = jobs.length / 2
    await publish(cluster.connection, jobs.slice(0, half))
    // It dies with a result sent whose job it didn't acknowledge, and with another job in its hands.
    const dying = await cluster.addWorker(files.origin, { dieAfter: 5 })
    await cluster.addWorker(files.origin)
    await cluster.begin(3000)
    await dying.ended
    assert.equal(dying.child.signalCode, 'SIGKILL')

    // The broker dies while the other worker works, and while more jobs are being published.
    const publishing = publish(cluster.connection, jobs.slice(half))
    let published = 0
    while (published < half + 4) published = await cluster.count('jobs')
    const done = await cluster.count('results')
    await cluster.broker.kill()
    assert.ok(published < jobs.length && done >= 5 && done < jobs.length, `${published} jobs published, ${done} done`)
    await wait(500)
    await cluster.broker.restart()
    await cluster.addWorker(files.origin)

    await publishing
    await cluster.untilDone()
    await checkResults(await cluster.results())
    // The job of the result that the dying worker had sent was done again, and its result refused.
    const last = dying.printed.trimEnd().split('\n').at(-1)?.replace('sent', 'refused') ?? ''
    const others = cluster.workers.filter((worker) => worker !== dying).map(({ printed }) => printed)
    assert.match(last, /^refused /)
    assert.ok(others.some((printed) => printed.includes(`${last}\n`)), `nobody printed ${last}`)

    // A producer that can't know whether it got through publishes all again, and no job is there twice.
    await publish(cluster.connection, jobs)
    assert.equal(await cluster.count('jobs'), jobs.length)
  } finally {
    await cluster.stop()
  }
})

test('workers ask for the ranges of their jobs', async () => {
  const asked = new Set((await files.requests()).map(({ path, range }) => `${path} ${range}`))
  // The first bytes of a shard have come already, with its size.
  const wanted = jobs.filter(({ start }) => start > 0)
  const ranges = wanted.map(({ shard, start, length }) => `/${shard} bytes=${start}-${start + length - 1}`)
  assert.deepEqual(ranges.filter((range) => !asked.has(range)), [])
})

test('damage, an unknown schema, a shard that is not there: said of that job, and the others are done', async () => {
  const [first, second, third, fourth] = /** @type {[jobs[0], jobs[0], jobs[0], jobs[0]]} */ (jobs)
  const bytes = await readFile(join(folder, first.shard))
  const at = first.start + first.length - 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(join(folder, 'damaged.kiln'), bytes)
  const cluster = await Cluster.start()
  try {
    await publish(cluster.connection, [
      { ...first, shard: 'damaged.kiln' }, { ...second, schema: 7n }, { ...third, shard: 'none.kiln' }, fourth,
    ])
    await cluster.addWorker(files.origin)
    await cluster.begin(30_000)
    await cluster.untilDone()
    const results = await cluster.results()
    const said = new Map(results.map(({ frame }) => [frame.value.job, frame.is(Fault) ? frame.value.message : '']))
    assert.match(said.get(first.id) ?? '', /^CHECKSUM /)
    assert.match(said.get(second.id) ?? '', /no schema is registered as 0x0000000000000007/)
    assert.match(said.get(third.id) ?? '', /404/)
    assert.equal(said.get(fourth.id), '')
    assert.equal(said.size, 4)
  } finally {
    await cluster.stop()
  }
})

test('a pace comes with the processor time that it took', async () => {
  const pace = await paceOf(2, jobs, files.origin)
  assert.ok(pace.jobs > 0 && pace.processor > 0 && pace.busy > 0, JSON.stringify(pace))
  assert.equal(pace.used, pace.processor * pace.jobs)
})

test('the registry gives what was put, once, and refuses another schema of the same hash', async () => {
  const cluster = await Cluster.start()
  try {
    const { registry } = cluster
    await registry.add(Sample)
    assert.equal((await registry.get(NamedSample.hash)).text, NamedSample.text)
    await registry.add(parseSchema('struct{jGqNUqh7_9B:u8,}'))
    await assert.rejects(registry.add(parseSchema('struct{kXDMO9RWEzE:u8,}')), /is taken by struct{jGqNUqh7_9B:u8,}/)
    await assert.rejects(registry.get(7n), /no schema is registered/)
  } finally {
    await cluster.stop()
  }
})
