import { littleEndian } from '../bytes/host.js'
import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { DtypeName } from '../tensors/dtypes.js'
import { integerRange } from './code-values.js'

/**
 * What becomes of a number that rounds past the largest finite one, and of an infinity. `saturate`: the largest
 * finite number of its sign. `overflow`: infinity, or NaN where the dtype has no infinity; a dtype with neither
 * saturates.
 */
export type NarrowMode = 'saturate' | 'overflow'

/** What a NaN becomes in a dtype that has none; `refuse` is `TYPE` with the element's index. */
export type NanPolicy = 'refuse' | 'zero' | 'max'

/** Checks a choice that a caller without types may have misspelt. */
export function checkNanPolicy(nan: unknown): void {
  if (nan !== 'refuse' && nan !== 'zero' && nan !== 'max') {
    throw new KilnError('TYPE', `nan is 'refuse', 'zero' or 'max', not ${describe(nan)}`)
  }
}

/** The code for a NaN where the dtype has none. */
export function replaceNan(dtype: string, maxCode: number, nan: NanPolicy, index: number): number {
  if (nan === 'refuse') {
    throw new KilnError('TYPE', `${dtype} has no NaN; pass nan: 'zero' or 'max' to say what it becomes`).within(index)
  }
  return nan === 'zero' ? 0 : maxCode
}

/**
 * Rounds numbers to the codes of one dtype: the first `count` of `values` into `codes`. `firstIndex` is what the
 * first is called in errors.
 */
export type Encoder = (values: Float64Array, count: number, codes: Uint32Array, firstIndex: number) => void

/** The encoder for e8m0 and for integers of up to 32 bits; `TYPE` for dtypes that numbers can't be narrowed to. */
export function encoderOf(dtype: DtypeName, mode: NarrowMode, nan: NanPolicy): Encoder {
  if (dtype === 'e8m0') return (values, count, codes) => encodeE8m0(values, count, codes, mode)
  const range = integerRange(dtype)
  if (range === undefined) throw new KilnError('TYPE', `numbers can't be narrowed to ${dtype}`)
  return integerEncoder(dtype, range[0], range[1], nan)
}

// The words of an f64 in memory.
const HIGH = littleEndian ? 1 : 0

/** The nearest power of 2; between two the upper, since neither is the even one without a mantissa. */
function encodeE8m0(values: Float64Array, count: number, codes: Uint32Array, mode: NarrowMode): void {
  const words = new Uint32Array(values.buffer, values.byteOffset, count * 2)
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (value > 0) {
      const high = words[2 * i + HIGH]!
      const exponent = (high >>> 20) - 1023 + ((high >>> 19) & 1)
      codes[i] = exponent > 127 ? (mode === 'saturate' ? 254 : 255) : Math.max(exponent + 127, 0)
    } else {
      codes[i] = value <= 0 && mode === 'saturate' ? 0 : 255
    }
  }
}

/** To the nearest integer, ties to even; past the range, the least or the greatest in both modes. */
function integerEncoder(dtype: string, least: number, most: number, nan: NanPolicy): Encoder {
  const mask = most - least
  // From 2^52 to 2^53 the f64s are the integers, so the processor rounds a sum to one; half as much again keeps
  // negative numbers in that range.
  const quanta = 1.5 * 2 ** 52
  return (values, count, codes, firstIndex) => {
    for (let i = 0; i < count; i++) {
      const value = values[i]!
      if (value !== value) {
        codes[i] = replaceNan(dtype, most, nan, firstIndex + i)
        continue
      }
      const rounded = (value < least ? least : value > most ? most : value) + quanta - quanta
      codes[i] = rounded & mask // two's complement
    }
  }
}
