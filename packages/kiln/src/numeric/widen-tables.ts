import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { numberOf } from './code-values.js'
import { floatFormatOf } from './float-formats.js'

/** Dtypes that are widened by a table of all their codes; all but f16 lie in bytes or parts of a byte. */
const TABLED: ReadonlySet<DtypeName> = new Set<DtypeName>([
  'f16', 'f8e4m3', 'f8e5m2', 'f8e4m3fnuz', 'f8e5m2fnuz', 'e8m0', 'e3m2', 'e2m3', 'e2m1', 'u4', 'i4', 'u2', 'i2', 'u1',
])

/** Whether a dtype is widened by a table. */
export function isTabled(dtype: DtypeName): boolean {
  return TABLED.has(dtype)
}

const singles = new Map<DtypeName, Int32Array>()
const pairs = new Map<DtypeName, Float64Array>()

/**
 * The bits of the f32 of every code. They are moved as integers, so that a NaN keeps its sign and payload:
 * a JavaScript engine may change those of a NaN that passes as a number.
 */
export function f32BitsOfCodes(dtype: DtypeName): Int32Array {
  let table = singles.get(dtype)
  if (table === undefined) {
    table = makeTable(dtype)
    singles.set(dtype, table)
  }
  return table
}

/** Makes a table that {@link f32BitsOfCodes} keeps. */
export function makeTable(dtype: DtypeName): Int32Array {
  const codes = 2 ** dtypeOf(dtype).blockBits
  const values = new Float32Array(codes)
  const table = new Int32Array(values.buffer)
  const format = floatFormatOf(dtype)
  for (let code = 0; code < codes; code++) {
    values[code] = numberOf(dtype, code)
    if (!Number.isNaN(values[code])) continue
    const negative = format !== undefined && format.special !== 'fnuz' && code >= format.signBit
    const ieee = format?.special === 'ieee'
    const payload = ieee ? (code % 2 ** format.mantissaBits) << (23 - format.mantissaBits) : 0x400000
    table[code] = (negative ? -0x80000000 : 0) | 0x7f800000 | payload
  }
  return table
}

/**
 * The f32s of two neighbouring elements as one f64, for every pair of codes: half the loads and stores.
 * An entry's index is the two codes, the first in the low bits. For dtypes of less than 8 bits, which have neither
 * infinity nor NaN: so no entry is a NaN as an f64, which an engine might change.
 */
export function f32PairsOfCodes(dtype: DtypeName): Float64Array {
  let table = pairs.get(dtype)
  if (table === undefined) {
    table = makePairs(f32BitsOfCodes(dtype))
    pairs.set(dtype, table)
  }
  return table
}

/** Makes a table that {@link f32PairsOfCodes} keeps. */
export function makePairs(single: Int32Array): Float64Array {
  const codes = single.length
  const table = new Float64Array(codes * codes)
  const halves = new Int32Array(table.buffer)
  for (let high = 0; high < codes; high++) {
    for (let low = 0; low < codes; low++) {
      const at = 2 * (high * codes + low)
      halves[at] = single[low]!
      halves[at + 1] = single[high]!
    }
  }
  return table
}
