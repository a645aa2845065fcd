import { littleEndian } from '../bytes/host.js'
import { KilnError } from '../errors/kiln-error.js'
import type { DtypeName } from '../tensors/dtypes.js'
import { integerRange } from './code-values.js'
import { floatFormatOf, type FloatFormat } from './float-formats.js'

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
    throw new KilnError('TYPE', `nan is 'refuse', 'zero' or 'max', not ${String(nan)}`)
  }
}

/**
 * Rounds numbers to the codes of one dtype of up to 32 bits: the first `count` of `values` into `codes`.
 * `firstIndex` is what the first is called in errors.
 */
export type Encoder = (values: Float64Array, count: number, codes: Uint32Array, firstIndex: number) => void

/** The encoder for a dtype of floats of up to 16 bits, of e8m0, or of integers of up to 32 bits. */
export function encoderOf(dtype: DtypeName, mode: NarrowMode, nan: NanPolicy): Encoder {
  const format = floatFormatOf(dtype)
  if (format !== undefined) return floatEncoder(format, mode, nan)
  if (dtype === 'e8m0') return (values, count, codes) => encodeE8m0(values, count, codes, mode)
  const range = integerRange(dtype)
  if (range === undefined) throw new KilnError('TYPE', `numbers can't be narrowed to ${dtype}`)
  return integerEncoder(dtype, range[0], range[1], nan)
}

/** The code for a NaN where the dtype has none. */
function replaceNan(dtype: string, maxCode: number, nan: NanPolicy, index: number): number {
  if (nan === 'refuse') {
    throw new KilnError('TYPE', `${dtype} has no NaN; pass nan: 'zero' or 'max' to say what it becomes`).within(index)
  }
  return nan === 'zero' ? 0 : maxCode
}

// The words of an f64 in memory.
const HIGH = littleEndian ? 1 : 0

/**
 * One rounding, from the f64 straight to the format. Between two powers of 2 the format's numbers are a fixed
 * quantum apart (below the least normal one the subnormals' quantum). Adding 2^52 quanta to a number makes the
 * processor round it to whole quanta, to the nearest and ties to even; taking them off again leaves the
 * rounded number, and dividing by the quantum (a power of 2) its place among the codes. What is needed for
 * each of the f64's 2,048 exponents is in three tables.
 */
interface RoundingTables {
  readonly magic: Float64Array
  readonly inverse: Float64Array
  readonly base: Float64Array
}

const tables = new Map<FloatFormat, RoundingTables>()

function tablesOf(format: FloatFormat): RoundingTables {
  let made = tables.get(format)
  if (made !== undefined) return made
  made = { magic: new Float64Array(2048), inverse: new Float64Array(2048), base: new Float64Array(2048) }
  const { mantissaBits, bias, max } = format
  const least = 1 - bias
  const most = Math.floor(Math.log2(max))
  for (let field = 0; field < 2048; field++) {
    const exponent = Math.max(field - 1023, least)
    const beyond = exponent > most + 1
    made.magic[field] = beyond ? 0 : 2 ** (52 + exponent - mantissaBits)
    made.inverse[field] = beyond ? 1 : 2 ** (mantissaBits - exponent)
    // Past the range by more than a rounding: any number, infinity too, plus this is over every code.
    made.base[field] = beyond ? Infinity : (exponent - least) * 2 ** mantissaBits
  }
  tables.set(format, made)
  return made
}

function floatEncoder(format: FloatFormat, mode: NarrowMode, nan: NanPolicy): Encoder {
  const { magic, inverse, base } = tablesOf(format)
  const { name, signBit, maxCode, nanCode } = format
  const over = mode === 'saturate' ? maxCode : format.overflowCode
  // With one zero and one NaN, in the place of minus zero, neither takes a sign.
  const bare = format.special === 'fnuz'
  return (values, count, codes, firstIndex) => {
    const words = new Uint32Array(values.buffer, values.byteOffset, count * 2)
    for (let i = 0; i < count; i++) {
      const value = values[i]!
      if (value !== value) {
        codes[i] = nanCode ?? replaceNan(name, maxCode, nan, firstIndex + i)
        continue
      }
      const high = words[2 * i + HIGH]!
      const field = (high >>> 20) & 0x7ff
      const quanta = magic[field]!
      let code = (Math.abs(value) + quanta - quanta) * inverse[field]! + base[field]!
      if (code > maxCode) code = over
      codes[i] = high >>> 31 === 1 && !(bare && (code === 0 || code === signBit)) ? code + signBit : code
    }
  }
}

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
  const codesInAll = most - least + 1
  // As for floats, with a quantum of 1; half as much again, so that negative numbers stay above 2^52.
  const quanta = 1.5 * 2 ** 52
  return (values, count, codes, firstIndex) => {
    for (let i = 0; i < count; i++) {
      const value = values[i]!
      if (value !== value) {
        codes[i] = replaceNan(dtype, most, nan, firstIndex + i)
        continue
      }
      const rounded = Math.min(Math.max(value, least), most) + quanta - quanta
      codes[i] = rounded < 0 ? rounded + codesInAll : rounded
    }
  }
}
