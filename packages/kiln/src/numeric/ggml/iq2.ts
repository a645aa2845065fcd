import { halfAt, wordAt, type BlockReader } from './block.js'
import { IQ2_S_GAPS, IQ2_XS_GAPS, IQ2_XXS_GAPS } from './grid-gaps.js'
import { lazyGrid } from './grid.js'
import { EVEN_SIGNS, putSigned } from './signs.js'

// Eight elements are a point of a codebook and eight signs. A group's scale is (s + 1/2) / 4 · d.
const VALUES = [8, 25, 43]
const xxs = lazyGrid(IQ2_XXS_GAPS, 8, VALUES)
const xs = lazyGrid(IQ2_XS_GAPS, 8, VALUES)
const s = lazyGrid(IQ2_S_GAPS, 8, VALUES)

/** d, then for each 32 elements four bytes of points, and a word of 4 times 7 signs and a 4-bit scale. */
export const iq2_xxs: BlockReader = (bytes, at, target, to) => {
  const grid = xxs()
  const d = halfAt(bytes, at)
  for (let group = 0; group < 8; group++) {
    const from = at + 2 + group * 8
    const word = (wordAt(bytes, from + 4) | (wordAt(bytes, from + 6) << 16)) >>> 0
    const scale = d * (0.5 + (word >>> 28)) * 0.25
    for (let i = 0; i < 4; i++) {
      const signs = EVEN_SIGNS[(word >>> (7 * i)) & 127]!
      putSigned(grid, bytes[from + i]! * 8, 8, signs, scale, target, to + group * 32 + i * 8)
    }
  }
}

/** d, 32 words of a 9-bit point and 7 signs, then 8 bytes of two scales, each for 16 elements. */
export const iq2_xs: BlockReader = (bytes, at, target, to) => {
  const grid = xs()
  const d = halfAt(bytes, at)
  for (let i = 0; i < 32; i++) {
    const word = wordAt(bytes, at + 2 + i * 2)
    const scale = d * (0.5 + ((bytes[at + 66 + (i >> 2)]! >> ((i & 2) * 2)) & 15)) * 0.25
    putSigned(grid, (word & 511) * 8, 8, EVEN_SIGNS[word >> 9]!, scale, target, to + i * 8)
  }
}

/** d, low 8 bits of 32 points, 32 bytes of signs, high 2 bits of the points, then 8 bytes of two scales. */
export const iq2_s: BlockReader = (bytes, at, target, to) => {
  const grid = s()
  const d = halfAt(bytes, at)
  for (let i = 0; i < 32; i++) {
    const high = (bytes[at + 66 + (i >> 2)]! >> ((i & 3) * 2)) & 3
    const scale = d * (0.5 + ((bytes[at + 74 + (i >> 2)]! >> ((i & 2) * 2)) & 15)) * 0.25
    putSigned(grid, (bytes[at + 2 + i]! | (high << 8)) * 8, 8, bytes[at + 34 + i]!, scale, target, to + i * 8)
  }
}
