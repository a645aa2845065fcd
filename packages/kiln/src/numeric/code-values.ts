import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { floatFormatOf, floatOfCode } from './float-formats.js'

/** Dtypes of integers, and their least and greatest value. */
const INTEGER_RANGES: Readonly<Record<string, readonly [number, number]>> = {
  u1: [0, 1],
  u2: [0, 3],
  i2: [-2, 1],
  u4: [0, 15],
  i4: [-8, 7],
  u8: [0, 255],
  i8: [-128, 127],
  u16: [0, 65_535],
  i16: [-32_768, 32_767],
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
}

/** The least and greatest value of an integer dtype of up to 32 bits, or undefined for any other dtype. */
export function integerRange(dtype: string): readonly [number, number] | undefined {
  return Object.hasOwn(INTEGER_RANGES, dtype) ? INTEGER_RANGES[dtype] : undefined
}

/**
 * The number that a code of a dtype of up to 16 bits stands for: an element's bits as they are stored, so
 * that −1 is 15 in `i4`. `TYPE` for wider and for foreign dtypes, for a number that is no code of the dtype,
 * and for a `bool` over 1.
 */
export function numberOf(dtype: DtypeName, code: number): number {
  const { blockBits: bits, foreign } = dtypeOf(dtype)
  if (foreign || bits > 16) {
    throw new KilnError('TYPE', `${dtype} has no codes of up to 16 bits; use numbersOf(tensor).at(i)`)
  }
  if (!Number.isInteger(code) || code < 0 || code >= 2 ** bits) {
    throw new KilnError('TYPE', `${describe(code)} is no code of ${dtype}, which go from 0 to ${2 ** bits - 1}`)
  }
  const format = floatFormatOf(dtype)
  if (format !== undefined) return floatOfCode(format, code)
  if (dtype === 'e8m0') return code === 255 ? NaN : 2 ** (code - 127)
  if (dtype === 'bool') {
    if (code > 1) throw new KilnError('TYPE', `a bool is 0 or 1, not ${code}`)
    return code
  }
  const [, most] = INTEGER_RANGES[dtype]!
  return code > most ? code - 2 ** bits : code
}
