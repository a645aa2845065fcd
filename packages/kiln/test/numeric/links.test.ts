import { expect, test } from 'vitest'
import { applyScales, scalingOf, schemeOf, type Scaling } from '../../src/numeric/links.js'
import type { LinkedShape, NumericTensor } from '../../src/numeric/tensor.js'
import { refuses } from './refuses.js'

const f32 = (shape: number[], ...values: number[]): NumericTensor => {
  return { dtype: 'f32', shape, bytes: new Uint8Array(Float32Array.from(values).buffer) }
}

/** Ones, multiplied as elements from `first` on, and two that are not to be. */
function scaled(count: number, first: number, scaling: Scaling): number[] {
  const values = new Float32Array(count + 2).fill(1)
  applyScales(values, count, first, scaling)
  expect([...values.subarray(count)]).toEqual([1, 1])
  return [...values.subarray(0, count)]
}

const rows = (outer?: NumericTensor): LinkedShape => {
  return { dtype: 'f32', shape: [2, 5], axis: 1, groupSize: 3, scale: f32([2, 2], 2, 3, 5, 7), outer }
}
const columns = (outer?: NumericTensor): LinkedShape => {
  const scale = f32([2, 2, 2], 2, 3, 5, 7, 11, 13, 17, 19)
  return { dtype: 'f32', shape: [2, 3, 2], axis: 1, groupSize: 2, scale, outer }
}

test('along the last axis neighbours share a scale', () => {
  const scaling = scalingOf(rows())!
  const all = [2, 2, 2, 3, 3, 5, 5, 5, 7, 7]
  for (let first = 0; first < 10; first++) {
    for (let end = first; end <= 10; end++) expect(scaled(end - first, first, scaling)).toEqual(all.slice(first, end))
  }
})

test('along another axis neighbours have scales that are neighbours', () => {
  const scaling = scalingOf(columns())!
  const all = [2, 3, 2, 3, 5, 7, 11, 13, 11, 13, 17, 19]
  for (let first = 0; first < 12; first++) {
    for (let end = first; end <= 12; end++) expect(scaled(end - first, first, scaling)).toEqual(all.slice(first, end))
  }
})

test('a group may be longer than the axis, and have its length', () => {
  const one: LinkedShape = { dtype: 'f32', shape: [2, 3], axis: 1, scale: f32([2, 1], 2, 3) }
  for (const groupSize of [3, 4, 2 ** 40]) {
    expect(scaled(6, 0, scalingOf({ ...one, groupSize })!)).toEqual([2, 2, 2, 3, 3, 3])
  }
})

test('an outer scale comes after the other, with a rounding between them', () => {
  // 3 * (1 + 2^-23) lies in the middle of 3 + 2^-22 and 3 + 2^-21, which is the even one; three quarters of that lie
  // in the middle of 2.25 + 2^-22 and 2.25 + 2^-21, which is the even one again. Rounded once, it would be the lower.
  for (const [axis, shape] of [[0, [2]], [0, [1, 2]]] as const) {
    const scale = f32([...shape], 1 + 2 ** -23, 1 + 2 ** -23)
    const values = Float32Array.of(3, 3)
    applyScales(values, 2, 0, scalingOf({ dtype: 'f32', shape, axis, groupSize: 1, scale, outer: f32([], 0.75) })!)
    expect([...values]).toEqual([2.25 + 2 ** -21, 2.25 + 2 ** -21])
  }
  expect(scaled(10, 0, scalingOf(rows(f32([], 10)))!)).toEqual([20, 20, 20, 30, 30, 50, 50, 50, 70, 70])
  expect(scaled(3, 4, scalingOf(columns(f32([1], 10)))!)).toEqual([50, 70, 110])
})

test('the scheme is told from the links where it is left out', () => {
  const { scale } = rows()
  expect(schemeOf({ dtype: 'f32', shape: [1] })).toBe(0)
  expect(schemeOf({ dtype: 'f32', shape: [1], scale })).toBe(1)
  expect(schemeOf({ dtype: 'f32', shape: [1], scale, outer: f32([], 1) })).toBe(2)
  for (const scheme of [0, 1, 2] as const) expect(schemeOf({ dtype: 'f32', shape: [1], scheme })).toBe(scheme)
  refuses(() => schemeOf({ dtype: 'f32', shape: [1], scheme: 3 as 2 }), 'TYPE at scheme: there is no scheme 3')
  expect(scalingOf({ ...rows(), scheme: 0 })).toBeUndefined()
  // Scheme 1 passes an outer scale over, whatever it is.
  expect(scalingOf({ ...rows(f32([2], 1, 2)), scheme: 1 })!.outer).toBeUndefined()
  expect(scalingOf(rows(f32([], 3)))).toMatchObject({ outer: 3, axisLength: 5, groups: 2, groupSize: 3, inner: 1 })
  expect(scalingOf(columns())).toMatchObject({ outer: undefined, axisLength: 3, groups: 2, groupSize: 2, inner: 2 })
})

test('links that are refused', () => {
  const wrong: [Partial<Record<keyof LinkedShape, unknown>>, string][] = [
    [{ axis: -1 }, 'TYPE at axis: axis -1 is none of the 2 dimensions'], [{ axis: 2 }, 'TYPE at axis'],
    [{ axis: 0.5 }, 'TYPE at axis'], [{ axis: undefined }, 'TYPE at axis: axis undefined is none'],
    [{ groupSize: 0 }, 'TYPE at groupSize'], [{ groupSize: 2 ** 53 }, 'TYPE at groupSize'],
    [{ groupSize: undefined }, 'TYPE at groupSize: a group size is an integer from 1 on, not undefined'],
    [{ scheme: 1, scale: undefined }, 'TYPE at scale: scheme 1 needs a scale'],
    [{ scheme: 2 }, 'TYPE at outer: scheme 2 needs an outer scale'],
    [{ scale: f32([3], 1, 2, 3) }, 'TYPE at scale: shape [2, 5] in groups of 3 along axis 1 needs 4 scales, there are'],
    [{ outer: f32([2], 1, 2) }, 'TYPE at outer: an outer scale has one element, not 2'],
    [{ outer: { dtype: 'i8', shape: [], bytes: new Uint8Array(1) } }, 'TYPE at outer: an outer scale is f32, not i8'],
  ]
  for (const [change, message] of wrong) refuses(() => scalingOf({ ...rows(), ...change } as LinkedShape), message)
})

test("scales of ggml's blocks, and of integers that f32 rounds", () => {
  const block = new Uint8Array(34)
  block.set([0, 0x3c, 2, 3, 5, 7])
  const scale = { dtype: 'ggml_q8_0', shape: [32], bytes: block } as const
  const blocks: LinkedShape = { dtype: 'f32', shape: [32], axis: 0, groupSize: 1, scale }
  expect(scaled(5, 0, scalingOf(blocks)!)).toEqual([2, 3, 5, 7, 0])
  const wide = { dtype: 'i32', shape: [1], bytes: new Uint8Array(Int32Array.of(2 ** 24 + 1).buffer) } as const
  expect(scaled(1, 0, scalingOf({ dtype: 'f32', shape: [1], axis: 0, groupSize: 1, scale: wide })!)).toEqual([2 ** 24])
})
