import { expect, test } from 'vitest'
import { quantizationFormat, type QuantizationName } from 'kiln-format/numeric'
import { elementLimit, MAX_F32, outerScale, scaleChooser } from '../../src/numeric/group-scales.js'

const chooser = (name: QuantizationName, outer = 1) => scaleChooser(quantizationFormat(name), outer)

test('the largest f32, and the largest number of elements before any scale', () => {
  // 24 ones, the last of them at 2^104.
  expect(MAX_F32).toBe((2 ** 24 - 1) * 2 ** 104)
  const limits = {
    mxfp4: 6, mxfp6e3m2: 28, mxfp6e2m3: 7.5, mxfp8e4m3: 448, mxfp8e5m2: 57344, nvfp4: 6, 'int8:1': 127, 'int4:1': 7,
  }
  for (const [name, limit] of Object.entries(limits)) expect(elementLimit(quantizationFormat(name)), name).toBe(limit)
})

// floor(log2(greatest)) less that of the largest element, from 2^-127 to 2^127.
test.each([
  ['mxfp4', 4, 0], ['mxfp4', 3.999, -1], ['mxfp4', 7.999, 0], ['mxfp4', 8, 1], ['mxfp4', 0, -127],
  ['mxfp4', 2 ** -124, -126], ['mxfp4', 2 ** -125, -127], ['mxfp4', 2 ** -126, -127], ['mxfp4', 2 ** -149, -127],
  ['mxfp4', MAX_F32, 125], ['mxfp4', 2 ** 129, 127], ['mxfp4', 2 ** 300, 127],
  ['mxfp6e3m2', 16, 0], ['mxfp6e3m2', 2 ** -149, -127], ['mxfp6e2m3', 4, 0], ['mxfp8e4m3', 256, 0],
  ['mxfp8e4m3', 1, -8],
  ['mxfp8e5m2', 2 ** 15, 0], ['mxfp8e5m2', MAX_F32, 112],
] as const)('%s: the scale of a group up to %d is 2^%i', (name, greatest, exponent) => {
  expect(chooser(name)(greatest)).toBe(2 ** exponent)
})

// Shares of 6, rounded to f8e4m3: three bits after the first, and steps of 2^-9 below 2^-6.
test.each([
  [0, 0], [1, 1], [448, 448], [1000, 448], [240, 240], [248, 256], [1.0625, 1], [1.1875, 1.25], [1.0626, 1.125],
  [1.07, 1.125],
  [2 ** -6, 2 ** -6], [17 * 2 ** -10, 2 ** -6], [19 * 2 ** -10, 10 * 2 ** -9], [7.5 * 2 ** -9, 2 ** -6],
  [6.5 * 2 ** -9, 6 * 2 ** -9], [2.5 * 2 ** -9, 2 ** -8], [1.5 * 2 ** -9, 2 ** -8], [1.25 * 2 ** -9, 2 ** -9],
  [2 ** -9, 2 ** -9], [2 ** -11, 2 ** -9], [2 ** -140, 2 ** -9],
])('nvfp4: a share of %d has the scale %d', (share, scale) => {
  expect(chooser('nvfp4')(share * 6)).toBe(scale)
  expect(chooser('nvfp4', 0.125)(share * 0.75)).toBe(scale)
})

test('the outer scale gives the greatest number the largest scale, 448, and 6', () => {
  const nvfp4 = quantizationFormat('nvfp4')
  expect(outerScale(nvfp4, 0)).toBe(1)
  expect(outerScale(nvfp4, 2688)).toBe(1)
  expect(outerScale(nvfp4, 1)).toBe(Math.fround(1 / 2688))
  expect(outerScale(nvfp4, 2 ** -149)).toBe(2 ** -149)
  // 2688 is 21 * 2^7, and 21 divides 16 * (2^24 - 1).
  expect(outerScale(nvfp4, MAX_F32)).toBe(12_782_640 * 2 ** 93)
})

test('int8 and int4: the greatest by 127 and 7, as f32', () => {
  const int8 = chooser('int8:1')
  const int4 = chooser('int4:1')
  expect([int8(0), int8(127), int8(1), int4(0), int4(7), int4(1)]).toEqual([
    0, 1, Math.fround(1 / 127), 0, 1, Math.fround(1 / 7),
  ])
  expect([int8(2 ** -149), int4(2 ** -149)]).toEqual([2 ** -149, 2 ** -149])
  // 7 divides 4 * (2^24 - 1). 127 leaves a rest of 64 * (2^24 - 1), by which it is nearer to 8454660; but 127 times
  // that is 2^30 - 4, which is past 2^30 - 32, where f32's rounding goes to infinity.
  expect(int4(MAX_F32)).toBe(9_586_980 * 2 ** 102)
  expect(int8(MAX_F32)).toBe(8_454_659 * 2 ** 98)
})
