import { expect, test } from 'vitest'
import {
  codeOf, dequantize, dequantizesGgml, Difference, differenceOf, narrow, numberOf, numbersOf, quantizationFormat,
  quantize, Statistics, statisticsOf, streamDifference, streamNarrowed, streamQuantized, streamStatistics,
  streamValues, valueBlocks, widen,
} from 'kiln-format/numeric'
import { fault } from '../support/fault.js'
import { expectedOf, outcomesOf, type Row } from './outcomes.js'

const pair = { dtype: 'f32', shape: [2], bytes: new Uint8Array(8) } as const
const scaled = { ...pair, scheme: 1, axis: 0, groupSize: 2, scale: { dtype: 'f32', shape: [1], bytes: new Uint8Array(4) } } as const
const summary = statisticsOf(pair)

const ROWS: readonly Row[] = [
  ['numberOf: dtype', (x) => numberOf(x, 1), 'TYPE'],
  ['numberOf: code', (x) => numberOf('u8', x), 'TYPE', { taken: 'zero' }],
  ['codeOf: dtype', (x) => codeOf(x, 1, { mode: 'saturate' }), 'TYPE'],
  ['codeOf: value', (x) => codeOf('f16', x, { mode: 'saturate' }), 'TYPE', { taken: 'zero negative fraction NaN Infinity unsafe' }],
  ['codeOf: options', (x) => codeOf('f16', 1, x), 'TYPE'],
  ['narrow: values', (x) => narrow(x, 'f16', { mode: 'saturate' }), 'TYPE', { taken: 'array bytes' }],
  ['narrow: a value', (x) => narrow([x], 'f16', { mode: 'saturate' }), 'TYPE', { taken: 'zero negative fraction NaN Infinity unsafe' }],
  ['narrow: dtype', (x) => narrow([1], x, { mode: 'saturate' }), 'TYPE'],
  ['narrow: options', (x) => narrow([1], 'f16', x), 'TYPE'],
  ['narrow: mode', (x) => narrow([1], 'f16', { mode: x }), 'TYPE'],
  ['narrow: nan', (x) => narrow([1], 'f16', { mode: 'saturate', nan: x }), 'TYPE', { taken: 'undefined' }],
  ['narrow: target', (x) => narrow([1], 'f16', { mode: 'saturate', target: x }), 'TYPE', { taken: 'undefined bytes' }],
  ['narrow: firstIndex', (x) => narrow([1], 'f16', { mode: 'saturate', firstIndex: x }), 'TYPE', { taken: 'undefined zero' }],
  ['widen: tensor', (x) => widen(x), 'TYPE'],
  ['widen: dtype', (x) => widen({ ...pair, dtype: x }), 'TYPE'],
  ['widen: shape', (x) => widen({ ...pair, shape: x }), 'TYPE'],
  ['widen: bytes', (x) => widen({ ...pair, bytes: x }), 'TYPE'],
  ['widen: target', (x) => widen(pair, x), 'TYPE', { taken: 'undefined' }],
  ['widen: options', (x) => widen(pair, 'f32', x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['widen: inexact', (x) => widen(pair, 'f32', { inexact: x }), 'TYPE', { taken: 'undefined null' }],
  ['dequantize: tensor', (x) => dequantize(x), 'TYPE'],
  ['dequantize: scheme', (x) => dequantize({ ...scaled, scheme: x }), 'TYPE', { taken: 'undefined zero' }],
  ['dequantize: axis', (x) => dequantize({ ...scaled, axis: x }), 'TYPE', { taken: 'zero' }],
  ['dequantize: groupSize', (x) => dequantize({ ...scaled, groupSize: x }), 'TYPE'],
  ['dequantize: scale', (x) => dequantize({ ...scaled, scale: x }), 'TYPE'],
  ['dequantize: outer', (x) => dequantize({ ...scaled, scheme: 2, outer: x }), 'TYPE'],
  ['dequantize: target', (x) => dequantize(pair, x), 'TYPE', { taken: 'undefined' }],
  ['dequantize: options', (x) => dequantize(pair, undefined, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['dequantizesGgml', (x) => dequantizesGgml(x), 'taken'],
  ['numbersOf: tensor', (x) => numbersOf(x), 'TYPE'],
  ['numbersOf: options', (x) => numbersOf(pair, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['numbersOf: at', (x) => numbersOf(pair).at(x), 'TYPE', { taken: 'zero' }],
  ['quantizationFormat', (x) => quantizationFormat(x), 'TYPE'],
  ['quantize: name', (x) => quantize(x, [2], [1, 2], 'mxfp4'), 'TYPE', { taken: 'text' }],
  ['quantize: shape', (x) => quantize('w', x, [1, 2], 'mxfp4'), 'TYPE'],
  ['quantize: values', (x) => quantize('w', [2], x, 'mxfp4'), 'TYPE'],
  ['quantize: format', (x) => quantize('w', [2], [1, 2], x), 'TYPE'],
  ['quantize: options', (x) => quantize('w', [2], [1, 2], 'mxfp4', x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['quantize: axis', (x) => quantize('w', [2], [1, 2], 'mxfp4', { axis: x }), 'TYPE', { taken: 'undefined zero' }],
  ['quantize: infinity', (x) => quantize('w', [2], [1, 2], 'mxfp4', { infinity: x }), 'TYPE', { taken: 'undefined' }],
  ['Statistics: dtype', (x) => new Statistics(x), 'TYPE', { taken: 'undefined' }],
  ['Statistics: add', (x) => new Statistics().add(x), 'TYPE'],
  ['Statistics: merge', (x) => new Statistics().merge(x), 'TYPE'],
  ['Statistics: merge a count', (x) => new Statistics().merge({ ...summary, count: x }), 'TYPE', { taken: 'zero' }],
  ['Statistics: merge a minimum', (x) => new Statistics().merge({ ...summary, min: x }), 'TYPE', { taken: 'zero' }],
  ['Statistics: merge a histogram', (x) => new Statistics().merge({ ...summary, histogram: x }), 'TYPE'],
  ['statisticsOf: tensor', (x) => statisticsOf(x), 'TYPE'],
  ['statisticsOf: options', (x) => statisticsOf(pair, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['streamStatistics: tensor', (x) => streamStatistics(x, [pair.bytes]), 'TYPE'],
  ['streamStatistics: chunks', (x) => streamStatistics(pair, x), 'TYPE'],
  ['streamStatistics: a chunk', (x) => streamStatistics(pair, [x]), 'TYPE'],
  ['streamStatistics: progress', (x) => streamStatistics(pair, [pair.bytes], { progress: x }), 'TYPE', { taken: 'undefined function' }],
  ['streamStatistics: options', (x) => streamStatistics(pair, [pair.bytes], x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['Difference: one', (x) => new Difference().add(x, new Float32Array(3)), 'TYPE'],
  ['Difference: other', (x) => new Difference().add(new Float32Array(3), x), 'TYPE'],
  ['differenceOf: one', (x) => differenceOf(x, pair), 'TYPE'],
  ['differenceOf: other', (x) => differenceOf(pair, x), 'TYPE'],
  ['streamDifference: one', (x) => streamDifference(x, { tensor: pair, chunks: [pair.bytes] }), 'TYPE'],
  ['streamDifference: other', (x) => streamDifference({ tensor: pair, chunks: [pair.bytes] }, x), 'TYPE'],
  ['streamDifference: tensor', (x) => streamDifference({ tensor: x, chunks: [] }, { tensor: pair, chunks: [pair.bytes] }), 'TYPE'],
  ['streamDifference: chunks', (x) => streamDifference({ tensor: pair, chunks: [pair.bytes] }, { tensor: pair, chunks: x }), 'TYPE'],
  ['streamNarrowed: tensor', (x) => streamNarrowed(x, [pair.bytes], 'f16', { mode: 'saturate' }), 'TYPE'],
  ['streamNarrowed: chunks', (x) => streamNarrowed(pair, x, 'f16', { mode: 'saturate' }), 'TYPE'],
  ['streamNarrowed: options', (x) => streamNarrowed(pair, [pair.bytes], 'f16', x), 'TYPE'],
  ['streamQuantized: name', (x) => streamQuantized(x, pair, () => [pair.bytes], 'mxfp4'), 'TYPE', { taken: 'text' }],
  ['streamQuantized: tensor', (x) => streamQuantized('w', x, () => [pair.bytes], 'mxfp4'), 'TYPE'],
  ['streamQuantized: chunks', (x) => streamQuantized('w', pair, x, 'mxfp4'), 'TYPE', { taken: 'function' }],
  ['streamQuantized: options', (x) => streamQuantized('w', pair, () => [pair.bytes], 'mxfp4', x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['streamValues: tensor', (x) => streamValues(x, []), 'TYPE'],
  ['streamValues: chunks', (x) => streamValues(pair, x), 'TYPE'],
  ['valueBlocks: tensor', (x) => valueBlocks(x), 'TYPE'],
  ['valueBlocks: options', (x) => valueBlocks(pair, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}

test('what is wrong is called by its name', () => {
  const said = (call: () => unknown): string => fault(call).message
  expect(said(() => narrow([1], 'f16', 5 as never))).toBe('TYPE: options are an object of names and values, got 5')
  expect(said(() => streamQuantized('w', pair, 5 as never, 'mxfp4'))).toBe('TYPE: chunks is a function, got 5')
  expect(said(() => streamValues(pair, 5 as never))).toContain('TYPE: chunks gives bytes piece by piece')
  expect(said(() => dequantize({ ...pair, scheme: 1, axis: 0, groupSize: 1, scale: null as never }))).toBe('TYPE at scale: scheme 1 needs a scale')
  expect(said(() => dequantize({ ...pair, scheme: 1, axis: 0, groupSize: 1, scale: {} as never }))).toContain('TYPE at scale: undefined is no dtype')
  const outer = { dtype: 'f32', shape: [1], bytes: new Uint8Array(3) } as const
  const scale = { dtype: 'f32', shape: [2], bytes: new Uint8Array(8) } as const
  expect(said(() => dequantize({ ...pair, scheme: 2, axis: 0, groupSize: 1, scale, outer }))).toBe('TYPE at outer: the payload has 3 bytes, but f32 of shape [1] needs 4')
})
