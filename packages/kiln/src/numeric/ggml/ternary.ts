import { halfAt, type BlockReader } from './block.js'

const POWERS_OF_3 = [1, 3, 9, 27, 81]

/**
 * 240 elements in 48 bytes of five base-3 digits each, 16 in 4 bytes of four, and d: (digit − 1) · d. A byte is
 * its five digits as a fraction of 256, so a digit is moved to the front by a power of 3 (mod 256) and read by
 * one more multiplication. Bytes are taken in runs of 32, 16 and 4; a run's first digits come first.
 */
export const tq1_0: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at + 52)
  let next = to
  const run = (from: number, length: number, digits: number): void => {
    for (let digit = 0; digit < digits; digit++) {
      for (let i = 0; i < length; i++) {
        const front = (bytes[from + i]! * POWERS_OF_3[digit]!) & 255
        target[next++] = (((front * 3) >> 8) - 1) * d
      }
    }
  }
  run(at, 32, 5)
  run(at + 32, 16, 5)
  run(at + 48, 4, 4)
}

/** 64 bytes of 2-bit numbers, then d: (q − 1) · d. A byte has elements 32 apart. */
export const tq2_0: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at + 64)
  for (let i = 0; i < 256; i++) {
    const byte = bytes[at + (i >> 7) * 32 + (i & 31)]!
    target[to + i] = (((byte >> ((i >> 4) & 6)) & 3) - 1) * d
  }
}
