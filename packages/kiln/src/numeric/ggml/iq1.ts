import { f32BitsOfCodes } from '../widen-tables.js'
import { halfAt, wordAt, type BlockReader } from './block.js'
import { IQ1_GAPS } from './grid-gaps.js'
import { lazyGrid } from './grid.js'

// Eight elements are a point of -1, 0 and 1, moved by an eighth up or down; a scale is (2s + 1) · d.
const points = lazyGrid(IQ1_GAPS, 8, [-1, 0, 1])

function put(point: number, shift: number, scale: number, target: Float32Array, to: number): void {
  const grid = points()
  for (let i = 0; i < 8; i++) target[to + i] = scale * (grid[point * 8 + i]! + shift)
}

/** d, low 8 bits of 32 points, then 8 words: high 3 bits of 4 points, a 3-bit scale and the shift's sign. */
export const iq1_s: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  for (let i = 0; i < 32; i++) {
    const word = wordAt(bytes, at + 34 + (i >> 2) * 2)
    const point = bytes[at + 2 + i]! | (((word >> (3 * (i & 3))) & 7) << 8)
    put(point, word & 0x8000 ? -0.125 : 0.125, d * (2 * ((word >> 12) & 7) + 1), target, to + i * 8)
  }
}

/**
 * Low 8 bits of 32 points, 32 times 4 bits of high 3 bits and the shift's sign, then 4 words of four 3-bit
 * scales, each for 16 elements; the words' upper 4 bits together are d.
 */
export const iq1_m: BlockReader = (bytes, at, target, to) => {
  let d = 0
  for (let i = 0; i < 4; i++) d |= (wordAt(bytes, at + 48 + i * 2) >> 12) << (4 * i)
  const scaleOfAll = new Float32Array(f32BitsOfCodes('f16').buffer)[d]!
  for (let i = 0; i < 32; i++) {
    const high = bytes[at + 32 + (i >> 1)]! >> ((i & 1) * 4)
    const point = bytes[at + i]! | ((high & 7) << 8)
    const scale = (wordAt(bytes, at + 48 + (i >> 3) * 2) >> (3 * ((i >> 1) & 3))) & 7
    put(point, high & 8 ? -0.125 : 0.125, scaleOfAll * (2 * scale + 1), target, to + i * 8)
  }
}
