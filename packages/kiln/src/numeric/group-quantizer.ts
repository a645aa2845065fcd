import { allocate } from '../bytes/allocate.js'
import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkOptions } from '../limits/options.js'
import { scaleCount } from '../tensors/quantization.js'
import { neededLength } from '../tensors/tensor-input.js'
import { BLOCK } from './decode.js'
import { elementLimit, MAX_F32, scaleChooser, type ChooseScale } from './group-scales.js'
import { narrow } from './narrow.js'
import type { QuantizationFormat } from './quantization-format.js'
import { checkNanPolicy, type NanPolicy } from './rounding.js'

/** How `quantize` takes what its formats don't say. */
export interface QuantizeOptions {
  /** The dimension along which neighbours share a scale; the last one if left out. */
  readonly axis?: number | undefined
  /** What a NaN becomes where the elements have none, as in `narrow`. Default `refuse`. It never sets a scale. */
  readonly nan?: NanPolicy | undefined
  /**
   * What becomes of an infinity, and of a number past the largest finite f32: `refuse`, the default, is `TYPE`
   * with its index; with `saturate` it doesn't set a scale and becomes its group's largest number.
   */
  readonly infinity?: 'refuse' | 'saturate' | undefined
}

/** How the elements of a tensor lie in groups. */
export interface Grouping {
  readonly shape: readonly number[]
  readonly scaleShape: readonly number[]
  readonly axis: number
  readonly groupSize: number
  readonly axisLength: number
  /** Elements for each step along the axis: the product of the dimensions after it. */
  readonly inner: number
}

/** Lays out groups along an axis; `TYPE` for a shape or an axis that can't have them. */
export function groupingOf(shape: readonly number[], format: QuantizationFormat, options: QuantizeOptions): Grouping {
  neededLength(format.dtype, shape)
  if (shape.length === 0) throw new KilnError('TYPE', 'a tensor of rank 0 has no axis to quantize along')
  const { axis = shape.length - 1 } = options
  if (!Number.isInteger(axis) || axis < 0 || axis >= shape.length) {
    throw new KilnError('TYPE', `axis ${describe(axis)} is none of the ${shape.length} dimensions`)
  }
  const axisLength = shape[axis]!
  const groups = scaleCount([axisLength], 0, format.groupSize) as number // of one dimension: at most 2^53 - 1
  return {
    shape,
    scaleShape: shape.map((length, i) => (i === axis ? groups : length)),
    axis,
    groupSize: format.groupSize,
    axisLength,
    inner: shape.slice(axis + 1).reduce((product, length) => product * length, 1),
  }
}

/** Checks choices that a caller without types may have misspelt. */
export function checkQuantizeOptions(options: QuantizeOptions): void {
  checkOptions(options)
  const { nan = 'refuse', infinity = 'refuse' }: { nan?: unknown; infinity?: unknown } = options
  checkNanPolicy(nan)
  if (infinity !== 'refuse' && infinity !== 'saturate') {
    throw new KilnError('TYPE', `infinity is 'refuse' or 'saturate', not ${describe(infinity)}`)
  }
}

/** The greatest magnitude among `count` numbers that a scale can be made for; what is none is `TYPE` or passed over. */
export function greatestOf(
  values: Float32Array | Float64Array,
  from: number,
  count: number,
  infinity: 'refuse' | 'saturate',
  firstIndex: number,
): number {
  let greatest = 0
  for (let i = from; i < from + count; i++) {
    const magnitude = Math.abs(values[i]!)
    if (magnitude <= greatest) continue
    if (magnitude <= MAX_F32) greatest = magnitude
    else if (magnitude === magnitude && infinity === 'refuse') throw infinite(values[i]!, firstIndex + i - from)
  }
  return greatest
}

function infinite(value: number, index: number): KilnError {
  const detail = `${value} is past f32's numbers; pass infinity: 'saturate' to make it its group's largest`
  return new KilnError('TYPE', detail).within(index)
}

// Elements that are encoded at a time: each time makes scratch memory, which is what takes longest with fewer.
const BATCH = 4 * BLOCK

/** Where a quantizer puts the bytes of payloads, in order. The arrays are its own; they may be kept. */
export interface QuantizedBytes {
  readonly codes?: (bytes: Uint8Array) => void
  readonly scales?: (bytes: Uint8Array) => void
}

/**
 * Quantizes a tensor's numbers as they come, in row-major order. They are gathered until a group is whole: with
 * the last axis that is one row of it, else `groupSize` steps along the axis with all that lies within them.
 */
export class GroupQuantizer {
  readonly #format: QuantizationFormat
  readonly #grouping: Grouping
  readonly #infinity: 'refuse' | 'saturate'
  readonly #nan: NanPolicy
  readonly #out: QuantizedBytes
  readonly #choose: ChooseScale
  readonly #outer: number
  readonly #limit: number
  /** The groups that are being gathered: a group for each of `inner` columns. */
  readonly #slab: Float64Array
  #slabLength = 0
  #held = 0
  /** Where along the axis the slab begins, and which element of the tensor that is. */
  #along = 0
  #first = 0
  readonly #greatest: Float64Array
  /** The numbers that came last; elements divided by their scales, and scales, until there are enough to encode. */
  readonly #block = new Float64Array(BLOCK)
  readonly #scaled = new Float64Array(BATCH)
  #scaledCount = 0
  #encoded = 0
  readonly #scales = new Float64Array(BLOCK)
  #scalesCount = 0

  constructor(
    format: QuantizationFormat,
    grouping: Grouping,
    outer: number,
    options: QuantizeOptions,
    out: QuantizedBytes,
  ) {
    this.#format = format
    this.#grouping = grouping
    this.#infinity = options.infinity ?? 'refuse'
    this.#nan = options.nan ?? 'refuse'
    this.#out = out
    this.#choose = scaleChooser(format, outer)
    this.#outer = outer
    this.#limit = elementLimit(format)
    const { shape, groupSize, axisLength, inner } = grouping
    const columns = shape.includes(0) ? 0 : inner // which a tensor without elements can have many of
    this.#slab = allocate(Float64Array, Math.min(groupSize, axisLength) * columns)
    this.#greatest = allocate(Float64Array, columns)
    this.#startSlab()
  }

  #startSlab(): void {
    const { groupSize, axisLength, inner } = this.#grouping
    if (this.#along >= axisLength) this.#along = 0
    this.#slabLength = Math.min(groupSize, axisLength - this.#along) * inner
    this.#held = 0
  }

  /** Takes the next numbers, at most 8,192; not more in all than the shape has. */
  push(values: Float32Array | Float64Array): void {
    // One kind of array, so that the loops below see one kind.
    const block = this.#block
    block.set(values)
    let at = 0
    while (at < values.length) {
      const length = this.#slabLength
      if (this.#grouping.inner === 1 && this.#held === 0 && values.length - at >= length) {
        // A whole group: most are, and need no copy.
        this.#scaleRow(block, at)
        at += length
        this.#next()
      } else {
        const count = Math.min(length - this.#held, values.length - at)
        this.#slab.set(block.subarray(at, at + count), this.#held)
        this.#held += count
        at += count
        if (this.#held < length) return
        if (this.#grouping.inner === 1) this.#scaleRow(this.#slab, 0)
        else this.#scaleColumns()
        this.#next()
      }
    }
  }

  /** Gives out what is left. */
  end(): void {
    this.#encodeScaled()
    this.#encodeScales()
  }

  #next(): void {
    this.#first += this.#slabLength
    this.#along += this.#grouping.groupSize
    this.#startSlab()
  }

  #scaleRow(values: Float64Array, from: number): void {
    const count = this.#slabLength
    this.#put(values, from, count, this.#factorFor(greatestOf(values, from, count, this.#infinity, this.#first)))
  }

  #scaleColumns(): void {
    const { inner } = this.#grouping
    const slab = this.#slab
    const greatest = this.#greatest.fill(0)
    for (let start = 0; start < this.#slabLength; start += inner) {
      for (let column = 0; column < inner; column++) {
        const magnitude = Math.abs(slab[start + column]!)
        if (magnitude <= greatest[column]!) continue
        if (magnitude <= MAX_F32) greatest[column] = magnitude
        else if (magnitude === magnitude && this.#infinity === 'refuse') {
          throw infinite(slab[start + column]!, this.#first + start + column)
        }
      }
    }
    const factors = greatest
    for (let column = 0; column < inner; column++) factors[column] = this.#factorFor(greatest[column]!)
    for (let start = 0; start < this.#slabLength; start += inner) {
      for (let column = 0; column < inner; column++) slab[start + column]! /= factors[column]!
    }
    this.#put(slab, 0, this.#slabLength, 1)
  }

  /** Chooses and keeps a group's scale; what its elements are to be divided by. */
  #factorFor(greatest: number): number {
    const scale = this.#choose(greatest)
    if (this.#scalesCount === BLOCK) this.#encodeScales()
    this.#scales[this.#scalesCount++] = scale
    // Under a scale of 0 all is zero, of either sign, and stays so.
    return scale === 0 ? 1 : scale * this.#outer
  }

  /** Divides numbers by a factor, and encodes them as soon as there are enough. */
  #put(values: Float64Array, from: number, length: number, factor: number): void {
    if (this.#out.codes === undefined) return
    const scaled = this.#scaled
    const limit = this.#limit
    let at = 0
    while (at < length) {
      if (this.#scaledCount === BATCH) this.#encodeScaled()
      const to = this.#scaledCount
      const count = Math.min(BATCH - to, length - at)
      for (let i = 0; i < count; i++) {
        const quotient = values[from + at + i]! / factor
        // Past the limit lie only infinities, which for the integers must not come to −128.
        scaled[to + i] = quotient > limit ? limit : quotient < -limit ? -limit : quotient
      }
      this.#scaledCount += count
      at += count
    }
  }

  #encodeScaled(): void {
    const scaled = this.#scaled.subarray(0, this.#scaledCount)
    const firstIndex = this.#encoded
    this.#encoded += scaled.length
    this.#scaledCount = 0
    if (scaled.length === 0 || this.#out.codes === undefined) return
    this.#out.codes(narrow(scaled, this.#format.dtype, { mode: 'saturate', nan: this.#nan, firstIndex }))
  }

  #encodeScales(): void {
    const scales = this.#scales.subarray(0, this.#scalesCount)
    this.#scalesCount = 0
    if (scales.length === 0 || this.#out.scales === undefined) return
    // Exact: each is a number of the dtype.
    this.#out.scales(narrow(scales, this.#format.scaleDtype, { mode: 'saturate' }))
  }
}
