import { KilnError } from '../errors/kiln-error.js'
import { plainFloats } from './number-input.js'
import { expectTensor, extentOf, type LinkedShape, type LinkedTensor } from './tensor.js'
import { streamValues, valueBlocks, type Chunks, type ValueBlock } from './value-blocks.js'

/** How far two sequences of numbers lie apart. */
export interface DifferenceSummary {
  /** Places compared. */
  readonly count: number
  /** Places with other numbers. NaN and NaN are alike, and so are 0 and −0. */
  readonly differing: number
  /** The largest distance between two finite numbers in one place; 0 if there is none. */
  readonly maximum: number
  /** The first place with that distance; left out where all are alike. */
  readonly at?: number
  /** The mean distance over all places where both numbers are finite, equal ones too. */
  readonly mean: number
  /** Places where just one is NaN, or just one infinite, or the infinities differ: no distance can be told. */
  readonly incomparable: number
}

/** Compares two sequences of numbers that come part by part. */
export class Difference {
  #count = 0
  #differing = 0
  #incomparable = 0
  #compared = 0
  #maximum = 0
  #at: number | undefined
  #sum = 0

  /** Takes the next numbers of both, as many of one as of the other. Distances are taken in f64. */
  add(one: ValueBlock, other: ValueBlock): void {
    plainFloats(one)
    plainFloats(other)
    if (one.length !== other.length) {
      throw new KilnError('TYPE', `${one.length} numbers can't be compared with ${other.length}`)
    }
    let sum = 0
    for (let i = 0; i < one.length; i++) {
      const a = one[i]!
      const b = other[i]!
      const apart = Math.abs(a - b)
      if (apart === 0) {
        this.#compared++
      } else if (Number.isFinite(a) && Number.isFinite(b)) {
        this.#compared++
        this.#differing++
        sum += apart
        if (apart > this.#maximum) {
          this.#maximum = apart
          this.#at = this.#count + i
        }
      } else if (a !== b && !(Number.isNaN(a) && Number.isNaN(b))) {
        this.#differing++
        this.#incomparable++
      }
    }
    this.#sum += sum
    this.#count += one.length
  }

  /** What is known by now. */
  summary(): DifferenceSummary {
    return {
      count: this.#count,
      differing: this.#differing,
      maximum: this.#maximum,
      ...(this.#at === undefined ? {} : { at: this.#at }),
      mean: this.#compared === 0 ? 0 : this.#sum / this.#compared,
      incomparable: this.#incomparable,
    }
  }
}

function checkShapes(one: LinkedShape, other: LinkedShape): void {
  extentOf(one)
  extentOf(other)
  const same = one.shape.length === other.shape.length && one.shape.every((length, i) => length === other.shape[i])
  if (same) return
  const shapes = `[${one.shape.join(', ')}] and [${other.shape.join(', ')}]`
  throw new KilnError('TYPE', `tensors of shapes ${shapes} can't be compared element by element`)
}

/**
 * Compares two tensors of one shape by their values: those of `dequantize`, links and ggml's blocks included. So it
 * tells what a conversion has cost. Integers over 2^53 are rounded. `TYPE` for two shapes.
 */
export function differenceOf(one: LinkedTensor, other: LinkedTensor): DifferenceSummary {
  checkShapes(one, other)
  const difference = new Difference()
  const others = valueBlocks(other, { inexact: 'nearest' })
  for (const block of valueBlocks(one, { inexact: 'nearest' })) difference.add(block, others.next().value as ValueBlock)
  return difference.summary()
}

/** A tensor's description, and its payload in pieces. */
export interface ChunkedTensor {
  readonly tensor: LinkedShape
  readonly chunks: Chunks
}

/** As {@link differenceOf}, from payloads that come in pieces; in bounded memory. */
export async function streamDifference(one: ChunkedTensor, other: ChunkedTensor): Promise<DifferenceSummary> {
  expectTensor(one)
  expectTensor(other)
  checkShapes(one.tensor, other.tensor)
  const difference = new Difference()
  const others = streamValues(other.tensor, other.chunks, { inexact: 'nearest' })
  try {
    for await (const block of streamValues(one.tensor, one.chunks, { inexact: 'nearest' })) {
      difference.add(block, (await others.next()).value as ValueBlock)
    }
    await others.next() // its end, where pieces that are too many would show
  } finally {
    await others.return()
  }
  return difference.summary()
}
