import { halfAt, signedAt, type BlockReader } from './block.js'

// Blocks of 32 elements with an f16 scale d, and in the _1 types an f16 minimum m. A byte of 4-bit numbers
// holds element i in its low half and element i + 16 in its high half.

/** d, then 16 bytes: (q − 8) · d. */
export const q4_0: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 2 + i]!
    target[to + i] = ((pair & 15) - 8) * d
    target[to + 16 + i] = ((pair >> 4) - 8) * d
  }
}

/** d, m, then 16 bytes: q · d + m. */
export const q4_1: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  const m = halfAt(bytes, at + 2)
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 4 + i]!
    target[to + i] = (pair & 15) * d + m
    target[to + 16 + i] = (pair >> 4) * d + m
  }
}

/** Bit `i` of the bits from byte `at` on, as 0 or 16: the fifth bit of a number. */
function fifthBit(bytes: Uint8Array, at: number, i: number): number {
  return ((bytes[at + (i >> 3)]! >> (i & 7)) & 1) << 4
}

/** d, 32 fifth bits, then 16 bytes: (q − 16) · d. */
export const q5_0: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 6 + i]!
    target[to + i] = ((pair & 15) + fifthBit(bytes, at + 2, i) - 16) * d
    target[to + 16 + i] = ((pair >> 4) + fifthBit(bytes, at + 2, i + 16) - 16) * d
  }
}

/** d, m, 32 fifth bits, then 16 bytes: q · d + m. */
export const q5_1: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  const m = halfAt(bytes, at + 2)
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 8 + i]!
    target[to + i] = ((pair & 15) + fifthBit(bytes, at + 4, i)) * d + m
    target[to + 16 + i] = ((pair >> 4) + fifthBit(bytes, at + 4, i + 16)) * d + m
  }
}

/** d, then 32 signed bytes: q · d. */
export const q8_0: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  for (let i = 0; i < 32; i++) target[to + i] = signedAt(bytes, at + 2 + i) * d
}
