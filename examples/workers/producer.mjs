import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeFrame, tensor } from 'kiln-format'
import { randomNumbers } from '../support/random.mjs'
import { DIMENSIONS, Job, NamedSample, Sample } from './messages.mjs'
import { putOnce } from './streams.mjs'

/** @typedef {{ id: string, shard: string, start: number, length: number, schema: bigint }} Work */

/**
 * Writes framed samples into shards, every other one of another schema, and gives the jobs that they make.
 *
 * @param {string} folder
 * @param {{ shards: number, samples: number, together: number }} amount shards, samples of each, and of a job
 */
export async function writeShards(folder, { shards, samples, together }) {
  await mkdir(folder, { recursive: true })
  const random = randomNumbers(1)
  /** @type {Work[]} */
  const jobs = []
  for (let i = 0; i < shards; i++) {
    const shard = `${String(i).padStart(4, '0')}.kiln`
    const schema = i % 2 === 0 ? Sample : NamedSample
    /** @type {Uint8Array[]} */
    const frames = []
    let size = 0
    for (let j = 0; j < samples; j++) {
      if (j % together === 0) jobs.push({ id: `${i}-${j}`, shard, start: size, length: 0, schema: schema.hash })
      const frame = frameOf(i * samples + j, schema, random)
      frames.push(frame)
      size += frame.length
      const job = /** @type {Work} */ (jobs.at(-1))
      job.length = size - job.start
    }
    await writeFile(join(folder, shard), Buffer.concat(frames))
  }
  return jobs
}

/**
 * @param {number} id
 * @param {typeof Sample | typeof NamedSample} schema
 * @param {() => number} random
 */
function frameOf(id, schema, random) {
  const numbers = Float32Array.from({ length: DIMENSIONS }, () => random() + random() - 1)
  const vector = [tensor('vector', 'f32', [DIMENSIONS], numbers)]
  // The registry has the schemas, so that frames need but their hashes.
  const options = { checksum: true }
  return schema === Sample
    ? encodeFrame(Sample, { vector, id }, options)
    : encodeFrame(NamedSample, { vector, id, source: `source ${id}` }, options)
}

/**
 * Publishes jobs. Doing so again does no harm: what is done is known by its result.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection
 * @param {readonly Work[]} jobs
 */
export async function publish(connection, jobs) {
  for (const job of jobs) await putOnce(connection, `jobs.${job.id}`, encodeFrame(Job, job, { checksum: true }))
}
