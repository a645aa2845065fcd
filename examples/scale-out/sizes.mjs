import { randomNumbers } from '../support/random.mjs'

const MIB = 2 ** 20

/**
 * A dataset that isn't there: shards of 32 MiB to 1 GiB of frames of up to half a MiB, with a cut every 4 MiB or so.
 * The same for the same number.
 *
 * @param {number} count
 * @returns {{ file: string, size: number, cuts: Float64Array }[]}
 */
export function madeUpShards(count) {
  const random = randomNumbers(42)
  return Array.from({ length: count }, (_, i) => {
    const size = Math.round(32 * MIB * 2 ** (5 * random()))
    /** @type {number[]} */
    const cuts = []
    for (let at = 0; at < size; at += Math.round((4 + random() / 2) * MIB)) cuts.push(at)
    return { file: `shard-${String(i).padStart(5, '0')}.kiln`, size, cuts: Float64Array.from(cuts) }
  })
}
