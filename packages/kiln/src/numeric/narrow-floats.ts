import { BLOCK } from './decode.js'
import type { FloatFormat } from './float-formats.js'
import { codeTable, encodeBf16, encodeByTable, encodeFloats, oddF32, type FloatRounding } from './float-rounding.js'
import { copyNumbers, type Numbers } from './number-input.js'
import type { NanPolicy, NarrowMode } from './rounding.js'

// A table takes half a millisecond to make.
const TABLE_FROM = 4096

/** Gets codes and the index of the first; the array is used again. */
type PutCodes = (codes: Uint8Array | Uint16Array, first: number) => void

/** Narrows numbers to a float format of up to 16 bits, block by block. */
export function narrowFloats(
  values: Numbers,
  format: FloatFormat,
  options: { readonly mode: NarrowMode; readonly nan: NanPolicy; readonly firstIndex: number },
  put: PutCodes,
): void {
  const { mode, nan, firstIndex } = options
  const rounding: FloatRounding = { format, mode, nan }
  const length = Math.min(BLOCK, values.length)
  const table = format.signBit <= 128 && values.length >= TABLE_FROM ? codeTable(rounding) : undefined
  const codes = new Uint16Array(length)
  const narrowCodes = new Uint8Array(table === undefined ? 0 : length)
  const doubles = new Float64Array(values instanceof Float32Array ? 0 : length)
  const singles = new Float32Array(doubles.length)
  for (let first = 0; first < values.length; first += BLOCK) {
    const count = Math.min(BLOCK, values.length - first)
    const words = wordsOf(values, first, count, doubles, singles)
    if (table !== undefined) {
      encodeByTable(words, count, narrowCodes, table, rounding, firstIndex + first)
      put(narrowCodes.subarray(0, count), first)
    } else {
      if (format.name === 'bf16') encodeBf16(words, count, codes, mode)
      else encodeFloats(words, count, codes, rounding, firstIndex + first)
      put(codes.subarray(0, count), first)
    }
  }
}

/** The f32 bits that numbers are rounded from: their own, or those that stand for f64s. */
function wordsOf(
  values: Numbers,
  first: number,
  count: number,
  doubles: Float64Array,
  singles: Float32Array,
): Uint32Array {
  if (values instanceof Float32Array) return new Uint32Array(values.buffer, values.byteOffset + first * 4, count)
  copyNumbers(values, first, count, doubles)
  return oddF32(doubles.subarray(0, count), singles)
}
