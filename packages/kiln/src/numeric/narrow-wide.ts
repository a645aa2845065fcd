import { littleEndian } from '../bytes/host.js'
import { viewOf } from '../bytes/view-of.js'
import { KilnError } from '../errors/kiln-error.js'
import type { DtypeName } from '../tensors/dtypes.js'
import { BLOCK } from './decode.js'
import { copyNumbers, type Numbers } from './number-input.js'
import type { NanPolicy, NarrowMode } from './rounding.js'
import { reverseWords } from './words.js'

const MAX_F32 = (2 - 2 ** -23) * 2 ** 127

/** Numbers as f32, f64, i64 or u64. */
export function narrowWide(
  values: Numbers,
  dtype: DtypeName,
  mode: NarrowMode,
  nan: NanPolicy,
  bytes: Uint8Array,
  firstIndex: number,
): void {
  const wide = dtype === 'f32' ? new Float32Array(Math.min(BLOCK, values.length)) : undefined
  const block = new Float64Array(Math.min(BLOCK, values.length))
  for (let first = 0; first < values.length; first += BLOCK) {
    const length = Math.min(BLOCK, values.length - first)
    copyNumbers(values, first, length, block)
    if (wide !== undefined) {
      wide.set(block.subarray(0, length))
      if (mode === 'saturate') saturate(wide, length, MAX_F32)
      putWords(wide, length, bytes.subarray(first * 4))
    } else if (dtype === 'f64') {
      if (mode === 'saturate') saturate(block, length, Number.MAX_VALUE)
      putWords(block, length, bytes.subarray(first * 8))
    } else {
      putInt64(block, length, dtype === 'i64', nan, bytes.subarray(first * 8), firstIndex + first)
    }
  }
}

function saturate(numbers: Float32Array | Float64Array, count: number, max: number): void {
  for (let i = 0; i < count; i++) {
    if (numbers[i] === Infinity) numbers[i] = max
    else if (numbers[i] === -Infinity) numbers[i] = -max
  }
}

function putWords(words: Float32Array | Float64Array, count: number, bytes: Uint8Array): void {
  const width = words.BYTES_PER_ELEMENT
  const own = new Uint8Array(words.buffer, 0, count * width)
  if (!littleEndian) reverseWords(own, width, count)
  bytes.set(own)
}

function putInt64(
  numbers: Float64Array,
  count: number,
  signed: boolean,
  nan: NanPolicy,
  bytes: Uint8Array,
  firstIndex: number,
): void {
  const view = viewOf(bytes)
  const least = signed ? -(2n ** 63n) : 0n
  const most = signed ? 2n ** 63n - 1n : 2n ** 64n - 1n
  for (let i = 0; i < count; i++) {
    const number = numbers[i]!
    let integer: bigint
    if (Number.isNaN(number)) {
      if (nan === 'refuse') {
        const detail = `${signed ? 'i64' : 'u64'} has no NaN; pass nan: 'zero' or 'max' to say what it becomes`
        throw new KilnError('TYPE', detail).within(firstIndex + i)
      }
      integer = nan === 'zero' ? 0n : most
    } else if (Math.abs(number) >= 2 ** 64) {
      integer = number < 0 ? least : most
    } else {
      // From 2^52 on every f64 is an integer.
      const exact = BigInt(Math.abs(number) < 2 ** 52 ? roundHalfToEven(number) : number)
      integer = exact < least ? least : exact > most ? most : exact
    }
    view.setBigUint64(i * 8, BigInt.asUintN(64, integer), true)
  }
}

function roundHalfToEven(number: number): number {
  const floor = Math.floor(number)
  const rest = number - floor
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor
}
