import type { FloatFormat } from './float-formats.js'
import { replaceNan, type NanPolicy, type NarrowMode } from './rounding.js'

/**
 * The bits of f32s that round to a narrower format just as the given f64s do. An f64 that f32 doesn't hold takes the
 * neighbour whose last bit is 1, on either side: it stays on its own side of every tie of the narrower format,
 * which a first rounding to the nearest might put it on.
 */
export function oddF32(values: Float64Array, singles: Float32Array): Uint32Array {
  const words = new Uint32Array(singles.buffer, singles.byteOffset, singles.length)
  singles.set(values)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const single = singles[i]!
    if (single === value || value !== value) continue
    words[i] = (Math.abs(single) > Math.abs(value) ? words[i]! - 1 : words[i]!) | 1
  }
  return words
}

/**
 * For each exponent of an f32, how its mantissa becomes a code: the code of the power of 2, the bit that a normal
 * number doesn't store but a subnormal of the format needs, and how many bits go.
 */
interface RoundingTables {
  readonly base: Int32Array
  readonly hidden: Int32Array
  readonly shift: Int32Array
}

const tables = new Map<FloatFormat, RoundingTables>()

function tablesOf(format: FloatFormat): RoundingTables {
  let made = tables.get(format)
  if (made !== undefined) return made
  made = { base: new Int32Array(256), hidden: new Int32Array(256), shift: new Int32Array(256) }
  const { mantissaBits, bias, max, maxCode } = format
  const least = 1 - bias
  const most = Math.floor(Math.log2(max))
  for (let field = 0; field < 256; field++) {
    const exponent = Math.max(field, 1) - 127
    if (exponent > most) {
      // Past the largest finite number, whatever the mantissa; all of it goes.
      made.base[field] = maxCode + 1
      made.shift[field] = 25
    } else if (exponent >= least) {
      // Exponent field 0 has no hidden bit; only bf16 has a place for it, among its own subnormals.
      made.base[field] = (field === 0 ? 0 : exponent + bias) * 2 ** mantissaBits
      made.shift[field] = 23 - mantissaBits
    } else {
      made.hidden[field] = field === 0 ? 0 : 2 ** 23
      // By 25 bits and more nothing is left of the 24, not even half.
      made.shift[field] = Math.min(23 - mantissaBits + least - exponent, 25)
    }
  }
  tables.set(format, made)
  return made
}

/** How numbers are rounded to a format. */
export interface FloatRounding {
  readonly format: FloatFormat
  readonly mode: NarrowMode
  readonly nan: NanPolicy
}

/**
 * Rounds f32s, given as their bits, to codes: the first `count` of `words` into `codes`, to the nearest and ties to
 * even. `firstIndex` is what the first is called in errors.
 */
export function encodeFloats(
  words: Uint32Array,
  count: number,
  codes: Uint16Array,
  { format, mode, nan }: FloatRounding,
  firstIndex: number,
): void {
  const { base, hidden, shift } = tablesOf(format)
  const { name, signBit, maxCode, nanCode } = format
  const over = mode === 'saturate' ? maxCode : format.overflowCode
  const signShift = 31 - Math.log2(signBit)
  // With one zero and one NaN, in the place of minus zero, neither takes a sign.
  const bare = format.special === 'fnuz'
  for (let i = 0; i < count; i++) {
    const word = words[i]!
    const field = (word >>> 23) & 0xff
    const stored = word & 0x7fffff
    if (field === 255 && stored !== 0) {
      codes[i] = nanCode ?? replaceNan(name, maxCode, nan, firstIndex + i)
      continue
    }
    const mantissa = stored | hidden[field]!
    const bits = shift[field]!
    // Half of what goes, less one, plus the last bit that stays: a carry just where rounding to even goes up.
    let code = base[field]! + ((mantissa + (1 << (bits - 1)) - 1 + ((mantissa >> bits) & 1)) >> bits)
    if (code > maxCode) code = over
    codes[i] = bare && (code === 0 || code === signBit) ? code : code | ((word >>> signShift) & signBit)
  }
}

/** As {@link encodeFloats}, for bf16 alone: its exponent is f32's, so one addition rounds all numbers. */
export function encodeBf16(words: Uint32Array, count: number, codes: Uint16Array, mode: NarrowMode): void {
  const saturate = mode === 'saturate'
  for (let i = 0; i < count; i++) {
    const word = words[i]!
    const code = (word + 0x7fff + ((word >>> 16) & 1)) >>> 16
    if ((word & 0x7fffffff) > 0x7f800000) codes[i] = 0x7fc0
    else codes[i] = saturate && (code & 0x7fff) === 0x7f80 ? code - 1 : code
  }
}

/** What stands in a table for a NaN that is refused; no code of a dtype without NaN. */
const REFUSED = 255

const codeTables = new Map<string, Uint8Array>()

/**
 * Codes of up to 8 bits for the upper half of an f32's bits, whose last bit also says whether anything but zeros
 * follows: with at most 3 bits of mantissa, that is all that rounding asks for.
 */
export function codeTable(rounding: FloatRounding): Uint8Array {
  const { format, mode, nan } = rounding
  const key = `${format.name} ${mode} ${nan}`
  let table = codeTables.get(key)
  if (table !== undefined) return table
  const words = Uint32Array.from({ length: 65_536 }, (_, upper) => upper * 65_536)
  const codes = new Uint16Array(65_536)
  encodeFloats(words, words.length, codes, nan === 'refuse' ? { ...rounding, nan: 'zero' } : rounding, 0)
  table = Uint8Array.from(codes)
  if (nan === 'refuse' && format.nanCode === undefined) {
    words.forEach((word, upper) => {
      if ((word & 0x7fffffff) > 0x7f800000) table![upper] = REFUSED
    })
  }
  codeTables.set(key, table)
  return table
}

/** As {@link encodeFloats}, by a table for the same rounding: a seventh of the time. */
export function encodeByTable(
  words: Uint32Array,
  count: number,
  codes: Uint8Array,
  table: Uint8Array,
  rounding: FloatRounding,
  firstIndex: number,
): void {
  let refused = 0
  for (let i = 0; i < count; i++) {
    const word = words[i]!
    const code = table[(word >>> 16) | (((word & 0xffff) + 0xffff) >>> 16)]!
    codes[i] = code
    if (code === REFUSED) refused++
  }
  // In a dtype with NaN that is just a code.
  if (refused > 0 && rounding.format.nanCode === undefined) {
    replaceNan(rounding.format.name, 0, 'refuse', firstIndex + codes.indexOf(REFUSED))
  }
}
