import { expect, test } from 'vitest'
import { widenChecked, widenInt64, type Inexact } from '../../src/numeric/widen-integers.js'
import { refuses } from './refuses.js'

type Kind = Float32ArrayConstructor | Float64ArrayConstructor

function wide(signed: boolean, kind: Kind, inexact: Inexact, ...values: bigint[]): number[] {
  const array = signed ? BigInt64Array.from(values) : BigUint64Array.from(values)
  const target = new kind(values.length + 1).fill(-7)
  widenInt64(signed, new Uint8Array(array.buffer), values.length, target, inexact, 100)
  expect(target[values.length]).toBe(-7)
  return [...target.subarray(0, values.length)]
}

test('64-bit integers that f64 holds, and those it does not', () => {
  const small = [0n, 1n, -1n, 2n ** 32n, -(2n ** 32n)]
  const held = [...small, 2n ** 53n, -(2n ** 53n), 2n ** 53n + 2n, -(2n ** 63n), 2n ** 63n - 1024n]
  expect(wide(true, Float64Array, 'refuse', ...held)).toEqual(held.map(Number))
  expect(wide(false, Float64Array, 'refuse', 0n, 2n ** 32n - 1n, 2n ** 63n, 2n ** 64n - 2048n)).toEqual([
    0, 2 ** 32 - 1, 2 ** 63, 2 ** 64 - 2048,
  ])
  const below = () => wide(true, Float64Array, 'refuse', 1n, -(2n ** 53n) - 1n)
  refuses(below, 'TYPE at [101]: -9007199254740993 (i64) is no f64')
  const last = () => wide(false, Float64Array, 'refuse', 2n ** 64n - 1n)
  refuses(last, 'TYPE at [100]: 18446744073709551615 (u64) is no f64')
  // Ties to even: down, up, and up again.
  const ties = [2n ** 53n + 1n, 2n ** 53n + 3n, -(2n ** 53n) - 3n, 2n ** 63n - 1n]
  expect(wide(true, Float64Array, 'nearest', ...ties)).toEqual([2 ** 53, 2 ** 53 + 4, -(2 ** 53) - 4, 2 ** 63])
})

test('64-bit integers as f32: rounded once from all their bits', () => {
  expect(wide(true, Float32Array, 'refuse', 2n ** 24n, -(2n ** 40n), 2n ** 62n + 2n ** 39n)).toEqual([
    2 ** 24, -(2 ** 40), 2 ** 62 + 2 ** 39,
  ])
  refuses(() => wide(true, Float32Array, 'refuse', 2n ** 24n + 1n), 'TYPE at [100]: 16777217 (i64) is no f32')
  refuses(() => wide(true, Float32Array, 'refuse', 2n ** 62n + 1n), 'TYPE at [100]: 4611686018427387905 (i64) is no')
  refuses(() => wide(false, Float32Array, 'refuse', 2n ** 53n + 1n), 'TYPE at [100]: 9007199254740993 (u64) is no f32')
  const [tie, step] = [2n ** 62n + 2n ** 38n, 2 ** 62 + 2 ** 39]
  // The tie itself is f64's and goes to even; one more or less than the tie is not.
  expect(wide(true, Float32Array, 'nearest', tie, tie + 1n, tie - 1n, -tie, -tie - 1n, -tie + 1n)).toEqual([
    2 ** 62, step, 2 ** 62, -(2 ** 62), -step, -(2 ** 62),
  ])
  const odd = tie + 2n ** 39n
  expect(wide(false, Float32Array, 'nearest', odd, odd - 1n, odd + 1n, 2n ** 24n + 1n, 2n ** 64n - 1n)).toEqual([
    2 ** 62 + 2 ** 40, step, 2 ** 62 + 2 ** 40, 2 ** 24, 2 ** 64,
  ])
})

test('wide numbers come in pieces, and are counted on', () => {
  // 64 KiB are 8,192 integers; at an odd place they come by pieces.
  const count = 8193
  const bytes = new Uint8Array(8 * count + 1).subarray(1)
  const view = new DataView(bytes.buffer, 1)
  for (let i = 0; i < count; i++) view.setBigInt64(8 * i, BigInt(i), true)
  const target = new Float64Array(count)
  widenInt64(true, bytes, count, target, 'refuse', 0)
  expect([target[0], target[1], target[8191], target[8192]]).toEqual([0, 1, 8191, 8192])
  view.setBigInt64(8 * 8192, 2n ** 60n + 1n, true)
  refuses(() => widenInt64(true, bytes, count, target, 'refuse', 5), 'TYPE at [8197]')
})

test('i32, u32 and f64 as f32', () => {
  const checked = (array: Int32Array | Uint32Array | Float64Array, inexact: Inexact) => {
    const type = array.constructor as Float64ArrayConstructor
    const target = new Float32Array(array.length + 1).fill(-7)
    widenChecked(type, 'dtype', new Uint8Array(array.buffer), array.length, target, inexact, 100)
    expect(target[array.length]).toBe(-7)
    return [...target.subarray(0, array.length)]
  }
  expect(checked(Int32Array.of(-5, 2 ** 24), 'refuse')).toEqual([-5, 2 ** 24])
  expect(checked(Float64Array.of(0.5, NaN, -Infinity, -0), 'refuse')).toEqual([0.5, NaN, -Infinity, -0])
  expect(checked(Uint32Array.of(2 ** 32 - 1, 2 ** 24 + 1), 'nearest')).toEqual([2 ** 32, 2 ** 24])
  // In the second piece of what lies at an odd place.
  const bytes = new Uint8Array(8 * 8193 + 1).subarray(1)
  new DataView(bytes.buffer).setFloat64(1 + 8 * 8192, 0.1, true)
  const target = new Float32Array(8193)
  refuses(() => widenChecked(Float64Array, 'f64', bytes, 8193, target, 'refuse', 5), 'TYPE at [8197]: 0.1 (f64)')
  refuses(() => checked(Uint32Array.of(1, 2 ** 32 - 1), 'refuse'), 'TYPE at [101]: 4294967295 (dtype) is no f32')
  refuses(() => checked(Float64Array.of(0.1), 'refuse'), "TYPE at [100]: 0.1 (dtype) is no f32; pass inexact")
})
