import { expect, test } from 'vitest'
import { dtypes, type DtypeName } from 'kiln-format'
import { checkWidens, decodeF32, decodeF64, fitsF32, widenBf16 } from '../../src/numeric/decode.js'
import { refuses } from './refuses.js'

/** The places of two arrays that differ, the first few. */
function differing(got: ArrayLike<number>, want: ArrayLike<number>): number[] {
  const length = Math.max(got.length, want.length)
  return Array.from({ length }, (_, i) => i).filter((i) => !Object.is(got[i], want[i])).slice(0, 5)
}

test('which dtypes have numbers that f32 does not hold', () => {
  const wider = dtypes.filter(({ name }) => !fitsF32(name)).map(({ name }) => name)
  expect(wider.sort()).toEqual(['f64', 'i32', 'i64', 'u32', 'u64'])
})

test('bf16: each code is the upper half of an f32, in blocks, on hosts of either order', () => {
  // One more than a block, from even and odd places, into the middle of memory.
  const count = 8193
  for (const odd of [0, 1]) {
    const bytes = new Uint8Array(2 * count + 1).subarray(odd, odd + 2 * count)
    for (let i = 0; i < count; i++) bytes.set([i % 256, i >> 8], 2 * i)
    const want = Uint32Array.from({ length: count }, (_, i) => i * 65_536)
    for (const littleEndian of [true, false]) {
      const room = new Float32Array(count + 2).fill(-7)
      widenBf16(bytes, count, room.subarray(1, count + 1), littleEndian)
      expect(differing(new Uint32Array(room.buffer, 4, count), want)).toEqual([])
      expect([room[0], room[count + 1]]).toEqual([-7, -7])
    }
  }
})

function f64Of(dtype: DtypeName, bytes: Uint8Array, count: number, firstIndex?: number): number[] {
  const target = new Float64Array(count)
  decodeF64(dtype, bytes, count, target, 'refuse', firstIndex)
  return [...target]
}

function f32Of(dtype: DtypeName, bytes: Uint8Array, count: number, firstIndex?: number): number[] {
  const target = new Float32Array(count)
  decodeF32(dtype, bytes, count, target, 'refuse', firstIndex)
  return [...target]
}

test('the first elements of a payload, at an odd place and with more behind them', () => {
  const bytes = Uint8Array.of(99, 1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 99).subarray(1)
  for (const of of [f32Of, f64Of]) {
    expect(of('u8', bytes, 1)).toEqual([1])
    expect(of('i8', bytes.subarray(7), 2)).toEqual([0, -1])
    expect(of('u16', bytes.subarray(6), 2)).toEqual([0, 65_535])
    expect(of('i16', bytes.subarray(6), 2)).toEqual([0, -1])
    expect(of('i32', bytes.subarray(4), 2)).toEqual([0, -1])
    expect(of('i64', bytes, 2)).toEqual([1, -1])
    expect(of('bool', bytes, 8)).toEqual([1, 0, 0, 0, 0, 0, 0, 0])
    expect(of('u4', bytes, 3)).toEqual([1, 0, 0])
  }
  expect(f32Of('u32', bytes, 2)).toEqual([1, 0])
  expect(f64Of('u32', bytes.subarray(4), 2)).toEqual([0, 2 ** 32 - 1])
  const halves = new Uint8Array(Float32Array.of(0.5, -2, 7).buffer)
  expect([f32Of('f32', halves, 2), f64Of('f32', halves, 2)]).toEqual([[0.5, -2], [0.5, -2]])
  const doubles = new Uint8Array(Float64Array.of(0.5, -2, 7).buffer)
  expect([f32Of('f64', doubles, 2), f64Of('f64', doubles, 2)]).toEqual([[0.5, -2], [0.5, -2]])
})

test('by way of f32 and block by block, every element is where it belongs', () => {
  for (const [dtype, bits] of [['u4', 4], ['u8', 8], ['u16', 16]] as const) {
    const count = 2 * 8192 + 3
    const bytes = Uint8Array.from({ length: Math.ceil((count * bits) / 8) }, (_, i) => i % 251)
    const want = Array.from({ length: count }, (_, i) => {
      if (bits === 4) return (bytes[i >> 1]! >> (i % 2) * 4) & 15
      return bits === 8 ? bytes[i]! : bytes[2 * i]! + 256 * bytes[2 * i + 1]!
    })
    expect(differing(f64Of(dtype, bytes, count), want)).toEqual([])
  }
})

test('a number that is refused is named by its place, counted from the first', () => {
  const bools = new Uint8Array(9000)
  bools[8999] = 2
  refuses(() => f64Of('bool', bools, 9000, 50), 'TYPE at [9049]: a bool is 0 or 1, not 2')
  refuses(() => f32Of('bool', bools, 9000, 50), 'TYPE at [9049]: a bool is 0 or 1, not 2')
  expect(f32Of('bool', bools, 8999, 50)).toHaveLength(8999)
  const wide = new Uint8Array(Int32Array.of(1, 2 ** 24 + 1).buffer)
  refuses(() => f32Of('i32', wide, 2, 50), 'TYPE at [51]: 16777217 (i32) is no f32')
  refuses(() => f32Of('u32', wide, 2, 50), 'TYPE at [51]: 16777217 (u32) is no f32')
  expect(f32Of('i32', wide, 1)).toEqual([1])
  const integers = new Uint8Array(BigUint64Array.of(1n, 2n ** 53n + 1n, 2n ** 63n).buffer)
  refuses(() => f32Of('i64', integers, 2, 50), 'TYPE at [51]: 9007199254740993 (i64) is no f32')
  refuses(() => f64Of('u64', integers, 2, 50), 'TYPE at [51]: 9007199254740993 (u64) is no f64')
  const last = integers.subarray(16)
  expect([f32Of('i64', last, 1), f32Of('u64', last, 1)]).toEqual([[-(2 ** 63)], [2 ** 63]])
  expect([f64Of('i64', last, 1), f64Of('u64', last, 1)]).toEqual([[-(2 ** 63)], [2 ** 63]])
})

test('what has no numbers is refused by all three', () => {
  for (const [dtype, message] of [
    ['c64', 'TYPE: c64 is complex; describe it as f32 with a last dimension of 2'],
    ['c128', 'TYPE: c128 is complex; describe it as f64 with a last dimension of 2'],
    ['ggml_q8_0', 'TYPE: ggml_q8_0 has no elements of its own to widen; use dequantize'],
  ] as const) {
    refuses(() => checkWidens(dtype), message)
    refuses(() => f32Of(dtype, new Uint8Array(32), 1), message)
    refuses(() => f64Of(dtype, new Uint8Array(32), 1), message)
  }
  for (const dtype of ['f32', 'bool', 'e2m1', 'u64'] as const) checkWidens(dtype)
})
