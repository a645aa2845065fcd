import { createHash } from 'node:crypto'
import { framesOf, k } from 'kiln-format'

/**
 * What a dataset consists of: one frame, kept beside the shards. `cuts` are places where a frame begins, as far apart
 * as a worker's share may be uneven. Kiln has no index of its own, because a record of yours does it.
 */
export const Index = k.struct({
  schema: k.string,
  shards: k.list(k.struct({ file: k.string, size: k.u64, sha256: k.bytes, frames: k.u32, cuts: k.list(k.f64) })),
})

/**
 * The entry of one shard.
 *
 * @param {import('kiln-format').Schema} schema of its frames
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {number} apart bytes from one cut to the next, at least
 */
export async function entryOf(schema, file, bytes, apart) {
  /** @type {number[]} */
  const cuts = []
  let frames = 0
  let last = 0
  for await (const { offset } of framesOf(bytes, schema)) {
    frames++
    if (offset < last + apart) continue
    cuts.push(offset)
    last = offset
  }
  return { file, size: bytes.length, sha256: createHash('sha256').update(bytes).digest(), frames, cuts }
}
