import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeFrame, tensor } from 'kiln-format'
import { writeFile } from 'kiln-format/node'
import { randomNumbers } from '../support/random.mjs'
import { draw } from './digits.mjs'
import { Index, Sample, SIDE } from './messages.mjs'

/**
 * Writes shards of frames, and their index last: a dataset is there when its index is.
 *
 * @param {string} folder
 * @param {{ shards: number, samples: number, block: number, seed: number }} options samples of a shard; frames that are
 *   read together
 */
export async function writeDataset(folder, { shards, samples, block, seed }) {
  await mkdir(folder, { recursive: true })
  const random = randomNumbers(seed)
  const entries = []
  for (let i = 0; i < shards; i++) {
    /** @type {Uint8Array[]} */
    const frames = []
    const offsets = []
    let size = 0
    for (let j = 0; j < samples; j++) {
      const label = Math.floor(random() * 10)
      const features = [tensor('pixels', 'u8', [SIDE, SIDE], draw(label, random))]
      // The first brings the schema, so that anybody can read the shard.
      const frame = encodeFrame(Sample, { features, label }, { schema: j === 0, checksum: true })
      if (j % block === 0) offsets.push(size)
      frames.push(frame)
      size += frame.length
    }
    const bytes = Buffer.concat(frames)
    const file = `shard-${String(i).padStart(3, '0')}.kiln`
    await writeFile(join(folder, file), bytes)
    const sha256 = createHash('sha256').update(bytes).digest()
    entries.push({ file, samples, sha256, offsets: [...offsets, size] })
  }
  const index = { samples: shards * samples, block, shards: entries }
  await writeFile(join(folder, 'index.kiln'), encodeFrame(Index, index, { schema: true, checksum: true }))
}
