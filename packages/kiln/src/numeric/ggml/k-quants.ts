import { halfAt, signedAt, type BlockReader } from './block.js'

// Super-blocks of 256 elements. Groups of 16 or 32 have a small integer scale each (and minimum), which the
// block's f16 d (and dmin) multiplies. Bit planes: one byte has the bits of elements 32 (or 64) apart.

/** 16 bytes of scale (low) and minimum (high), 64 bytes of 2-bit numbers, d, dmin; groups of 16. */
export const q2_k: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at + 80)
  const dmin = halfAt(bytes, at + 82)
  for (let group = 0; group < 16; group++) {
    const scales = bytes[at + group]!
    const scale = d * (scales & 15)
    const minimum = dmin * (scales >> 4)
    const from = at + 16 + (group >> 3) * 32 + (group & 1) * 16
    const shift = group & 6 // 2 bits for each pair of groups
    for (let i = 0; i < 16; i++) target[to + group * 16 + i] = scale * ((bytes[from + i]! >> shift) & 3) - minimum
  }
}

/** 32 bytes of third bits, 64 bytes of 2-bit numbers, 12 bytes of 6-bit scales less 32, d; groups of 16. */
export const q3_k: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at + 108)
  for (let group = 0; group < 16; group++) {
    // Low 4 bits: the first 8 scales in the low halves of 8 bytes, the others in the high ones; then 2 bits
    // each of scales 4 apart in 4 bytes.
    const low = (bytes[at + 96 + (group & 7)]! >> (group < 8 ? 0 : 4)) & 15
    const high = (bytes[at + 104 + (group & 3)]! >> ((group >> 2) * 2)) & 3
    const scale = d * ((low | (high << 4)) - 32)
    const column = (group & 1) * 16
    const from = at + 32 + (group >> 3) * 32 + column
    const shift = group & 6
    const plane = group >> 1
    for (let i = 0; i < 16; i++) {
      const third = (bytes[at + column + i]! >> plane) & 1
      target[to + group * 16 + i] = scale * (((bytes[from + i]! >> shift) & 3) - (third === 1 ? 0 : 4))
    }
  }
}

/** The 6-bit scale of group `j` of 8 in the 12 bytes at `at` of q4_k and q5_k. */
function scaleOf(bytes: Uint8Array, at: number, j: number): number {
  return j < 4 ? bytes[at + j]! & 63 : (bytes[at + j + 4]! & 15) | ((bytes[at + j - 4]! >> 6) << 4)
}

/** The 6-bit minimum of group `j` of 8 in the same bytes. */
function minimumOf(bytes: Uint8Array, at: number, j: number): number {
  return j < 4 ? bytes[at + j + 4]! & 63 : (bytes[at + j + 4]! >> 4) | ((bytes[at + j]! >> 6) << 4)
}

/** d, dmin, 12 bytes of scales and minima, 128 bytes of 4-bit numbers; groups of 32. */
export const q4_k: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  const dmin = halfAt(bytes, at + 2)
  for (let group = 0; group < 8; group++) {
    const scale = d * scaleOf(bytes, at + 4, group)
    const minimum = dmin * minimumOf(bytes, at + 4, group)
    const from = at + 16 + (group >> 1) * 32
    const shift = (group & 1) * 4
    for (let i = 0; i < 32; i++) target[to + group * 32 + i] = scale * ((bytes[from + i]! >> shift) & 15) - minimum
  }
}

/** As q4_k, with 32 bytes of fifth bits before the 4-bit numbers, a bit plane for each group. */
export const q5_k: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  const dmin = halfAt(bytes, at + 2)
  for (let group = 0; group < 8; group++) {
    const scale = d * scaleOf(bytes, at + 4, group)
    const minimum = dmin * minimumOf(bytes, at + 4, group)
    const from = at + 48 + (group >> 1) * 32
    const shift = (group & 1) * 4
    for (let i = 0; i < 32; i++) {
      const number = ((bytes[from + i]! >> shift) & 15) | (((bytes[at + 16 + i]! >> group) & 1) << 4)
      target[to + group * 32 + i] = scale * number - minimum
    }
  }
}

/** 128 bytes of low 4 bits, 64 bytes of high 2 bits, 16 signed scales, d; q − 32 in groups of 16. */
export const q6_k: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at + 208)
  for (let group = 0; group < 16; group++) {
    const scale = Math.fround(d * signedAt(bytes, at + 192 + group))
    const half = group >> 3
    const quarter = (group >> 1) & 3 // of 32 elements, within the half
    const column = (group & 1) * 16
    const low = at + half * 64 + (quarter & 1) * 32 + column
    const high = at + 128 + half * 32 + column
    const lowShift = (quarter >> 1) * 4
    for (let i = 0; i < 16; i++) {
      const number = ((bytes[low + i]! >> lowShift) & 15) | (((bytes[high + i]! >> (quarter * 2)) & 3) << 4)
      target[to + group * 16 + i] = scale * (number - 32)
    }
  }
}
