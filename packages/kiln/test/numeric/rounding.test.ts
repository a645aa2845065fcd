import { expect, test } from 'vitest'
import { hostFloat16Array } from '../../src/numeric/float16-array.js'
import { narrowToF16 } from '../../src/numeric/narrow-f16.js'
import { checkNanPolicy, encoderOf, replaceNan, type NanPolicy, type NarrowMode } from '../../src/numeric/rounding.js'
import type { DtypeName } from 'kiln-format'
import { withFloat16Array, withoutFloat16Array } from './float16-stand-in.js'
import { refuses } from './refuses.js'
import { neighbour } from './slow-codes.js'

function encoded(
  dtype: DtypeName, values: number[], mode: NarrowMode = 'saturate', nan: NanPolicy = 'refuse',
): number[] {
  const codes = new Uint32Array(values.length + 1).fill(99)
  encoderOf(dtype, mode, nan)(Float64Array.from([...values, 1]), values.length, codes, 10)
  expect(codes[values.length]).toBe(99)
  return [...codes.subarray(0, values.length)]
}

test('e8m0: the nearest power of 2, between two the upper', () => {
  expect(encoded('e8m0', [1, 1.25, neighbour(1.5, -1), 1.5, 2, neighbour(3, -1), 3])).toEqual([
    127, 127, 127, 128, 128, 128, 129,
  ])
  expect(encoded('e8m0', [2 ** -127, 2 ** -128, 2 ** -1074, 1.5 * 2 ** -127, 2 ** -126])).toEqual([0, 0, 0, 1, 1])
  const high = [2 ** 127, 1.49 * 2 ** 127, 1.5 * 2 ** 127, 2 ** 128, Infinity]
  expect(encoded('e8m0', high)).toEqual([254, 254, 254, 254, 254])
  expect(encoded('e8m0', high, 'overflow')).toEqual([254, 254, 255, 255, 255])
  const none = [0, -0, -1, -Infinity, NaN]
  expect(encoded('e8m0', none)).toEqual([0, 0, 0, 0, 255])
  expect(encoded('e8m0', none, 'overflow')).toEqual([255, 255, 255, 255, 255])
})

test('integers: ties to even, and no further than their ends', () => {
  const values = [0, -0, 0.5, 1.5, 2.5, -0.5, -1.5, 0.49, 0.51, -0.51]
  expect(encoded('i8', values)).toEqual([0, 0, 0, 2, 2, 0, 0xfe, 0, 1, 0xff])
  expect(encoded('u8', values)).toEqual([0, 0, 0, 2, 2, 0, 0, 0, 1, 0])
  const far = [7.5, 8, 1e9, Infinity, -7.5, -8.5, -9, -1e9, -Infinity]
  expect(encoded('i4', far)).toEqual([7, 7, 7, 7, 8, 8, 8, 8, 8])
  expect(encoded('u4', far)).toEqual([8, 8, 15, 15, 0, 0, 0, 0, 0])
  expect(encoded('u32', [2 ** 32 - 1, 2 ** 32 - 1.5, 2 ** 32, 2 ** 31])).toEqual([
    2 ** 32 - 1, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 31,
  ])
  expect(encoded('i32', [2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, -1])).toEqual([
    2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31, 2 ** 31, 2 ** 32 - 1,
  ])
})

test('NaN in integers', () => {
  expect(encoded('i8', [1, NaN], 'saturate', 'zero')).toEqual([1, 0])
  expect(encoded('i8', [1, NaN], 'saturate', 'max')).toEqual([1, 127])
  refuses(() => encoded('i8', [1, NaN]), "TYPE at [11]: i8 has no NaN; pass nan: 'zero' or 'max' to say")
  expect([replaceNan('u2', 3, 'zero', 0), replaceNan('u2', 3, 'max', 0)]).toEqual([0, 3])
  for (const nan of ['refuse', 'zero', 'max']) checkNanPolicy(nan)
  refuses(() => checkNanPolicy('keep'), "TYPE: nan is 'refuse', 'zero' or 'max', not \"keep\"")
  refuses(() => encoderOf('f32', 'saturate', 'refuse'), "TYPE: numbers can't be narrowed to f32")
})

test("the host's Float16Array is taken where it is a constructor", () => {
  expect(withoutFloat16Array(hostFloat16Array)).toBeUndefined()
  expect(withFloat16Array(hostFloat16Array)).toBeTypeOf('function')
  const host = globalThis as { Float16Array?: unknown }
  const object = withFloat16Array(() => {
    host.Float16Array = {}
    return hostFloat16Array()
  })
  expect(object).toBeUndefined()
})

test('f16 by the host: more than a block, NaN and what is too large set right, and nothing else written', () => {
  const count = 8192 + 3
  for (const kind of [Float32Array, Float64Array]) {
    const values = new kind(count)
    for (let i = 0; i < count; i++) values[i] = i % 2048
    values.set([NaN, Infinity, -Infinity, 1e6, -1e6, 65_504, -0], 8188)
    for (const mode of ['saturate', 'overflow'] as const) {
      const room = new Uint8Array(2 * count + 5).fill(0xaa)
      expect(withFloat16Array(() => narrowToF16(values, mode, room.subarray(1)))).toBe(true)
      const view = new DataView(room.buffer, 1)
      const codes = Array.from(values, (_, i) => view.getUint16(2 * i, true))
      const [over, under] = mode === 'saturate' ? [0x7bff, 0xfbff] : [0x7c00, 0xfc00]
      expect(codes.slice(8188)).toEqual([0x7e00, over, under, over, under, 0x7bff, 0x8000])
      // 1, 2 and 2047 of 2048.
      expect([codes[0], codes[1], codes[2], codes[2047], codes[2049]]).toEqual([0, 0x3c00, 0x4000, 0x67ff, 0x3c00])
      expect([room[0], ...room.subarray(1 + 2 * count)]).toEqual([0xaa, 0xaa, 0xaa, 0xaa, 0xaa])
    }
  }
})

test('f16 is left to others where the host has no such array, and for plain arrays', () => {
  const room = new Uint8Array(4).fill(0xaa)
  expect(withoutFloat16Array(() => narrowToF16(Float32Array.of(1, 2), 'saturate', room))).toBe(false)
  expect(withFloat16Array(() => narrowToF16([1, 2], 'saturate', room))).toBe(false)
  expect(withFloat16Array(() => narrowToF16(Int8Array.of(1, 2), 'saturate', room))).toBe(false)
  expect([...room]).toEqual([0xaa, 0xaa, 0xaa, 0xaa])
})
