import { encodeFrame, iterateFrames, urlSource } from 'kiln-format'
import { quantize } from 'kiln-format/numeric'
import { DIMENSIONS, Result } from './messages.mjs'

/** @typedef {import('kiln-format').Infer<typeof import('./messages.mjs').Sample>} Vector */

/**
 * Does a job: reads its range of its shard, and gives the result as a frame.
 *
 * @param {string} origin of the server that has the shards
 * @param {import('./registry.mjs').Registry} registry
 */
export function quantizer(origin, registry) {
  /** @type {Map<string, Promise<import('kiln-format').UrlSource>>} */
  const shards = new Map()
  /** @param {string} name */
  const open = (name) => {
    // A job's range is known, so that no bytes are asked for ahead but those that tell the size.
    const source = shards.get(name) ?? urlSource(`${origin}/${encodeURIComponent(name)}`, { prefetch: 512 })
    shards.set(name, source)
    // What failed may be there the next time.
    source.catch(() => shards.delete(name))
    return source
  }

  /**
   * @param {{ id: string, shard: string, start: bigint, length: bigint, schema: bigint }} job
   * @param {{ worker: string, delivery: number, spent: bigint }} whence
   */
  return async (job, whence) => {
    const schema = await registry.get(job.schema)
    checkFields(schema)
    const source = await open(job.shard)
    const bytes = await source.read(Number(job.start), Number(job.length))
    /** @type {number[]} */
    const ids = []
    /** @type {Float32Array[]} */
    const rows = []
    for (const frame of iterateFrames(bytes, schema)) {
      const { vector, id } = /** @type {Vector} */ (frame.value)
      ids.push(id)
      rows.push(vector.get('vector').copy('f32'))
    }
    const numbers = new Float32Array(rows.length * DIMENSIONS)
    rows.forEach((row, i) => numbers.set(row, i * DIMENSIONS))
    const vectors = quantize('vectors', [rows.length, DIMENSIONS], numbers, 'mxfp4')
    return encodeFrame(Result, { vectors, job: job.id, ids, ...whence }, { checksum: true })
  }
}

/**
 * Whatever else a schema has, it must have these.
 *
 * @param {import('kiln-format').Schema} schema
 */
function checkFields(schema) {
  const fields = schema.kind === 'struct' ? schema.fields : {}
  if (fields['vector']?.text === 'tensors' && fields['id']?.text === 'u32') return
  throw new Error(`samples of ${schema.text} have no vector and id`)
}
