/**
 * The floating-point dtypes that Kiln widens and narrows by itself, as their definitions have them: sign, then
 * exponent, then mantissa, with subnormals where the exponent is 0.
 *
 * `special` says which codes are no finite numbers:
 * - `ieee`: the highest exponent is infinity (mantissa 0) and NaN, as in IEEE 754 (OCP 8-bit FP: E5M2).
 * - `last`: only exponent and mantissa of all ones are NaN, and there is no infinity (OCP 8-bit FP: E4M3).
 * - `fnuz`: only the code of minus zero is NaN; no infinity, one zero.
 * - `none`: every code is a finite number (OCP MX: E3M2, E2M3, E2M1).
 */
const ROWS = [
  ['f16', 5, 10, 15, 'ieee'],
  ['bf16', 8, 7, 127, 'ieee'],
  ['f8e4m3', 4, 3, 7, 'last'],
  ['f8e5m2', 5, 2, 15, 'ieee'],
  ['f8e4m3fnuz', 4, 3, 8, 'fnuz'],
  ['f8e5m2fnuz', 5, 2, 16, 'fnuz'],
  ['e3m2', 3, 2, 3, 'none'],
  ['e2m3', 2, 3, 1, 'none'],
  ['e2m1', 2, 1, 1, 'none'],
] as const

/** A floating-point dtype with a sign, narrower than f32. */
export type FloatName = (typeof ROWS)[number][0]

/** What rounding and reading ask of a format. */
export interface FloatFormat {
  readonly name: FloatName
  readonly exponentBits: number
  readonly mantissaBits: number
  readonly bias: number
  readonly special: 'ieee' | 'last' | 'fnuz' | 'none'
  /** The code's sign bit, as a number. */
  readonly signBit: number
  /** The code of the largest finite number. */
  readonly maxCode: number
  /** The largest finite number. */
  readonly max: number
  /** The least positive number that is not subnormal. */
  readonly minNormal: number
  /** What `overflow` makes of a number past `max`, without sign: infinity, or NaN; with neither, `maxCode`. */
  readonly overflowCode: number
  /** A NaN, or undefined where the dtype has none. */
  readonly nanCode: number | undefined
}

const formats = new Map<string, FloatFormat>()
for (const [name, exponentBits, mantissaBits, bias, special] of ROWS) {
  const signBit = 2 ** (exponentBits + mantissaBits)
  const infinityCode = signBit - 2 ** mantissaBits
  const maxCode = special === 'ieee' ? infinityCode - 1 : special === 'last' ? signBit - 2 : signBit - 1
  const nanCode = {
    ieee: infinityCode + 2 ** (mantissaBits - 1), // quiet
    last: signBit - 1,
    fnuz: signBit,
    none: undefined,
  }[special]
  const mantissa = (2 ** mantissaBits + (maxCode % 2 ** mantissaBits)) / 2 ** mantissaBits
  formats.set(name, Object.freeze({
    name, exponentBits, mantissaBits, bias, special, signBit, maxCode, nanCode,
    max: mantissa * 2 ** (Math.floor(maxCode / 2 ** mantissaBits) - bias),
    minNormal: 2 ** (1 - bias),
    overflowCode: special === 'ieee' ? infinityCode : (nanCode ?? maxCode),
  }))
}

/** The floating-point format of a dtype, or undefined for dtypes that are none of the table's. */
export function floatFormatOf(dtype: string): FloatFormat | undefined {
  return formats.get(dtype)
}

/** The number that a code stands for. `code` is less than twice `signBit`. */
export function floatOfCode(format: FloatFormat, code: number): number {
  const { signBit, mantissaBits, bias, special, maxCode } = format
  const magnitude = code % signBit
  if (special === 'fnuz' && code === signBit) return NaN
  if (magnitude > maxCode) {
    if (special !== 'ieee' || magnitude > format.overflowCode) return NaN
    return code < signBit ? Infinity : -Infinity
  }
  const exponent = Math.floor(magnitude / 2 ** mantissaBits)
  const mantissa = magnitude % 2 ** mantissaBits
  const value = exponent === 0
    ? mantissa * 2 ** (1 - bias - mantissaBits)
    : (2 ** mantissaBits + mantissa) * 2 ** (exponent - bias - mantissaBits)
  return code < signBit ? value : -value
}
