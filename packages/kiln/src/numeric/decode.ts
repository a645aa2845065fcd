import { littleEndian } from '../bytes/host.js'
import { KilnError } from '../errors/kiln-error.js'
import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { widenChecked, widenInt64, type Inexact } from './widen-integers.js'
import { widenByTable } from './widen-lookup.js'
import { isTabled } from './widen-tables.js'
import { eachWords, reverseWords } from './words.js'

/** Elements that are handled at a time where a copy in between is needed; a multiple of every dtype's block. */
export const BLOCK = 8192

/** Dtypes of which f32 does not hold every value. */
const WIDER_THAN_F32: ReadonlySet<DtypeName> = new Set<DtypeName>(['i32', 'u32', 'i64', 'u64', 'f64'])

/** Whether f32 holds every value of a dtype. */
export function fitsF32(dtype: DtypeName): boolean {
  return !WIDER_THAN_F32.has(dtype)
}

/**
 * Widens the first `count` elements of a payload to f32, into a target of exactly that length.
 * `firstIndex` is what the first element is called in errors.
 */
export function decodeF32(
  dtype: DtypeName,
  bytes: Uint8Array,
  count: number,
  target: Float32Array,
  inexact: Inexact,
  firstIndex = 0,
): void {
  if (isTabled(dtype)) {
    widenByTable(dtype, bytes, count, target)
    return
  }
  switch (dtype) {
    case 'bf16': return widenBf16(bytes, count, target)
    case 'f32': return copyWords(bytes, 4, count, target)
    case 'i32': return widenChecked(Int32Array, dtype, bytes, count, target, inexact, firstIndex)
    case 'u32': return widenChecked(Uint32Array, dtype, bytes, count, target, inexact, firstIndex)
    case 'f64': return widenChecked(Float64Array, dtype, bytes, count, target, inexact, firstIndex)
    case 'i64': return widenInt64(true, bytes, count, target, inexact, firstIndex)
    case 'u64': return widenInt64(false, bytes, count, target, inexact, firstIndex)
    default: return decodeSmallIntegers(dtype, bytes, count, target, firstIndex)
  }
}

/** As {@link decodeF32}, to f64. */
export function decodeF64(
  dtype: DtypeName,
  bytes: Uint8Array,
  count: number,
  target: Float64Array,
  inexact: Inexact,
  firstIndex = 0,
): void {
  switch (dtype) {
    case 'f64': return copyWords(bytes, 8, count, target)
    case 'f32': return eachWords(Float32Array, bytes, count, (values, first) => target.set(values, first))
    case 'i32': return eachWords(Int32Array, bytes, count, (values, first) => target.set(values, first))
    case 'u32': return eachWords(Uint32Array, bytes, count, (values, first) => target.set(values, first))
    case 'i64': return widenInt64(true, bytes, count, target, inexact, firstIndex)
    case 'u64': return widenInt64(false, bytes, count, target, inexact, firstIndex)
    default: return decodeByF32(dtype, bytes, count, target, firstIndex)
  }
}

// All the narrower dtypes: f32 holds them exactly, and the engine turns f32 into f64 in bulk.
function decodeByF32(
  dtype: DtypeName,
  bytes: Uint8Array,
  count: number,
  target: Float64Array,
  firstIndex: number,
): void {
  const bits = dtypeOf(dtype).blockBits
  const block = new Float32Array(Math.min(BLOCK, count))
  for (let first = 0; first < count; first += BLOCK) {
    const length = Math.min(BLOCK, count - first)
    const values = block.subarray(0, length)
    decodeF32(dtype, bytes.subarray((first * bits) / 8), length, values, 'refuse', firstIndex + first)
    target.set(values, first)
  }
}

function decodeSmallIntegers(
  dtype: DtypeName,
  bytes: Uint8Array,
  count: number,
  target: Float32Array,
  firstIndex: number,
): void {
  switch (dtype) {
    case 'u8': return target.set(bytes.subarray(0, count))
    case 'i8': return target.set(new Int8Array(bytes.buffer, bytes.byteOffset, count))
    case 'u16': return eachWords(Uint16Array, bytes, count, (values, first) => target.set(values, first))
    case 'i16': return eachWords(Int16Array, bytes, count, (values, first) => target.set(values, first))
    case 'bool': {
      // A directory's reader doesn't check these bytes (FORMAT §4), so this is where it shows.
      const wrong = firstOver1(bytes, count)
      if (wrong < count) throw new KilnError('TYPE', `a bool is 0 or 1, not ${bytes[wrong]}`).within(firstIndex + wrong)
      return target.set(bytes.subarray(0, count))
    }
    default: throw new KilnError('TYPE', whyNotNumbers(dtype))
  }
}

/** The index of the first byte over 1; `count` if there is none. A loop, since findIndex takes 30 times as long. */
function firstOver1(bytes: Uint8Array, count: number): number {
  let i = 0
  while (i < count && bytes[i]! <= 1) i++
  return i
}

function whyNotNumbers(dtype: DtypeName): string {
  return dtypeOf(dtype).foreign
    ? `${dtype} has no elements of its own to widen; use dequantize`
    : `${dtype} is complex; describe it as ${dtype === 'c64' ? 'f32' : 'f64'} with a last dimension of 2`
}

/** Refuses what can't be widened: complex numbers, and ggml's blocks, which dequantize takes. */
export function checkWidens(dtype: DtypeName): void {
  if (dtypeOf(dtype).foreign || dtype === 'c64' || dtype === 'c128') throw new KilnError('TYPE', whyNotNumbers(dtype))
}

/** f32 to f32 and f64 to f64: the bytes themselves, so that every NaN stays what it is. */
function copyWords(bytes: Uint8Array, width: number, count: number, target: Float32Array | Float64Array): void {
  const out = new Uint8Array(target.buffer, target.byteOffset, count * width)
  out.set(bytes.subarray(0, count * width))
  if (!littleEndian) reverseWords(out, width, count)
}

/**
 * The bits of a bf16 are the upper half of its f32's. On a little-endian host two bulk operations of the
 * engine put them there: 16-bit words are copied into 32-bit words, and all is moved up by two bytes;
 * 0.12 ns an element against 0.27 for the best loop (Node 20). `hostIsLittleEndian` is for tests.
 */
export function widenBf16(
  bytes: Uint8Array,
  count: number,
  target: Float32Array,
  hostIsLittleEndian: boolean = littleEndian,
): void {
  const words = new Uint32Array(target.buffer, target.byteOffset, count)
  const out = new Uint8Array(target.buffer, target.byteOffset, count * 4)
  eachWords(Uint16Array, bytes, count, (codes, firstOfPiece, length) => {
    if (!hostIsLittleEndian) {
      for (let i = 0; i < length; i++) words[firstOfPiece + i] = codes[i]! << 16
      return
    }
    for (let i = 0; i < length; i += BLOCK) {
      const piece = codes.subarray(i, Math.min(i + BLOCK, length))
      const start = (firstOfPiece + i) * 4
      words.set(piece, firstOfPiece + i)
      out.copyWithin(start + 2, start, start + piece.length * 4 - 2)
      out[start] = 0
      out[start + 1] = 0
    }
  })
}
