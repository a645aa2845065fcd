import { allocate } from '../bytes/allocate.js'
import { littleEndian, type OwnBytes } from '../bytes/host.js'
import { describe, toBytes, typedArrayName } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkOptions, wholeNumber } from '../limits/options.js'
import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { packCodes } from './codes.js'
import { BLOCK } from './decode.js'
import { floatFormatOf } from './float-formats.js'
import { narrowToF16 } from './narrow-f16.js'
import { narrowFloats } from './narrow-floats.js'
import { narrowWide } from './narrow-wide.js'
import { plainNumbers, copyNumbers, type Numbers } from './number-input.js'
import { checkNanPolicy, encoderOf, type NanPolicy, type NarrowMode } from './rounding.js'
import { reverseWords } from './words.js'

/** How `narrow` takes numbers that the dtype doesn't have, and where the payload goes. */
export interface NarrowOptions {
  /** What becomes of numbers past the largest finite one, and of infinities. There is no default: name it. */
  readonly mode: NarrowMode
  /** What a NaN becomes in a dtype without NaN (`e3m2`, `e2m3`, `e2m1` and integers). Default `refuse`. */
  readonly nan?: NanPolicy | undefined
  /** Bytes of the caller's to write the payload to the front of; a new Uint8Array if left out. */
  readonly target?: Uint8Array | undefined
  /** What the first number is called in errors, where numbers come part by part. Default 0. */
  readonly firstIndex?: number | undefined
}

function checkNarrowing(options: NarrowOptions | undefined): void {
  checkOptions(options)
  const { mode, nan = 'refuse', firstIndex }: { mode?: unknown; nan?: unknown; firstIndex?: unknown } = options ?? {}
  if (mode !== 'saturate' && mode !== 'overflow') {
    throw new KilnError('TYPE', `mode is 'saturate' or 'overflow', not ${describe(mode)}`)
  }
  checkNanPolicy(nan)
  wholeNumber(firstIndex, 'firstIndex', 0, 0)
}

function targetBytes(target: Uint8Array | undefined, byteLength: number, dtype: string): Uint8Array {
  if (target === undefined) return allocate(Uint8Array, byteLength)
  if (typedArrayName(target) !== 'Uint8Array' || target.length < byteLength) {
    throw new KilnError('TYPE', `the target is to be a Uint8Array of at least ${byteLength} bytes, for ${dtype}; got ${describe(target)}`)
  }
  return toBytes(target).subarray(0, byteLength)
}

/**
 * Numbers as the payload of a tensor of `dtype` (FORMAT §4, Dtypes): each rounded once, straight from the f64
 * or f32 given, to the nearest and ties to even. Zero keeps its sign where the dtype has two. Unused bits of
 * the last byte are 0.
 *
 * `mode` names what becomes of too large a number; integers saturate in both. A NaN stays one where the dtype
 * has NaN, else `nan` names what it becomes. `TYPE` for a NaN that is refused, with its index, and for `bool`,
 * complex and ggml dtypes.
 */
export function narrow(values: Numbers, dtype: DtypeName, options: NarrowOptions & { target?: undefined }): OwnBytes
export function narrow(values: Numbers, dtype: DtypeName, options: NarrowOptions): Uint8Array
export function narrow(given: Numbers, dtype: DtypeName, options: NarrowOptions): Uint8Array {
  checkNarrowing(options)
  const values = plainNumbers(given)
  const { mode, nan = 'refuse', firstIndex = 0 } = options
  const { blockBits: bits, foreign } = dtypeOf(dtype)
  if (foreign || dtype === 'bool' || dtype === 'c64' || dtype === 'c128') {
    throw new KilnError('TYPE', `numbers can't be narrowed to ${dtype}`)
  }
  const bytes = targetBytes(options.target, Math.ceil((values.length * bits) / 8), dtype)
  if (bits === 64 || dtype === 'f32') narrowWide(values, dtype, mode, nan, bytes, firstIndex)
  else if (dtype !== 'f16' || !narrowToF16(values, mode, bytes)) narrowCodes(values, dtype, options, bytes)
  return bytes
}

function narrowCodes(values: Numbers, dtype: DtypeName, options: NarrowOptions, bytes: Uint8Array): void {
  const { mode, nan = 'refuse', firstIndex = 0 } = options
  const bits = dtypeOf(dtype).blockBits
  const format = floatFormatOf(dtype)
  if (format !== undefined) {
    narrowFloats(values, format, { mode, nan, firstIndex }, (codes, first) => {
      putCodes(codes, bits, bytes.subarray((first * bits) / 8))
    })
    return
  }
  const encode = encoderOf(dtype, mode, nan)
  const block = new Float64Array(Math.min(BLOCK, values.length))
  const codes = new Uint32Array(block.length)
  for (let first = 0; first < values.length; first += BLOCK) {
    const length = Math.min(BLOCK, values.length - first)
    copyNumbers(values, first, length, block)
    encode(block, length, codes, firstIndex + first)
    putCodes(codes.subarray(0, length), bits, bytes.subarray((first * bits) / 8))
  }
}

/** Writes codes of 1 to 32 bits as a payload has them. */
function putCodes(codes: Uint8Array | Uint16Array | Uint32Array, bits: number, bytes: Uint8Array): void {
  if (bits === 8) return bytes.set(codes)
  if (bits < 8) return packCodes(codes instanceof Uint8Array ? codes : new Uint8Array(codes), bits, codes.length, bytes)
  // As words of this host in memory of their own, since the payload may lie at an odd place; then as bytes.
  const words = bits === 16 ? new Uint16Array(codes) : new Uint32Array(codes)
  const own = new Uint8Array(words.buffer)
  if (!littleEndian) reverseWords(own, bits / 8, codes.length)
  bytes.set(own)
}

/**
 * The code of one number in a dtype of up to 16 bits: an element's bits as they are stored. The rules are
 * those of {@link narrow}.
 */
export function codeOf(dtype: DtypeName, value: number, options: NarrowOptions): number {
  if (dtypeOf(dtype).blockBits > 16) throw new KilnError('TYPE', `${dtype} has no codes of up to 16 bits; use narrow`)
  const bytes = narrow([value], dtype, { ...options, target: undefined })
  return bytes[0]! + (bytes[1] ?? 0) * 256
}
