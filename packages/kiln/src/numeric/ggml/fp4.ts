import { f32BitsOfCodes } from '../widen-tables.js'
import type { BlockReader } from './block.js'

// Twice the value of each e2m1 code, so that all are integers; ggml takes −0 (code 8) as +0.
const TWICE_E2M1 = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12]

/** A byte e for the scale 2^(e − 127), of which ggml knows no NaN, then 16 bytes: elements i and i + 16. */
export const mxfp4: BlockReader = (bytes, at, target, to) => {
  const half = 2 ** (bytes[at]! - 128)
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 1 + i]!
    target[to + i] = TWICE_E2M1[pair & 15]! * half
    target[to + 16 + i] = TWICE_E2M1[pair >> 4]! * half
  }
}

let scales: Float32Array | undefined

// The scale's byte is an e4m3 without sign: bit 7 is passed over but for 80, and 7F is 0 where the dtype of
// this name has NaN. So FF is (1 + 7/8) * 2^8.
function nvfp4Scale(byte: number): number {
  scales ??= new Float32Array(f32BitsOfCodes('f8e4m3').buffer)
  if (byte === 0x7f) return 0
  return byte === 0xff ? 480 : scales[byte & 0x7f]!
}

/** Four scales, one for 16 elements each, then 32 bytes; in a group's 8 bytes elements i and i + 8. */
export const nvfp4: BlockReader = (bytes, at, target, to) => {
  for (let group = 0; group < 4; group++) {
    const half = nvfp4Scale(bytes[at + group]!) / 2
    for (let i = 0; i < 8; i++) {
      const pair = bytes[at + 4 + group * 8 + i]!
      target[to + group * 16 + i] = TWICE_E2M1[pair & 15]! * half
      target[to + group * 16 + 8 + i] = TWICE_E2M1[pair >> 4]! * half
    }
  }
}
