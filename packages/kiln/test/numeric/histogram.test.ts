import { expect, test } from 'vitest'
import { HistogramBuilder, type Histogram } from '../../src/numeric/histogram.js'
import { fault } from '../support/fault.js'

function histogramOf(...parts: number[][]): Histogram {
  const builder = new HistogramBuilder()
  for (const part of parts) {
    builder.cover(Math.min(...part), Math.max(...part))
    builder.add(Float64Array.from(part))
  }
  return builder.result()
}

/** Which bins of a histogram have how many numbers. */
function filled({ from, binWidth, counts }: Histogram): unknown {
  const bins = Object.fromEntries([...counts.entries()].filter(([, count]) => count > 0))
  return { from, binWidth, bins: counts.length, ...bins }
}

const NONE = { from: 0, binWidth: 2 ** -1022, counts: [] }

test('nothing has no bins', () => {
  expect(new HistogramBuilder().result()).toEqual(NONE)
})

test('64 bins are enough for 0 to 63, and 0 to 64 are twice as wide', () => {
  const integers = (most: number) => Array.from({ length: most + 1 }, (_, i) => i)
  expect(histogramOf(integers(63))).toEqual({ from: 0, binWidth: 1, counts: Array.from({ length: 64 }, () => 1) })
  const wider = histogramOf(integers(64))
  expect(wider).toEqual({ from: 0, binWidth: 2, counts: [...Array.from({ length: 32 }, () => 2), 1] })
})

test('bins begin at multiples of their width on both sides of 0', () => {
  // In quarters from -3 to 6 there are 37; in eighths there would be 73.
  expect(filled(histogramOf([-3, -2.76, -2.75, 0, 5.99, 6]))).toEqual({
    from: -3, binWidth: 0.25, bins: 37, 0: 2, 1: 1, 12: 1, 35: 1, 36: 1,
  })
})

test('one number: its multiple of the width is at most 2^40', () => {
  expect(histogramOf([1, 1])).toEqual({ from: 1, binWidth: 2 ** -40, counts: [2] })
  expect(histogramOf([-1])).toEqual({ from: -1, binWidth: 2 ** -40, counts: [1] })
  // Here the greatest would be the multiple 2^40 + 1 of 2^-40.
  expect(histogramOf([1, 1 + 2 ** -40])).toEqual({ from: 1, binWidth: 2 ** -39, counts: [2] })
  expect(histogramOf([3])).toEqual({ from: 3, binWidth: 2 ** -38, counts: [1] })
  expect(histogramOf([0])).toEqual({ from: 0, binWidth: 2 ** -1022, counts: [1] })
  expect(histogramOf([-Number.MIN_VALUE])).toEqual({ from: -(2 ** -1022), binWidth: 2 ** -1022, counts: [1] })
  expect(histogramOf([Number.MAX_VALUE])).toEqual({ from: (2 ** 40 - 1) * 2 ** 984, binWidth: 2 ** 984, counts: [1] })
})

test('numbers that are not finite are passed over', () => {
  const builder = new HistogramBuilder()
  builder.cover(0, 1)
  builder.add(Float32Array.of(NaN, 0, Infinity, 1, -Infinity))
  expect(filled(builder.result())).toEqual({ from: 0, binWidth: 2 ** -5, bins: 33, 0: 1, 32: 1 })
})

test('bins that are outgrown become fewer, with their counts', () => {
  // From 3 to 4 in 32nds, from 0 to 10 in quarters.
  expect(filled(histogramOf([3, 3.5, 4]))).toEqual({ from: 3, binWidth: 1 / 32, bins: 33, 0: 1, 16: 1, 32: 1 })
  expect(filled(histogramOf([3, 3.5, 4], [10, 0]))).toEqual({
    from: 0, binWidth: 0.25, bins: 41, 0: 1, 12: 1, 14: 1, 16: 1, 40: 1,
  })
  // The same width and another start; the same start and width and another end.
  expect(filled(histogramOf([0, 32], [-1]))).toEqual({ from: -1, binWidth: 1, bins: 34, 0: 1, 1: 1, 33: 1 })
  expect(filled(histogramOf([0, 32], [34]))).toEqual({ from: 0, binWidth: 1, bins: 35, 0: 1, 32: 1, 34: 1 })
  // Twice as wide and twice as far: as many bins from the same start.
  expect(filled(histogramOf([0, 32], [64]))).toEqual({ from: 0, binWidth: 2, bins: 33, 0: 1, 16: 1, 32: 1 })
  // All 64 bins were in use.
  expect(filled(histogramOf([0, 63], [64]))).toEqual({ from: 0, binWidth: 2, bins: 33, 0: 1, 31: 1, 32: 1 })
  // What is within the bins needs no others.
  expect(filled(histogramOf([0, 32], [5, 5]))).toEqual({ from: 0, binWidth: 1, bins: 33, 0: 1, 5: 2, 32: 1 })
})

test('a histogram is merged, whichever of the two has wider bins', () => {
  const merged = (own: number[], other: Histogram, least: number, greatest: number) => {
    const builder = new HistogramBuilder()
    if (own.length > 0) builder.cover(Math.min(...own), Math.max(...own))
    builder.add(Float64Array.from(own))
    builder.merge(other, least, greatest, other.counts.reduce((sum, count) => sum + count))
    return filled(builder.result())
  }
  const other = histogramOf([3, 3.5, 3.5, 4])
  expect(merged([], other, 3, 4)).toEqual({ from: 3, binWidth: 1 / 32, bins: 33, 0: 1, 16: 2, 32: 1 })
  expect(merged([0, 10], other, 3, 4)).toEqual({ from: 0, binWidth: 0.25, bins: 41, 0: 1, 12: 1, 14: 2, 16: 1, 40: 1 })
  // Bins of 1 stay bins of 1, though a quarter to a half would have finer ones.
  expect(merged([], { from: 0, binWidth: 1, counts: [5] }, 0.25, 0.5)).toEqual({ from: 0, binWidth: 1, bins: 1, 0: 5 })
  expect(merged([0.5], { from: -2, binWidth: 2, counts: [1, 0, 7] }, -1.5, 2)).toEqual({
    from: -2, binWidth: 2, bins: 3, 0: 1, 1: 1, 2: 7,
  })
})

test.each([
  ['a width that is no power of 2', { from: 3, binWidth: 3, counts: [2] }, 3, 3],
  ['a start that is no multiple of it', { from: 0.5, binWidth: 1, counts: [2] }, 0.5, 1],
  ['a start above the least number', { from: 1, binWidth: 1, counts: [1, 1] }, 0.5, 2],
  ['a start a bin too early', { from: -1, binWidth: 1, counts: [0, 2] }, 0, 0.5],
  ['a last bin that begins above the greatest number', { from: 0, binWidth: 1, counts: [1, 0, 1] }, 0, 1.5],
  ['an end a bin too early', { from: 0, binWidth: 1, counts: [2] }, 0, 1],
  ['as many bins that begin elsewhere', { from: 5, binWidth: 1, counts: [2] }, 0, 0.5],
  ['a count of part of a number', { from: 0, binWidth: 1, counts: [1.5, 0.5] }, 0, 1],
  ['a count below 0', { from: 0, binWidth: 1, counts: [3, -1] }, 0, 1],
  ['counts of fewer numbers', { from: 0, binWidth: 1, counts: [1] }, 0, 0.5],
  ['counts of more numbers', { from: 0, binWidth: 1, counts: [3] }, 0, 0.5],
  ['no counts', { from: 0, binWidth: 1, counts: [] }, 0, 0.5],
])('%s is refused', (_, histogram, least, greatest) => {
  const builder = new HistogramBuilder()
  expect(fault(() => builder.merge(histogram, least, greatest, 2))).toMatchObject({ code: 'TYPE', path: 'histogram' })
  expect(builder.result()).toEqual(NONE)
})

test('a last bin may begin at the greatest number', () => {
  const builder = new HistogramBuilder()
  builder.merge({ from: 0, binWidth: 1, counts: [1, 0, 1] }, 0, 2, 2)
  expect(filled(builder.result())).toEqual({ from: 0, binWidth: 1, bins: 3, 0: 1, 2: 1 })
})
