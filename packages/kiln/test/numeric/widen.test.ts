import { expect, test } from 'vitest'
import type { DtypeName } from 'kiln-format'
import { numberOf, numbersOf, widen } from 'kiln-format/numeric'
import { widenBf16 } from '../../src/numeric/decode.js'
import { eachWords } from '../../src/numeric/words.js'
import { codeBits, elementsOf, slowNumber } from './slow-codes.js'
import { refuses } from './refuses.js'

const CODED = Object.keys(codeBits).filter((dtype) => dtype !== 'f32') as DtypeName[]

/** Whether two numbers are the same, the sign of zero included, or both NaN: `Object.is` over whole arrays. */
function differences(got: ArrayLike<number>, want: ArrayLike<number>): string[] {
  const found: string[] = []
  for (let i = 0; i < Math.max(got.length, want.length); i++) {
    if (!Object.is(got[i], want[i])) found.push(`[${i}] is ${got[i]}, not ${want[i]}`)
  }
  return found
}

test.each(CODED)('every code of %s is the number that its definition says', (dtype) => {
  const bits = codeBits[dtype]!
  const codes = Array.from({ length: 2 ** bits }, (_, code) => code)
  const want = codes.map((code) => slowNumber(dtype, code))
  const tensor = { dtype, shape: [codes.length], bytes: elementsOf(codes, bits) }
  expect(differences(widen(tensor), want)).toEqual([])
  expect(differences(widen(tensor, 'f64'), want)).toEqual([])
  expect(differences(codes.map((code) => numberOf(dtype, code)), want)).toEqual([])
  const access = numbersOf(tensor)
  expect(access.length).toBe(codes.length)
  expect(differences(codes.map((_, i) => access.at(i)), want)).toEqual([])
})

// What the tables of other projects got wrong: a few numbers that everybody can check on paper.
test.each([
  ['f16', 0x0001, 2 ** -24], ['f16', 0x03ff, 1023 * 2 ** -24], ['f16', 0x7bff, 65504], ['f16', 0x8001, -(2 ** -24)],
  ['bf16', 0x3f81, 1.0078125], ['bf16', 0x0001, 2 ** -133], ['bf16', 0xff80, -Infinity],
  ['f8e4m3', 0x7e, 448], ['f8e4m3', 0x7f, NaN], ['f8e4m3', 0xff, NaN], ['f8e4m3', 0x01, 2 ** -9], ['f8e4m3', 0x80, -0],
  ['f8e5m2', 0x7b, 57344], ['f8e5m2', 0x7c, Infinity], ['f8e5m2', 0x7d, NaN],
  ['f8e4m3fnuz', 0x7f, 240], ['f8e4m3fnuz', 0x80, NaN], ['f8e5m2fnuz', 0x7f, 57344],
  ['e8m0', 0x7f, 1], ['e8m0', 0x00, 2 ** -127], ['e8m0', 0xfe, 2 ** 127], ['e8m0', 0xff, NaN],
  ['e3m2', 0x1f, 28], ['e2m3', 0x1f, 7.5], ['e2m1', 0x07, 6], ['e2m1', 0x08, -0], ['e2m1', 0x01, 0.5],
  ['i4', 15, -1], ['i4', 8, -8], ['u4', 15, 15], ['i2', 2, -2], ['i2', 3, -1], ['u1', 1, 1], ['i8', 0x80, -128],
] as const)('%s code %i is %d', (dtype, code, number) => {
  expect(numberOf(dtype, code)).toBe(number)
})

test('a NaN keeps its sign and payload where f32 has room for it', () => {
  const codes = [0x7f81, 0xff81, 0x7fc0, 0xffff]
  const values = widen({ dtype: 'bf16', shape: [4], bytes: elementsOf(codes, 16) })
  expect([...new Uint32Array(values.buffer)]).toEqual([0x7f810000, 0xff810000, 0x7fc00000, 0xffff0000])
  const f32 = { dtype: 'f32', shape: [2], bytes: elementsOf([0x7fa00001, 0xffc12345], 32) } as const
  expect([...new Uint32Array(widen(f32).buffer)]).toEqual([0x7fa00001, 0xffc12345])
})

test.each(CODED)('%s: every length, misaligned bytes and misaligned targets', (dtype) => {
  const bits = codeBits[dtype]!
  for (const length of [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 1000, 8193]) {
    const codes = Array.from({ length }, (_, i) => (i * 40_503 + length) % 2 ** bits)
    const want = codes.map((code) => slowNumber(dtype, code))
    for (const offset of [0, 1, 3]) {
      const payload = elementsOf(codes, bits)
      const room = new Uint8Array(payload.length + offset + 5).fill(0xff)
      room.set(payload, offset)
      const tensor = { dtype, shape: [length], bytes: room.subarray(offset, offset + payload.length) }
      // 4 bytes off a multiple of 8, and with room to spare that has to stay as it is.
      const target = new Float32Array(length + 4).fill(-7).subarray(1)
      expect(widen(tensor, target)).toBe(target)
      expect(differences(target, [...want, -7, -7, -7])).toEqual([])
      const doubles = new Float64Array(length + 1).fill(-7)
      widen(tensor, doubles)
      expect(differences(doubles, [...want, -7])).toEqual([])
    }
  }
})

test('wide integers and f64 in f32: refused by name, or rounded once', () => {
  const wide = (dtype: DtypeName, array: ArrayBufferView) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    return { dtype, shape: [bytes.length / (dtype === 'i32' || dtype === 'u32' ? 4 : 8)], bytes }
  }
  const i32 = wide('i32', Int32Array.of(-5, 2 ** 24, 2 ** 24 + 1))
  expect([...widen(i32, 'f64')]).toEqual([-5, 2 ** 24, 2 ** 24 + 1])
  refuses(() => widen(i32), "TYPE at [2]: 16777217 (i32) is no f32; pass inexact: 'nearest' to round it")
  expect([...widen(i32, 'f32', { inexact: 'nearest' })]).toEqual([-5, 2 ** 24, 2 ** 24])
  const u32 = wide('u32', Uint32Array.of(0, 2 ** 32 - 1))
  expect([...widen(u32, 'f64')]).toEqual([0, 2 ** 32 - 1])
  refuses(() => widen(u32), 'TYPE at [1]: 4294967295 (u32) is no f32')
  const f64 = wide('f64', Float64Array.of(0.5, -0, NaN, -Infinity, 0.1))
  refuses(() => widen(f64), 'TYPE at [4]: 0.1 (f64) is no f32')
  const rounded = widen(f64, 'f32', { inexact: 'nearest' })
  expect(differences(rounded, [0.5, -0, NaN, -Infinity, Math.fround(0.1)])).toEqual([])
  expect(differences(widen(f64, 'f64'), [0.5, -0, NaN, -Infinity, 0.1])).toEqual([])

  const i64 = wide('i64', BigInt64Array.of(-1n, 2n ** 53n, -(2n ** 63n), 2n ** 53n + 1n))
  refuses(() => widen(i64, 'f64'), "TYPE at [3]: 9007199254740993 (i64) is no f64; pass inexact: 'nearest'")
  expect([...widen(i64, 'f64', { inexact: 'nearest' })]).toEqual([-1, 2 ** 53, -(2 ** 63), 2 ** 53])
  const access = numbersOf(i64)
  expect([access.at(0), access.at(1), access.at(2)]).toEqual([-1, 2 ** 53, -(2 ** 63)])
  refuses(() => access.at(3), 'TYPE at [3]: 9007199254740993 (i64)')
  expect(numbersOf(i64, { inexact: 'nearest' }).at(3)).toBe(2 ** 53)
  const u64 = wide('u64', BigUint64Array.of(2n ** 64n - 2048n, 2n ** 64n - 1n))
  refuses(() => widen(u64, 'f64'), 'TYPE at [1]: 18446744073709551615 (u64) is no f64')
  expect([...widen(u64, 'f64', { inexact: 'nearest' })]).toEqual([2 ** 64 - 2048, 2 ** 64])
})

test('a 64-bit integer is rounded to f32 once, not by way of f64', () => {
  // Just above a tie of f32, and so little that f64 would put it right on the tie, which goes down to even.
  const value = 2n ** 62n + 2n ** 38n + 1n
  const bytes = new Uint8Array(BigInt64Array.of(value, -value).buffer)
  const up = 2 ** 62 + 2 ** 39
  expect(Math.fround(Number(value))).toBe(2 ** 62)
  expect([...widen({ dtype: 'i64', shape: [2], bytes }, 'f32', { inexact: 'nearest' })]).toEqual([up, -up])
})

test('a bool is 0 or 1', () => {
  expect([...widen({ dtype: 'bool', shape: [3], bytes: Uint8Array.of(1, 0, 1) })]).toEqual([1, 0, 1])
  const wrong = { dtype: 'bool', shape: [3], bytes: Uint8Array.of(1, 0, 2) } as const
  refuses(() => widen(wrong), 'TYPE at [2]: a bool is 0 or 1, not 2')
  refuses(() => numbersOf(wrong).at(2), 'a bool is 0 or 1, not 2')
})

test('what widen refuses', () => {
  const f16 = { dtype: 'f16', shape: [2], bytes: new Uint8Array(4) } as const
  refuses(() => widen({ ...f16, shape: [3] }), 'TYPE: the payload has 4 bytes, but f16 of shape [3] needs 6')
  refuses(() => widen({ ...f16, shape: [-1] }), 'a dimension is an integer from 0 to 2^53 - 1')
  const complex = { ...f16, dtype: 'c64', shape: [0], bytes: new Uint8Array(0) } as const
  refuses(() => widen(complex), 'c64 is complex; describe it as f32 with a last dimension of 2')
  refuses(() => widen(complex, 'f64'), 'c64 is complex')
  refuses(() => widen({ ...complex, dtype: 'c128' }), 'c128 is complex; describe it as f64 with a last dimension of 2')
  refuses(() => widen({ dtype: 'ggml_q8_0', shape: [32], bytes: new Uint8Array(34) }), 'use dequantize')
  refuses(() => widen({ dtype: 'f9' as 'f16', shape: [2], bytes: new Uint8Array(4) }), '"f9" is no dtype')
  const words = new Uint16Array(2) as unknown as Uint8Array
  refuses(() => widen({ ...f16, bytes: words }), 'a payload is a Uint8Array')
  refuses(() => widen(f16, new Float32Array(1)), 'the target has room for 1 numbers, there are 2')
  refuses(() => widen(f16, new Int32Array(2) as unknown as Float32Array), 'a Float32Array or a Float64Array')
  const memory = new ArrayBuffer(16)
  const within = { ...f16, bytes: new Uint8Array(memory, 4, 4) }
  refuses(() => widen(within, new Float32Array(memory, 0, 2)), 'the target lies over the payload')
  expect([...widen({ ...f16, bytes: new Uint8Array(memory, 8, 4) }, new Float32Array(memory, 0, 2))]).toEqual([0, 0])
  refuses(() => widen(f16, 'f32', { inexact: 'up' as 'nearest' }), "inexact is 'refuse' or 'nearest', not \"up\"")
})

test('what element access refuses', () => {
  const access = numbersOf({ dtype: 'e2m1', shape: [3], bytes: Uint8Array.of(0x42, 0xf1) })
  expect([access.at(0), access.at(1), access.at(2)]).toEqual([1, 2, 0.5])
  for (const index of [-1, 3, 0.5, NaN]) {
    refuses(() => access.at(index), `there is no element ${index}; the tensor has 3`)
  }
  refuses(() => numberOf('f32', 0), 'f32 has no codes of up to 16 bits')
  refuses(() => numberOf('e2m1', 16), '16 is no code of e2m1, which go from 0 to 15')
  refuses(() => numberOf('e2m1', -1), '-1 is no code of e2m1')
  refuses(() => numberOf('bool', 2), 'a bool is 0 or 1, not 2')
})

test('an empty tensor and one of rank 0', () => {
  expect(widen({ dtype: 'f16', shape: [4, 0], bytes: new Uint8Array(0) })).toEqual(new Float32Array(0))
  expect([...widen({ dtype: 'bf16', shape: [], bytes: Uint8Array.of(0x80, 0x3f) })]).toEqual([1])
})

test('words come out alike on hosts of either byte order', () => {
  const codes = Array.from({ length: 70_000 }, (_, i) => (i * 40_503) % 65_536)
  const payload = elementsOf(codes, 16)
  for (const littleEndian of [true, false]) {
    const seen: number[] = []
    eachWords(Uint16Array, payload, codes.length, (words, first, length) => {
      expect([words.length, first]).toEqual([length, seen.length])
      for (const word of words) seen.push(littleEndian ? word : ((word & 0xff) << 8) | (word >> 8))
    }, littleEndian)
    // On a little-endian machine the other order's words come turned round; undone, they are the codes.
    expect(seen).toEqual(codes)
  }
})

test('bf16 by a loop, as on a big-endian host, and by bulk operations', () => {
  const codes = Array.from({ length: 20_000 }, (_, i) => (i * 40_503) % 65_536)
  const payload = elementsOf(codes, 16)
  for (const littleEndian of [true, false]) {
    const target = new Float32Array(codes.length)
    widenBf16(payload, codes.length, target, littleEndian)
    expect(new Uint32Array(target.buffer)).toEqual(Uint32Array.from(codes, (code) => code * 65_536))
  }
})
