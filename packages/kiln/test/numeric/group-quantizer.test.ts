import { expect, test } from 'vitest'
import { quantizationFormat, type QuantizationName } from 'kiln-format/numeric'
import {
  checkQuantizeOptions, greatestOf, groupingOf, GroupQuantizer, type QuantizeOptions,
} from '../../src/numeric/group-quantizer.js'
import { refuses } from './refuses.js'

const MAX_F32 = (2 ** 24 - 1) * 2 ** 104

interface Quantized {
  readonly codes: number[]
  readonly scales: number[]
}

/** Codes as bytes with a sign, and scales of f32, of numbers that come `piece` at a time. */
function int8(
  shape: number[], groupSize: number, values: number[], options: QuantizeOptions = {}, piece = 8192,
): Quantized {
  const format = quantizationFormat(`int8:${groupSize}`)
  const codes: number[] = []
  const scales: number[] = []
  const quantizer = new GroupQuantizer(format, groupingOf(shape, format, options), 1, options, {
    codes: (bytes) => codes.push(...new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)),
    scales: (bytes) => scales.push(...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)),
  })
  for (let i = 0; i < values.length; i += piece) quantizer.push(Float64Array.from(values.slice(i, i + piece)))
  quantizer.end()
  return { codes, scales }
}

test('groups along the last axis end with its rows, however the numbers come', () => {
  const values = [127, -254, 1.5, 381, 0, 508, 127, -635, 5, 0]
  for (let piece = 1; piece <= 10; piece++) {
    expect(int8([2, 5], 3, values, {}, piece)).toEqual({
      codes: [64, -127, 1, 127, 0, 102, 25, -127, 127, 0], scales: [2, 3, 5, Math.fround(5 / 127)],
    })
  }
})

test('groups along another axis have a scale for each column, however the numbers come', () => {
  const values = [127, 254, -127, 2, 254, -508, -381, 0, 1, 635, 3, -5]
  for (let piece = 1; piece <= 12; piece++) {
    expect(int8([2, 3, 2], 2, values, { axis: 1 }, piece)).toEqual({
      codes: [127, 127, -127, 1, 127, -127, -127, 0, 0, 127, 127, -127],
      scales: [1, 2, 2, 4, 3, 5, Math.fround(3 / 127), Math.fround(5 / 127)],
    })
  }
  // Along the first axis all the rest is one column each.
  expect(int8([2, 2], 2, [127, 2, -1, -254], { axis: 0 })).toEqual({ codes: [127, 1, -1, -127], scales: [1, 2] })
})

test('a group may be longer than any memory, and hold the largest f32', () => {
  expect(int8([3], 2 ** 32 - 1, [127, 1, -2])).toEqual({ codes: [127, 1, -2], scales: [1] })
  const largest = 8_454_659 * 2 ** 98 // as its share of 127 is
  expect(int8([2], 1, [MAX_F32, 127])).toEqual({ codes: [127, 127], scales: [largest, 1] })
  expect(int8([1, 2], 1, [-MAX_F32, 127], { axis: 0 })).toEqual({ codes: [-127, 127], scales: [largest, 1] })
})

test('elements of less than a byte are packed across groups', () => {
  const format = quantizationFormat('int4:3')
  for (const axis of [0, 1]) {
    const shape = axis === 0 ? [5, 1] : [1, 5]
    const codes: number[] = []
    const quantizer = new GroupQuantizer(format, groupingOf(shape, format, { axis }), 1, {}, {
      codes: (bytes) => codes.push(...bytes),
    })
    for (const value of [7, -7, 3, -14, 2]) quantizer.push(Float64Array.of(value))
    quantizer.end()
    // The scales are 1 and 2, so 7, -7, 3, -7 and 1.
    expect(codes).toEqual([0x97, 0x93, 0x01])
  }
})

test('groups of one, of zeros, and a row that is one group', () => {
  const share = (greatest: number) => Math.fround(greatest / 127)
  expect(int8([3], 1, [5, -0, -2])).toEqual({ codes: [127, 0, -127], scales: [share(5), 0, share(2)] })
  expect(int8([2, 2], 2, [0, 0, 1, 0], { axis: 0 })).toEqual({ codes: [0, 0, 127, 0], scales: [share(1), 0] })
  expect(int8([2, 2], 9, [127, 1, 2, -254])).toEqual({ codes: [127, 1, 1, -127], scales: [1, 2] })
})

test('what is not asked for is not given, and nothing comes of nothing', () => {
  const format = quantizationFormat('int8:2')
  const grouping = groupingOf([2], format, {})
  const seen: string[] = []
  for (const out of [{ codes: () => seen.push('codes') }, { scales: () => seen.push('scales') }, {}]) {
    const quantizer = new GroupQuantizer(format, grouping, 1, {}, out as never)
    quantizer.push(Float32Array.of(1, 2))
    quantizer.end()
    quantizer.end()
  }
  expect(seen).toEqual(['codes', 'scales'])
  expect(int8([0], 2, [])).toEqual({ codes: [], scales: [] })
})

test('an outer scale multiplies the scale that numbers are divided by', () => {
  const format = quantizationFormat('nvfp4')
  const codes: number[] = []
  const scales: number[] = []
  const quantizer = new GroupQuantizer(format, groupingOf([2], format, {}), 0.5, {}, {
    codes: (bytes) => codes.push(...bytes), scales: (bytes) => scales.push(...bytes),
  })
  quantizer.push(Float64Array.of(6, -1))
  quantizer.end()
  // The scale is 2, as 6 / 6 / 0.5, and times 0.5 that is 1: 6 is code 7, and -1 is code 10.
  expect([codes, scales]).toEqual([[0xa7], [0x40]])
})

test('more numbers than are encoded at a time, and more scales, each in its place', () => {
  // A batch is 32,768 elements, and scales are encoded by 8,192.
  const count = 2 * 32_768 + 10
  const values = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 127 : i % 127))
  const { codes, scales } = int8([count], 2, values)
  expect(codes).toEqual(values)
  expect([scales.length, new Set(scales)]).toEqual([count / 2, new Set([1])])
  // One group of all of them is divided in runs that fit into the batch.
  const whole = int8([count], count, values)
  expect(whole.codes).toEqual(values)
  expect(whole.scales).toEqual([1])
  const many = Array.from({ length: 8192 + 2 }, (_, i) => 127 * (i + 1))
  expect(int8([8194], 1, many).scales).toEqual(many.map((_, i) => i + 1))
})

test('infinities and NaN: refused with the place in the tensor, or set right without setting a scale', () => {
  const message = "past f32's numbers; pass infinity: 'saturate' to make it its group's largest"
  for (const axis of [0, 1]) {
    refuses(() => int8([3, 2], 2, [1, 2, 3, 4, 5, Infinity], { axis }), `TYPE at [5]: Infinity is ${message}`)
    refuses(() => int8([3, 2], 2, [1, 2, 3, -1e39, 5, 6], { axis }), `TYPE at [3]: -1e+39 is ${message}`)
    refuses(() => int8([3, 2], 2, [1, 2, NaN, 4, 5, 6], { axis }), 'TYPE at [2]: i8 has no NaN')
    expect(int8([2, 2], 2, [127, 254, -Infinity, Infinity], { axis, infinity: 'saturate' }).codes).toEqual(
      axis === 0 ? [127, 127, -127, 127] : [64, 127, -127, 127],
    )
    expect(int8([2, 2], 2, [NaN, 254, 127, NaN], { axis, nan: 'max' }).codes).toEqual([127, 127, 127, 127])
    expect(int8([2, 2], 2, [NaN, 254, 127, NaN], { axis, nan: 'zero' }).scales).toEqual(axis === 0 ? [1, 2] : [2, 1])
  }
})

test('the greatest magnitude of a part, and what has none', () => {
  const values = Float64Array.of(9, -3, 2, NaN, -7, 8)
  expect(greatestOf(values, 1, 2, 'refuse', 0)).toBe(3)
  expect(greatestOf(values, 1, 4, 'refuse', 0)).toBe(7)
  expect(greatestOf(values, 3, 1, 'refuse', 0)).toBe(0)
  expect(greatestOf(values, 2, 0, 'refuse', 0)).toBe(0)
  expect(greatestOf(Float64Array.of(MAX_F32, -1), 0, 2, 'refuse', 0)).toBe(MAX_F32)
  const past = Float64Array.of(0, 0, 5, MAX_F32 + 2 ** 75, -Infinity)
  expect(greatestOf(past, 2, 3, 'saturate', 100)).toBe(5)
  refuses(() => greatestOf(past, 2, 3, 'refuse', 100), 'TYPE at [101]')
  refuses(() => greatestOf(past, 4, 1, 'refuse', 100), "TYPE at [100]: -Infinity is past f32's numbers")
})

test('how elements lie in groups', () => {
  const group = (name: QuantizationName, shape: number[], axis?: number) =>
    groupingOf(shape, quantizationFormat(name), { axis })
  expect(group('int8:4', [3, 10, 5, 2], 1)).toEqual({
    shape: [3, 10, 5, 2], scaleShape: [3, 3, 5, 2], axis: 1, groupSize: 4, axisLength: 10, inner: 10,
  })
  expect(group('mxfp4', [2, 32])).toMatchObject({ scaleShape: [2, 1], axis: 1, inner: 1 })
  expect(group('mxfp4', [2, 33], 0)).toMatchObject({ scaleShape: [1, 33], axis: 0, inner: 33 })
  expect(group('nvfp4', [0])).toMatchObject({ scaleShape: [0], axisLength: 0 })
  refuses(() => group('mxfp4', []), 'TYPE: a tensor of rank 0 has no axis to quantize along')
  for (const axis of [-1, 2, 0.5]) {
    refuses(() => group('mxfp4', [2, 2], axis), `TYPE: axis ${axis} is none of the 2 dimensions`)
  }
  refuses(() => group('mxfp4', [2, -1]), 'a dimension is an integer from 0')
})

test('choices that are none', () => {
  checkQuantizeOptions({})
  checkQuantizeOptions({ nan: 'max', infinity: 'saturate' })
  checkQuantizeOptions({ infinity: 'refuse' })
  refuses(() => checkQuantizeOptions({ nan: 'keep' as 'max' }), "TYPE: nan is 'refuse', 'zero' or 'max', not \"keep\"")
  const misspelt = { infinity: 'max' as 'refuse' }
  refuses(() => checkQuantizeOptions(misspelt), "TYPE: infinity is 'refuse' or 'saturate', not \"max\"")
})
