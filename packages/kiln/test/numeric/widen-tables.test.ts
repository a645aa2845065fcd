import { expect, test } from 'vitest'
import type { DtypeName } from 'kiln-format'
import { f32BitsOfCodes, f32PairsOfCodes, isTabled, makePairs, makeTable } from '../../src/numeric/widen-tables.js'
import { codeBits, isNanCode, slowNumber } from './slow-codes.js'

const SMALL = [
  'f8e4m3', 'f8e5m2', 'f8e4m3fnuz', 'f8e5m2fnuz', 'e8m0', 'e3m2', 'e2m3', 'e2m1', 'u4', 'i4', 'u2', 'i2', 'u1',
] as const

/** The bits that IEEE 754 gives a number as binary32. */
function bitsOf(number: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, number)
  return view.getUint32(0)
}

test.each(SMALL)('a table of %s made anew has the bits of every number', (dtype) => {
  const table = new Uint32Array(makeTable(dtype).buffer)
  expect(table.length).toBe(2 ** codeBits[dtype]!)
  const numbers = Array.from(table.keys()).filter((code) => !isNanCode(dtype, code))
  expect(numbers.map((code) => table[code])).toEqual(numbers.map((code) => bitsOf(slowNumber(dtype, code))))
})

// Sign, eight ones, and the mantissa's bits at the upper end of the 23; a quiet NaN where there is no mantissa to keep.
test.each([
  ['f8e5m2', 0x7d, 0x7fa00000], ['f8e5m2', 0x7e, 0x7fc00000], ['f8e5m2', 0x7f, 0x7fe00000],
  ['f8e5m2', 0xfd, 0xffa00000], ['f8e5m2', 0xff, 0xffe00000], ['f8e4m3', 0x7f, 0x7fc00000],
  ['f8e4m3', 0xff, 0xffc00000],
  ['f8e4m3fnuz', 0x80, 0x7fc00000], ['f8e5m2fnuz', 0x80, 0x7fc00000], ['e8m0', 0xff, 0x7fc00000],
] as const)('the NaN of %s with code %i', (dtype, code, bits) => {
  expect(new Uint32Array(makeTable(dtype).buffer)[code]).toBe(bits)
})

test("f16's table has infinities, subnormals, and NaNs with their payloads", () => {
  const table = new Uint32Array(makeTable('f16').buffer)
  const codes = [0x0000, 0x8000, 0x0001, 0x3c00, 0xc000, 0x7bff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfc01, 0xffff]
  expect(codes.map((code) => table[code])).toEqual([
    0, 0x80000000, 0x33800000, 0x3f800000, 0xc0000000, 0x477fe000, 0x7f800000, 0xff800000,
    0x7f802000, 0x7fc00000, 0xff802000, 0xffffe000,
  ])
})

test('a pair has its first element in the low bits of its index, and first in memory', () => {
  const pairs = new Int32Array(makePairs(Int32Array.of(10, 20, 30)).buffer)
  expect([...pairs]).toEqual([10, 10, 20, 10, 30, 10, 10, 20, 20, 20, 30, 20, 10, 30, 20, 30, 30, 30])
})

test('tables are made once', () => {
  expect(f32BitsOfCodes('u2')).toBe(f32BitsOfCodes('u2'))
  expect(f32PairsOfCodes('u2')).toBe(f32PairsOfCodes('u2'))
  // 1 in the low half, 3 in the high one.
  expect([...new Float32Array(f32PairsOfCodes('u2').buffer, (1 + 3 * 4) * 8, 2)]).toEqual([1, 3])
})

test('which dtypes have a table', () => {
  const tabled: DtypeName[] = ['f16', ...SMALL]
  expect(tabled.filter((dtype) => !isTabled(dtype))).toEqual([])
  expect((['bf16', 'f32', 'f64', 'u8', 'i8', 'u16', 'bool', 'c64', 'ggml_q8_0'] as const).filter(isTabled)).toEqual([])
})
