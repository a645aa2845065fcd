import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkFunction, checkOptions } from '../limits/options.js'
import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { BLOCK } from './decode.js'
import { floatFormatOf } from './float-formats.js'
import { HistogramBuilder, type Histogram } from './histogram.js'
import { schemeOf } from './links.js'
import { plainFloats } from './number-input.js'
import type { LinkedShape, LinkedTensor } from './tensor.js'
import { streamValues, valueBlocks, type Chunks } from './value-blocks.js'
import type { WidenOptions } from './widen.js'

/**
 * What is known of a set of numbers. A plain object, which a Worker can post; `min` to `std` are left out where
 * there is no finite number.
 */
export interface StatisticsSummary {
  /** All numbers, NaN and infinities too. */
  readonly count: number
  /** Those that are finite: what all below `subnormals` is of. */
  readonly finite: number
  readonly nans: number
  /** Of either sign. */
  readonly infinities: number
  /** Of either sign. */
  readonly zeros: number
  /** Numbers other than zero that are nearer to it than the dtype's least normal number. */
  readonly subnormals: number
  readonly min?: number
  readonly max?: number
  readonly mean?: number
  /** Standard deviation of the whole (divided by `finite`, not one less). */
  readonly std?: number
  /** The sum of squared distances from the mean, from which summaries are merged. */
  readonly squares: number
  readonly histogram: Histogram
}

/**
 * Statistics of numbers that come part by part, in bounded memory (a few KiB).
 *
 * Each 8,192 numbers have their mean first and then the squares of the distances from it, in f64; parts are put
 * together by the pairwise rule of Chan, Golub and LeVeque. So nothing cancels, as it does with sums of squares.
 * Numbers whose squares f64 doesn't hold (from about 10^154) have an infinite standard deviation.
 */
export class Statistics {
  readonly #leastNormal: number
  #count = 0
  #finite = 0
  #nans = 0
  #infinities = 0
  #zeros = 0
  #subnormals = 0
  #min = Infinity
  #max = -Infinity
  #mean = 0
  #squares = 0
  readonly #histogram = new HistogramBuilder()

  /** `dtype` is that of the numbers: it says which are subnormal. */
  constructor(dtype: DtypeName = 'f32') {
    this.#leastNormal = leastNormal(dtypeOf(dtype).name)
  }

  /** Takes the next numbers. */
  add(given: Float32Array | Float64Array): void {
    const values = plainFloats(given)
    for (let first = 0; first < values.length; first += BLOCK) this.#addBlock(values.subarray(first, first + BLOCK))
  }

  #addBlock(values: Float32Array | Float64Array): void {
    let min = Infinity
    let max = -Infinity
    let sum = 0
    let nans = 0
    let infinities = 0
    let zeros = 0
    let subnormals = 0
    const leastNormal = this.#leastNormal
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      if (value - value !== 0) {
        if (value !== value) nans++
        else infinities++
        continue
      }
      sum += value
      if (value < min) min = value
      if (value > max) max = value
      if (value === 0) zeros++
      else if (value < leastNormal && value > -leastNormal) subnormals++
    }
    this.#count += values.length
    this.#nans += nans
    this.#infinities += infinities
    this.#zeros += zeros
    this.#subnormals += subnormals
    const finite = values.length - nans - infinities
    if (finite === 0) return
    const mean = Number.isFinite(sum) ? sum / finite : meanOfHuge(values, finite)
    this.#merge(finite, mean, squaresFrom(values, mean, finite), min, max)
    this.#histogram.cover(this.#min, this.#max)
    this.#histogram.add(values)
  }

  /** Adds what another has seen, such as one in a Worker; the order makes no difference but in the last digits. */
  merge(other: StatisticsSummary): void {
    checkSummary(other)
    if (other.finite > 0) {
      const { finite, min, max, mean, squares, histogram } = other as Required<StatisticsSummary>
      this.#histogram.merge(histogram, min, max, finite)
      this.#merge(finite, mean, squares, min, max)
    }
    this.#count += other.count
    this.#nans += other.nans
    this.#infinities += other.infinities
    this.#zeros += other.zeros
    this.#subnormals += other.subnormals
  }

  #merge(finite: number, mean: number, squares: number, min: number, max: number): void {
    const all = this.#finite + finite
    const apart = this.#finite === 0 ? 0 : mean - this.#mean
    if (this.#finite === 0) this.#mean = mean
    this.#squares += squares + apart * apart * ((this.#finite / all) * finite)
    this.#mean = Number.isFinite(apart)
      ? this.#mean + apart * (finite / all)
      : this.#mean * (this.#finite / all) + mean * (finite / all)
    this.#finite = all
    this.#min = Math.min(this.#min, min)
    this.#max = Math.max(this.#max, max)
  }

  /** What is known by now. */
  summary(): StatisticsSummary {
    const finite = this.#finite
    return {
      count: this.#count,
      finite,
      nans: this.#nans,
      infinities: this.#infinities,
      zeros: this.#zeros,
      subnormals: this.#subnormals,
      ...(finite > 0
        ? { min: this.#min, max: this.#max, mean: this.#mean, std: Math.sqrt(this.#squares / finite) }
        : {}),
      squares: this.#squares,
      histogram: this.#histogram.result(),
    }
  }
}

/** Throws `TYPE` for what is no summary, such as one that went through JSON with its infinities. */
function checkSummary(other: StatisticsSummary): void {
  if (typeof other !== 'object' || other === null) {
    throw new KilnError('TYPE', `a summary that summary() gave is merged, got ${describe(other)}`)
  }
  for (const name of ['count', 'finite', 'nans', 'infinities', 'zeros', 'subnormals'] as const) {
    const value: unknown = other[name]
    if (Number.isSafeInteger(value) && (value as number) >= 0) continue
    throw new KilnError('TYPE', `a count of numbers is an integer from 0 on, got ${describe(value)}`).within(name)
  }
  for (const name of other.finite > 0 ? (['min', 'max', 'mean', 'squares'] as const) : []) {
    if (Number.isFinite(other[name]) || (name === 'squares' && other.squares === Infinity)) continue
    throw new KilnError('TYPE', `a summary of finite numbers has min, max, mean and squares, got ${describe(other[name])}`).within(name)
  }
  if (other.min! > other.max!) throw new KilnError('TYPE', `the least number, ${other.min}, is over the greatest, ${other.max}`).within('min')
}

/** The least normal number of a dtype; 0 for dtypes without subnormals. */
function leastNormal(dtype: DtypeName): number {
  if (dtype === 'f64') return 2 ** -1022
  const format = floatFormatOf(dtype)
  if (format !== undefined) return format.minNormal
  return dtype === 'f32' || dtype.startsWith('ggml_') ? 2 ** -126 : 0
}

/** The mean where the sum is past f64: of numbers so large that a part of 2^14 loses nothing that counts. */
function meanOfHuge(values: Float32Array | Float64Array, finite: number): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) sum += values[i]! * 2 ** -14
  return (sum / finite) * 2 ** 14
}

function squaresFrom(values: Float32Array | Float64Array, mean: number, finite: number): number {
  let squares = 0
  let rest = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value - value !== 0) continue
    const distance = value - mean
    squares += distance * distance
    rest += distance
  }
  // The mean was rounded, so the distances don't quite add up to 0.
  const corrected = squares - (rest * rest) / finite
  return Number.isFinite(corrected) ? Math.max(corrected, 0) : squares
}

/** The dtype whose subnormals a tensor's values have: its own, or f32 once they have been multiplied. */
function valueDtype(tensor: LinkedShape): DtypeName {
  return schemeOf(tensor) === 0 ? tensor.dtype : 'f32'
}

/**
 * Statistics of a tensor's values: those of `dequantize`, links and ggml's blocks included. A 64-bit integer over
 * 2^53 is rounded, unless `inexact: 'refuse'` is asked for, which makes it `TYPE`; other errors are those of `dequantize`.
 */
export function statisticsOf(tensor: LinkedTensor, options?: WidenOptions): StatisticsSummary {
  checkOptions(options)
  const statistics = new Statistics(valueDtype(tensor))
  for (const block of valueBlocks(tensor, { inexact: options?.inexact ?? 'nearest' })) statistics.add(block)
  return statistics.summary()
}

/** How a stream of numbers is taken, and who hears of its progress. */
export interface StreamStatisticsOptions extends WidenOptions {
  /** Called every 1,048,576 values, with how many there were, and with what is known by then. */
  readonly progress?: ((values: number, statistics: Statistics) => void) | undefined
}

const PROGRESS_EVERY = 2 ** 20

/** As {@link statisticsOf}, from a payload that comes in pieces; in bounded memory. */
export async function streamStatistics(
  tensor: LinkedShape,
  chunks: Chunks,
  options?: StreamStatisticsOptions,
): Promise<StatisticsSummary> {
  const statistics = new Statistics(valueDtype(tensor))
  checkOptions(options)
  checkFunction(options?.progress, 'progress')
  let values = 0
  for await (const block of streamValues(tensor, chunks, { inexact: options?.inexact ?? 'nearest' })) {
    statistics.add(block)
    values += block.length
    if (values % PROGRESS_EVERY === 0) options?.progress?.(values, statistics)
  }
  return statistics.summary()
}
