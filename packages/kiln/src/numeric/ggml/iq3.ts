import { halfAt, wordAt, type BlockReader } from './block.js'
import { IQ3_S_GAPS, IQ3_XXS_GAPS } from './grid-gaps.js'
import { lazyGrid } from './grid.js'
import { EVEN_SIGNS, putSigned } from './signs.js'

// Four elements are a point of a codebook; signs are kept for eight.
const xxs = lazyGrid(IQ3_XXS_GAPS, 4, [4, 12, 20, 28, 36, 44, 52, 62])
const s = lazyGrid(IQ3_S_GAPS, 4, [1, 3, 5, 7, 9, 11, 13, 15])

/** d, 64 bytes of points, then for each 32 elements a word of 4 times 7 signs and a 4-bit scale. */
export const iq3_xxs: BlockReader = (bytes, at, target, to) => {
  const grid = xxs()
  const d = halfAt(bytes, at)
  for (let group = 0; group < 8; group++) {
    const from = at + 66 + group * 4
    const word = (wordAt(bytes, from) | (wordAt(bytes, from + 2) << 16)) >>> 0
    const scale = d * (0.5 + (word >>> 28)) * 0.5
    for (let i = 0; i < 8; i++) {
      const signs = EVEN_SIGNS[(word >>> (7 * (i >> 1))) & 127]! >> ((i & 1) * 4)
      putSigned(grid, bytes[at + 2 + group * 8 + i]! * 4, 4, signs, scale, target, to + group * 32 + i * 4)
    }
  }
}

/** d, low 8 bits of 64 points, their ninth bits, 32 bytes of signs, then 8 scales of 4 bits: (2s + 1) · d. */
export const iq3_s: BlockReader = (bytes, at, target, to) => {
  const grid = s()
  const d = halfAt(bytes, at)
  for (let i = 0; i < 64; i++) {
    const ninth = (bytes[at + 66 + (i >> 3)]! >> (i & 7)) & 1
    const scale = d * (1 + 2 * ((bytes[at + 106 + (i >> 4)]! >> ((i & 8) >> 1)) & 15))
    const signs = bytes[at + 74 + (i >> 1)]! >> ((i & 1) * 4)
    putSigned(grid, (bytes[at + 2 + i]! | (ninth << 8)) * 4, 4, signs, scale, target, to + i * 4)
  }
}
