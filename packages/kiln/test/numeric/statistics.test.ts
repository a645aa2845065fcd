import { expect, test } from 'vitest'
import {
  narrow, Statistics, statisticsOf, streamStatistics, type Histogram, type StatisticsSummary,
} from 'kiln-format/numeric'
import { refuses, refusesLater } from './refuses.js'

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Statistics the plain way, over all numbers at once; mean and deviation by sums of exact integers where asked. */
function plainly(values: ArrayLike<number>): { min: number; max: number; mean: number; std: number } {
  const finite = Array.from(values).filter(Number.isFinite)
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length
  const variance = finite.reduce((sum, value) => sum + (value - mean) ** 2, 0) / finite.length
  return { min: Math.min(...finite), max: Math.max(...finite), mean, std: Math.sqrt(variance) }
}

/** What every histogram has to hold of the numbers it is of. */
function checkHistogram({ from, binWidth, counts }: Histogram, values: ArrayLike<number>): void {
  const finite = Array.from(values).filter(Number.isFinite)
  expect(counts.length).toBeLessThanOrEqual(64)
  expect(Number.isInteger(Math.log2(binWidth))).toBe(true)
  expect(Number.isInteger(from / binWidth)).toBe(true)
  const want = counts.map(() => 0)
  for (const value of finite) want[Math.floor(value / binWidth) - from / binWidth]!++
  expect(counts).toEqual(want)
  // The first and the last bin are of use, and with bins half as wide there would be too many.
  if (finite.length > 0) expect(counts[0]! * counts[counts.length - 1]!).toBeGreaterThan(0)
}

test('statistics of a few numbers, on paper', () => {
  const values = Float32Array.of(1, -3, 0, -0, NaN, Infinity, -Infinity, 2 ** -140, 6, NaN)
  const bytes = new Uint8Array(values.buffer)
  const { histogram, mean, squares, std, ...rest } = statisticsOf({ dtype: 'f32', shape: [10], bytes })
  expect(rest).toEqual({ count: 10, finite: 6, nans: 2, infinities: 2, zeros: 2, subnormals: 1, min: -3, max: 6 })
  expect(mean).toBeCloseTo(4 / 6, 12)
  expect(squares).toBeCloseTo(46 - 16 / 6, 10)
  expect(std).toBeCloseTo(Math.sqrt((46 - 16 / 6) / 6), 12)
  checkHistogram(histogram, values)
  expect(histogram).toMatchObject({ from: -3, binWidth: 0.25 })
})

test('numbers that are none, and none at all', () => {
  const nothing = {
    count: 0, finite: 0, nans: 0, infinities: 0, zeros: 0, subnormals: 0, squares: 0,
    histogram: { from: 0, binWidth: 2 ** -1022, counts: [] },
  }
  expect(statisticsOf({ dtype: 'f32', shape: [0], bytes: new Uint8Array(0) })).toEqual(nothing)
  const nan = statisticsOf({ dtype: 'f16', shape: [2], bytes: Uint8Array.of(0, 0x7e, 0, 0x7c) })
  expect(nan).toEqual({ ...nothing, count: 2, nans: 1, infinities: 1 })
})

test.each([
  ['uniform', (r: () => number) => r() * 2 - 1], ['skewed', (r: () => number) => r() ** 9 * 1000],
  ['far from zero', (r: () => number) => 1e6 + r()], ['one number', () => 0.1],
  ['all sizes', (r: () => number) => 2 ** (r() * 60 - 30)],
  ['rarely huge', (r: () => number) => (r() < 0.0005 ? 1e30 : r())],
] as const)('%s: the same as the plain way, however the numbers come', (_, number) => {
  const next = random(7)
  const values = Float32Array.from({ length: 30_000 }, () => number(next))
  const want = plainly(values)
  const whole = new Statistics()
  whole.add(values)
  const summary = whole.summary()
  expect([summary.count, summary.min, summary.max]).toEqual([30_000, want.min, want.max])
  expect(Math.abs(summary.mean! / want.mean - 1)).toBeLessThan(1e-12)
  // The plain way's own error is in this too.
  expect(Math.abs(summary.std! - want.std)).toBeLessThanOrEqual(want.std * 1e-9 + Math.abs(want.mean) * 1e-15)
  checkHistogram(summary.histogram, values)

  // In three parts that are merged by their summaries, as Workers would post them.
  const parts = [values.subarray(0, 5), values.subarray(5, 20_000), values.subarray(20_000)].map((part) => {
    const statistics = new Statistics()
    statistics.add(part)
    return JSON.parse(JSON.stringify(statistics.summary())) as StatisticsSummary
  })
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2]]) {
    const merged = new Statistics()
    for (const i of order) merged.merge(parts[i]!)
    const { mean, std, squares, ...rest } = merged.summary()
    const { mean: wantMean, std: wantStd, squares: _squares, ...wantRest } = summary
    expect(rest).toEqual(wantRest)
    expect(Math.abs(mean! / wantMean! - 1)).toBeLessThan(1e-13)
    expect(Math.abs(std! - wantStd!)).toBeLessThanOrEqual(wantStd! * 1e-9 + Math.abs(mean!) * 1e-15)
    expect(squares).toBeGreaterThanOrEqual(0)
  }
})

test('no digits are lost where the mean is large beside the deviation', () => {
  // The sum of squares less the square of the sum would have none left.
  const values = Float64Array.from({ length: 40_000 }, (_, i) => 1e9 + (i % 2))
  const statistics = new Statistics('f64')
  statistics.add(values)
  expect(statistics.summary()).toMatchObject({ mean: 1e9 + 0.5, std: 0.5 })
})

test('numbers at the end of f64', () => {
  const statistics = new Statistics('f64')
  statistics.add(Float64Array.of(Number.MAX_VALUE, Number.MAX_VALUE, Number.MIN_VALUE))
  statistics.add(Float64Array.of(-Number.MAX_VALUE, -Number.MAX_VALUE, -Number.MAX_VALUE))
  const { mean, std, histogram, subnormals, min, max } = statistics.summary()
  expect(Math.abs(mean! / (-Number.MAX_VALUE / 6) - 1)).toBeLessThan(1e-10)
  expect([std, subnormals, min, max]).toEqual([Infinity, 1, -Number.MAX_VALUE, Number.MAX_VALUE])
  expect(histogram.counts.reduce((sum, count) => sum + count, 0)).toBe(6)
})

test.each([
  ['f16', 2 ** -15, 1], ['f16', 2 ** -14, 0], ['bf16', 2 ** -127, 1], ['bf16', 2 ** -126, 0], ['f32', 2 ** -127, 1],
  ['f8e4m3', 2 ** -7, 1], ['f8e4m3', 2 ** -6, 0], ['f8e5m2fnuz', 2 ** -16, 1], ['e2m1', 0.5, 1], ['e2m1', 1, 0],
  ['e3m2', 0.125, 1], ['f64', 2 ** -1023, 1], ['f64', 2 ** -1022, 0], ['e8m0', 2 ** -127, 0], ['i8', 1, 0],
  ['u32', 1, 0],
] as const)('of %s, %d counts as %i subnormal', (dtype, value, subnormals) => {
  const bytes = narrow([value, value], dtype, { mode: 'saturate' })
  expect(statisticsOf({ dtype, shape: [2], bytes })).toMatchObject({ count: 2, subnormals: 2 * subnormals, min: value })
})

test("a tensor with links is counted by its products, which are f32's", () => {
  const scale = { dtype: 'e8m0', shape: [1], bytes: Uint8Array.of(1) } as const
  const w = { dtype: 'e2m1', shape: [4], bytes: Uint8Array.of(0x10, 0x27), axis: 0, groupSize: 4, scale } as const
  // 0 0.5 6 1 times 2^-126
  expect(statisticsOf(w)).toMatchObject({ count: 4, zeros: 1, subnormals: 1, max: 6 * 2 ** -126 })
})

test('integers over 2^53 are rounded, unless that is refused', () => {
  const bytes = new Uint8Array(BigInt64Array.of(2n ** 60n + 1n, -5n).buffer)
  const tensor = { dtype: 'i64', shape: [2], bytes } as const
  expect(statisticsOf(tensor)).toMatchObject({ max: 2 ** 60, min: -5 })
  refuses(() => statisticsOf(tensor, { inexact: 'refuse' }), 'TYPE at [0]: 1152921504606846977 (i64) is no f64')
})

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

test('a stream has the same statistics to the last bit, however it is cut, and tells its progress', async () => {
  const next = random(3)
  const values = Float32Array.from({ length: 1_300_000 }, () => next() * 2 - 1)
  const bytes = narrow(values, 'bf16', { mode: 'saturate' })
  const shape = [1300, 1000]
  const want = statisticsOf({ dtype: 'bf16', shape, bytes })
  for (const size of [4_001, 65_536, 2_600_000]) {
    const progress: [number, number][] = []
    const got = await streamStatistics({ dtype: 'bf16', shape }, pieces(bytes, size), {
      progress: (count, statistics) => progress.push([count, statistics.summary().count]),
    })
    expect(got).toEqual(want)
    expect(progress).toEqual([[2 ** 20, 2 ** 20]])
  }
})

test('summaries that are none are refused', () => {
  const statistics = new Statistics()
  statistics.add(Float32Array.of(1, 2))
  const { min: _min, ...summary } = statistics.summary()
  const part = 'a summary of finite numbers has min, max, mean and squares, got undefined'
  refuses(() => new Statistics().merge(summary), `TYPE at min: ${part}`)
  for (const name of ['max', 'mean'] as const) {
    const { [name]: _part, ...partial } = statistics.summary()
    refuses(() => new Statistics().merge(partial), `TYPE at ${name}: ${part}`)
  }
  const wrong = { from: 1, binWidth: 3, counts: [1] }
  refuses(() => new Statistics().merge({ ...summary, min: 1, histogram: wrong }), 'TYPE at histogram')
})

test('mean and squares of parts are put together exactly where numbers are few and small', () => {
  const statistics = new Statistics()
  statistics.add(Float32Array.of(1, 3))
  expect(statistics.summary()).toMatchObject({ finite: 2, mean: 2, squares: 2, std: 1, min: 1, max: 3 })
  statistics.add(Float32Array.of(NaN, 7, 9))
  // The mean is 5; 4, 2, 2 and 4 from it.
  expect(statistics.summary()).toMatchObject({ count: 5, finite: 4, mean: 5, squares: 40, std: Math.sqrt(10), max: 9 })
  const other = new Statistics()
  other.add(Float32Array.of(21, 21, 21, 21, -Infinity))
  other.merge(statistics.summary())
  // 13 is the mean of both, 8 from each of theirs: 40 + 8 * 64.
  expect(other.summary()).toMatchObject({
    count: 10, finite: 8, nans: 1, infinities: 1, mean: 13, squares: 552, std: Math.sqrt(69), min: 1, max: 21,
  })
})

test('a mean that had to be rounded makes the squares no larger', () => {
  // The mean is 2^53 + 1, which f64 doesn't have: the sum is rounded to 2^54.
  const statistics = new Statistics('f64')
  statistics.add(Float64Array.of(2 ** 53, 2 ** 53 + 2))
  expect(statistics.summary()).toMatchObject({ mean: 2 ** 53, squares: 2, std: 1 })
})

test('the mean of numbers whose sum f64 does not hold', () => {
  const max = Number.MAX_VALUE
  const meanOf = (...values: number[]) => {
    const statistics = new Statistics('f64')
    statistics.add(Float64Array.from(values))
    return statistics.summary().mean
  }
  expect(meanOf(max, max)).toBe(max)
  expect(meanOf(max, NaN, max, Infinity, -max)).toBe(max / 3)
  expect(meanOf(-max, -max)).toBe(-max)
})

test('counts of two summaries are added, also where one has no finite number', () => {
  const one = new Statistics('f16')
  one.add(Float32Array.of(0, 2 ** -20, NaN, Infinity))
  const none = new Statistics('f16')
  none.add(Float32Array.of(NaN, -Infinity, Infinity))
  none.merge(one.summary())
  one.merge(new Statistics().summary())
  expect(one.summary()).toMatchObject({ count: 4, finite: 2, nans: 1, infinities: 1, zeros: 1, subnormals: 1 })
  none.merge(one.summary())
  expect(none.summary()).toMatchObject({
    count: 11, finite: 4, nans: 3, infinities: 4, zeros: 2, subnormals: 2, max: 2 ** -20,
  })
})

test('a number is subnormal on either side of zero, and the least normal one on neither', () => {
  const statistics = new Statistics('f16')
  statistics.add(Float32Array.of(2 ** -14, -(2 ** -14), 2 ** -15, -(2 ** -15), -(2 ** -24)))
  expect(statistics.summary().subnormals).toBe(3)
  // Without a dtype numbers are f32's.
  const singles = new Statistics()
  singles.add(Float32Array.of(2 ** -126, 2 ** -127, -(2 ** -149)))
  expect(singles.summary().subnormals).toBe(2)
  const block = new Uint8Array(34)
  block.set([0x01, 0x00, 1]) // 2^-24, once
  expect(statisticsOf({ dtype: 'ggml_q8_0', shape: [32], bytes: block })).toMatchObject({ subnormals: 0, zeros: 31 })
  const blocks = new Statistics('ggml_q8_0')
  blocks.add(Float32Array.of(2 ** -127))
  expect(blocks.summary().subnormals).toBe(1)
})

test('a few pieces have the statistics of the whole', async () => {
  const bytes = new Uint8Array(Float32Array.of(1, 3, NaN, 7, 9).buffer)
  const got = await streamStatistics({ dtype: 'f32', shape: [5] }, pieces(bytes, 3))
  expect(got).toEqual(statisticsOf({ dtype: 'f32', shape: [5], bytes }))
  expect(got).toMatchObject({ count: 5, mean: 5, squares: 40 })
  const integers = new Uint8Array(BigInt64Array.of(2n ** 60n + 1n, -5n).buffer)
  const i64 = { dtype: 'i64', shape: [2] } as const
  await expect(streamStatistics(i64, [integers])).resolves.toMatchObject({ max: 2 ** 60, min: -5 })
  await refusesLater(streamStatistics(i64, [integers], { inexact: 'refuse' }), 'TYPE at [0]')
})

test('progress is told after 2^20 values, and not at the end of others', async () => {
  const told: [number, number][] = []
  const source = { dtype: 'u1', shape: [2 ** 20 + 8] } as const
  const bytes = new Uint8Array(2 ** 17 + 1)
  const summary = await streamStatistics(source, [bytes], {
    progress: (values, statistics) => told.push([values, statistics.summary().zeros]),
  })
  expect(told).toEqual([[2 ** 20, 2 ** 20]])
  expect(summary).toMatchObject({ count: 2 ** 20 + 8, zeros: 2 ** 20 + 8, min: 0, max: 0, squares: 0 })
  // Nobody has to listen.
  expect(await streamStatistics(source, [bytes])).toEqual(summary)
  expect(await streamStatistics(source, [bytes], {})).toEqual(summary)
})

test.each([
  [-Infinity, 2, 'min: a summary'], [1, Infinity, 'max: a summary'], [NaN, 2, 'min: a summary'], [1, NaN, 'max: a summary'],
  // What JSON makes of an infinity or a NaN.
  [null, 2, 'min: a summary'], [1, '2', 'max: a summary'], [2, 1, 'min: the least number, 2, is over the greatest, 1'],
])('a summary from %s to %s is refused, and leaves all as it was', (min, max, message) => {
  const statistics = new Statistics()
  statistics.add(Float32Array.of(1, 2))
  const summary = statistics.summary()
  const wrong = { ...summary, min, max } as StatisticsSummary
  refuses(() => statistics.merge(wrong), `TYPE at ${message}`)
  expect(statistics.summary()).toEqual(summary)
  // One number is as good as two.
  const one = new Statistics()
  one.add(Float32Array.of(2))
  statistics.merge(one.summary())
  expect(statistics.summary()).toMatchObject({ count: 3, min: 1, max: 2 })
})

test('squares past f64 are merged as they are, and no other part may be infinite', () => {
  const huge = new Statistics('f64')
  huge.add(Float64Array.of(1e200, -1e200))
  const summary = huge.summary()
  expect(summary.squares).toBe(Infinity)
  const all = new Statistics('f64')
  all.merge(summary)
  expect(all.summary()).toEqual(summary)
  for (const name of ['min', 'max', 'mean'] as const) {
    refuses(() => all.merge({ ...summary, [name]: Infinity }), `TYPE at ${name}: a summary of finite numbers has min, max, mean and squares, got Infinity`)
  }
  refuses(() => all.merge({ ...summary, squares: -Infinity }), 'TYPE at squares: a summary of finite numbers has')
  expect(all.summary()).toEqual(summary)
})

test.each([
  [Number.MAX_VALUE, -Number.MAX_VALUE], [5e-324, -5e-324], [5e-324, 5e-324], [0, -0], [1e308, 1.7e308], [1, 1 + 2 ** -52], [2 ** 1023, 0], [-3, 1e-300],
])('%s and %s are merged as they were added', (one, other) => {
  const added = new Statistics('f64')
  added.add(Float64Array.of(one, other))
  const merged = new Statistics('f64')
  merged.merge(added.summary())
  expect(merged.summary().histogram).toEqual(added.summary().histogram)
  merged.merge(added.summary())
  expect(merged.summary().histogram.counts.reduce((sum, count) => sum + count)).toBe(4)
  const { min, max } = added.summary()
  expect(merged.summary()).toMatchObject({ min, max, count: 4 })
})
