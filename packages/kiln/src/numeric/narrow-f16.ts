import { littleEndian } from '../bytes/host.js'
import { BLOCK } from './decode.js'
import { hostFloat16Array } from './float16-array.js'
import type { Numbers } from './number-input.js'
import type { NarrowMode } from './rounding.js'

const MAX = 0x7bff
const INFINITY = 0x7c00
const NAN = 0x7e00

/**
 * Narrows to f16 by the host's Float16Array, which rounds as Kiln does: once, from the f64, ties to even. What
 * it leaves open or does otherwise is set right after: which NaN, and saturation. False where the host has
 * none, and for numbers that are not in a float array; nothing is written then.
 */
export function narrowToF16(values: Numbers, mode: NarrowMode, bytes: Uint8Array): boolean {
  const Type = hostFloat16Array()
  if (Type === undefined || !littleEndian) return false
  if (!(values instanceof Float32Array || values instanceof Float64Array)) return false
  const codes = new Uint16Array(Math.min(BLOCK, values.length))
  for (let first = 0; first < values.length; first += BLOCK) {
    const length = Math.min(BLOCK, values.length - first)
    new Type(codes.buffer, 0, length).set(values.subarray(first, first + length))
    settle(codes, length, mode)
    bytes.set(new Uint8Array(codes.buffer, 0, length * 2), first * 2)
  }
  return true
}

function settle(codes: Uint16Array, count: number, mode: NarrowMode): void {
  for (let i = 0; i < count; i++) {
    const code = codes[i]!
    const magnitude = code & 0x7fff
    if (magnitude < INFINITY) continue
    if (magnitude > INFINITY) codes[i] = NAN
    else if (mode === 'saturate') codes[i] = (code & 0x8000) | MAX
  }
}
