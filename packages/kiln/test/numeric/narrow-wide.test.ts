import { expect, test } from 'vitest'
import { narrow } from 'kiln-format/numeric'
import type { NanPolicy } from 'kiln-format/numeric'
import { neighbour } from './slow-codes.js'
import { refuses } from './refuses.js'

const MAX_F32 = (2 ** 24 - 1) * 2 ** 104

/** 64-bit integers that numbers become. */
function integers(dtype: 'i64' | 'u64', values: number[], nan?: NanPolicy): bigint[] {
  const { buffer } = narrow(values, dtype, { mode: 'saturate', nan })
  return [...(dtype === 'i64' ? new BigInt64Array(buffer) : new BigUint64Array(buffer))]
}

test('f32: rounded once, and to the largest only by saturate', () => {
  const values = [1 / 3, MAX_F32, 2 ** 128, -(2 ** 128), Infinity, -Infinity, 2 ** -150, -(2 ** -149)]
  const f32 = (mode: 'saturate' | 'overflow') => [...new Float32Array(narrow(values, 'f32', { mode }).buffer)]
  // A third is 01 01 01 …; the 24 bits from the first 1 on end in 1010, and 1010 follows, so they end in 1011.
  const third = 0xaaaaab * 2 ** -25
  expect(f32('overflow')).toEqual([third, MAX_F32, Infinity, -Infinity, Infinity, -Infinity, 0, -(2 ** -149)])
  expect(f32('saturate')).toEqual([third, MAX_F32, MAX_F32, -MAX_F32, MAX_F32, -MAX_F32, 0, -(2 ** -149)])
})

test('f64: infinities are the largest by saturate', () => {
  const f64 = (mode: 'saturate' | 'overflow') =>
    [...new Float64Array(narrow([0.1, Infinity, -Infinity, Number.MAX_VALUE], 'f64', { mode }).buffer)]
  expect(f64('overflow')).toEqual([0.1, Infinity, -Infinity, Number.MAX_VALUE])
  expect(f64('saturate')).toEqual([0.1, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE])
})

test('i64: ties to even, and no further than its ends', () => {
  expect(integers('i64', [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.75, -0.75, 0.25, -0.25, 0, -0])).toEqual([
    0n, 2n, 2n, 0n, -2n, -2n, 1n, -1n, 0n, 0n, 0n, 0n,
  ])
  const below = neighbour(2 ** 63, -1)
  expect(integers('i64', [below, 2 ** 63, 2 ** 64, 1e300, Infinity])).toEqual([
    2n ** 63n - 1024n, ...Array.from({ length: 4 }, () => 2n ** 63n - 1n),
  ])
  expect(integers('i64', [-below, -(2 ** 63), -neighbour(2 ** 63, 1), -(2 ** 64), -Infinity])).toEqual([
    -(2n ** 63n) + 1024n, ...Array.from({ length: 4 }, () => -(2n ** 63n)),
  ])
  // The last f64s that have halves.
  expect(integers('i64', [2 ** 52 - 0.5, 2 ** 52 - 1.5, 2 ** 52, -(2 ** 52) + 0.5, 2 ** 53 + 2])).toEqual([
    2n ** 52n, 2n ** 52n - 2n, 2n ** 52n, -(2n ** 52n), 2n ** 53n + 2n,
  ])
})

test('u64: none below 0, and up to 2^64 - 1', () => {
  expect(integers('u64', [-0.5, -0.75, -1, -1e300, -Infinity, 0.5, 1.5])).toEqual([0n, 0n, 0n, 0n, 0n, 0n, 2n])
  expect(integers('u64', [2 ** 63, 2 ** 64 - 2048, 2 ** 64, 1e300, Infinity])).toEqual([
    2n ** 63n, 2n ** 64n - 2048n, ...Array.from({ length: 3 }, () => 2n ** 64n - 1n),
  ])
})

test('NaN as a 64-bit integer', () => {
  expect(integers('i64', [1, NaN], 'zero')).toEqual([1n, 0n])
  expect(integers('i64', [1, NaN], 'max')).toEqual([1n, 2n ** 63n - 1n])
  expect(integers('u64', [1, NaN], 'max')).toEqual([1n, 2n ** 64n - 1n])
  refuses(() => integers('i64', [1, NaN]), "TYPE at [1]: i64 has no NaN; pass nan: 'zero' or 'max'")
  refuses(() => integers('u64', [NaN], 'refuse'), 'TYPE at [0]: u64 has no NaN')
  refuses(() => narrow([1, NaN], 'u64', { mode: 'saturate', firstIndex: 7 }), 'TYPE at [8]')
})

const WIDE = ['f32', 'f64', 'i64', 'u64'] as const

test.each(WIDE)('%s: more than a block, at an odd place, with nothing written behind', (dtype) => {
  const count = 8192 + 3
  const width = dtype === 'f32' ? 4 : 8
  const room = new Uint8Array(count * width + 6).fill(0xaa)
  const values = Array.from({ length: count }, (_, i) => i)
  narrow(values, dtype, { mode: 'saturate', target: room.subarray(1) })
  const view = new DataView(room.buffer, 1)
  const read = (i: number) => {
    if (dtype === 'f32') return view.getFloat32(i * 4, true)
    return dtype === 'f64' ? view.getFloat64(i * 8, true) : Number(view.getBigUint64(i * 8, true))
  }
  expect(values.map((_, i) => read(i))).toEqual(values)
  expect([room[0], ...room.subarray(1 + count * width)]).toEqual([0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa])
  if (dtype.endsWith('64') && dtype !== 'f64') {
    values[8193] = NaN
    refuses(() => narrow(values, dtype, { mode: 'saturate' }), 'TYPE at [8193]')
  }
})
