import { KilnError } from '../errors/kiln-error.js'

/** Counts of numbers in neighbouring ranges of one width. */
export interface Histogram {
  /** Where the first bin begins, a multiple of `binWidth`. */
  readonly from: number
  /** A power of 2. Bin i has the numbers from `from + i * binWidth` to just under where the next bin begins. */
  readonly binWidth: number
  /** At most 64; none if there is no number. */
  readonly counts: readonly number[]
}

const MAX_BINS = 64
/** Bins begin at whole multiples of their width, which are exact only so far; this leaves f64 room to spare. */
const MOST_MULTIPLES = 2 ** 40
const LEAST_EXPONENT = -1022

/**
 * A histogram in one pass whose range needs not be known: bins begin at multiples of their width, a power of 2, so
 * when the numbers outgrow them two and two become one, exactly. The width is the least one with at most 64 bins
 * from the least number to the greatest: the same whatever the order the numbers come in.
 */
export class HistogramBuilder {
  #exponent = LEAST_EXPONENT
  /** Which multiple of the width the first bin begins at, and how many bins there are. */
  #first = 0
  #bins = 0
  #least = Infinity
  #greatest = -Infinity
  #counts = new Float64Array(MAX_BINS)

  /** Makes room for all numbers from `least` to `greatest`, both finite. */
  cover(least: number, greatest: number): void {
    this.#least = Math.min(this.#least, least)
    this.#greatest = Math.max(this.#greatest, greatest)
    let exponent = this.#exponent
    while (!fits(this.#least, this.#greatest, exponent)) exponent++
    this.#layOut(exponent)
  }

  // The bins of width 2^exponent over all that is covered; counts so far go where their bins are now.
  #layOut(exponent: number): void {
    const inverse = 2 ** -exponent
    const first = Math.floor(this.#least * inverse)
    const bins = Math.floor(this.#greatest * inverse) - first + 1
    if (exponent === this.#exponent && first === this.#first && bins === this.#bins) return
    const counts = new Float64Array(MAX_BINS)
    const ratio = 2 ** (this.#exponent - exponent)
    for (let i = 0; i < this.#bins; i++) counts[Math.floor((this.#first + i) * ratio) - first]! += this.#counts[i]!
    this.#counts = counts
    this.#exponent = exponent
    this.#first = first
    this.#bins = bins
  }

  /** Counts numbers, all of which have been covered; those that are not finite are passed over. */
  add(values: Float32Array | Float64Array): void {
    const inverse = 2 ** -this.#exponent
    const first = this.#first
    const counts = this.#counts
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      if (value - value === 0) counts[Math.floor(value * inverse) - first]!++
    }
  }

  /** Adds the counts of another, of `numbers` numbers from `least` to `greatest`; `TYPE` for one that can't be of these. */
  merge(other: Histogram, least: number, greatest: number, numbers: number): void {
    const { counts, from, binWidth } = other ?? {}
    if (!Array.isArray(counts) || !counts.every((count) => Number.isSafeInteger(count) && count >= 0)) throw foreign()
    if (counts.reduce((sum, count) => sum + count, 0) !== numbers) throw foreign()
    const exponent = Math.log2(binWidth)
    const first = Math.floor(least * 2 ** -exponent)
    const bins = Math.floor(greatest * 2 ** -exponent) - first + 1
    // By where its bins have to lie: below the least doubles the first begins at -Infinity, which is no place to count from.
    if (!Number.isInteger(exponent) || from !== first * binWidth || counts.length !== bins) throw foreign()
    this.cover(least, greatest)
    if (exponent > this.#exponent) this.#layOut(exponent)
    const ratio = 2 ** (exponent - this.#exponent)
    counts.forEach((count, i) => {
      this.#counts[Math.floor((first + i) * ratio) - this.#first]! += count
    })
  }

  result(): Histogram {
    const binWidth = 2 ** this.#exponent
    return { from: this.#first * binWidth, binWidth, counts: Array.from(this.#counts.subarray(0, this.#bins)) }
  }
}

function foreign(): KilnError {
  return new KilnError('TYPE', 'this histogram is none that statistics have made').within('histogram')
}

function fits(least: number, greatest: number, exponent: number): boolean {
  const inverse = 2 ** -exponent
  if (Math.max(Math.abs(least), Math.abs(greatest)) * inverse > MOST_MULTIPLES) return false
  return Math.floor(greatest * inverse) - Math.floor(least * inverse) < MAX_BINS
}
