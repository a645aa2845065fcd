import { toBytes } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkIterable } from '../limits/options.js'
import type { Dtype } from '../tensors/dtypes.js'
import { BLOCK, checkWidens, decodeF32, decodeF64, fitsF32 } from './decode.js'
import { checkGgml, dequantizeBlocks } from './ggml/dequantize-blocks.js'
import { applyScales, scalingOf, schemeOf, type Scaling } from './links.js'
import { checkTensor, extentOf, type LinkedShape, type LinkedTensor } from './tensor.js'
import type { Inexact } from './widen-integers.js'
import { inexactOf, type WidenOptions } from './widen.js'

/** Up to 8,192 values, in row-major order. The array is filled again for the next ones, so it must not be kept. */
export type ValueBlock = Float32Array | Float64Array

/** A payload in pieces of any size, cut anywhere; each is read before the next is asked for. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Turns a payload that comes in pieces into blocks of values: always 8,192 but for the last, however it is cut. */
class BlockDecoder {
  readonly #elements: number
  readonly #byteLength: number
  readonly #dtype: Dtype
  readonly #scaling: Scaling | undefined
  readonly #inexact: Inexact
  readonly #block: ValueBlock
  /** The fewest elements that fill whole bytes, or a ggml block; and their bytes, when a piece ends within. */
  readonly #unitElements: number
  readonly #unit: Uint8Array
  #held = 0
  #received = 0
  #decoded = 0
  #emitted = 0

  constructor(tensor: LinkedShape, options: WidenOptions | undefined) {
    const { dtype, elements, byteLength } = extentOf(tensor)
    checkHasValues(dtype)
    this.#dtype = dtype
    this.#elements = elements
    this.#byteLength = byteLength
    this.#scaling = scalingOf(tensor)
    this.#inexact = this.#scaling === undefined ? inexactOf(options) : 'nearest'
    const length = Math.min(BLOCK, elements)
    this.#block = valueWidth(tensor) === 'f32' ? new Float32Array(length) : new Float64Array(length)
    this.#unitElements = unitElements(dtype)
    this.#unit = new Uint8Array(((this.#unitElements / dtype.blockElements) * dtype.blockBits) / 8)
  }

  *push(given: Uint8Array): Generator<ValueBlock, void, undefined> {
    const chunk = toBytes(given)
    this.#received += chunk.length
    if (this.#received > this.#byteLength) {
      throw new KilnError('TYPE', `the payload is to have ${this.#byteLength} bytes, and more than that came`)
    }
    const unitBytes = this.#unit.length
    let at = 0
    if (this.#held > 0) {
      at = Math.min(unitBytes - this.#held, chunk.length)
      this.#hold(chunk.subarray(0, at))
      if (this.#held < unitBytes) return
      this.#held = 0
      this.#decode(this.#unit, 1)
      if (this.#pending === BLOCK) yield this.#emit()
    }
    let units = Math.floor((chunk.length - at) / unitBytes)
    while (units > 0) {
      const count = Math.min(units, (BLOCK - this.#pending) / this.#unitElements)
      this.#decode(chunk.subarray(at), count)
      at += count * unitBytes
      units -= count
      if (this.#pending === BLOCK) yield this.#emit()
    }
    this.#hold(chunk.subarray(at))
  }

  *end(): Generator<ValueBlock, void, undefined> {
    if (this.#received < this.#byteLength) {
      throw new KilnError('TYPE', `the payload is to have ${this.#byteLength} bytes, and ${this.#received} came`)
    }
    if (this.#held > 0) this.#decode(this.#unit, 1)
    if (this.#pending > 0) yield this.#emit()
  }

  /** Values of the block so far. */
  get #pending(): number {
    return this.#decoded - this.#emitted
  }

  #hold(bytes: Uint8Array): void {
    this.#unit.set(bytes, this.#held)
    this.#held += bytes.length
  }

  // The units' elements fit into the block; the very last unit may have fewer than it has room for.
  #decode(bytes: Uint8Array, units: number): void {
    const { name, foreign } = this.#dtype
    const first = this.#pending
    const count = Math.min(units * this.#unitElements, this.#elements - this.#decoded)
    const values = this.#block.subarray(first, first + count)
    if (!(values instanceof Float32Array)) decodeF64(name, bytes, count, values, this.#inexact, this.#decoded)
    else if (foreign) dequantizeBlocks(name, bytes, units, values)
    else decodeF32(name, bytes, count, values, this.#inexact, this.#decoded)
    this.#decoded += count
  }

  #emit(): ValueBlock {
    const count = this.#pending
    const values = this.#block.subarray(0, count)
    if (this.#scaling !== undefined) applyScales(values as Float32Array, count, this.#emitted, this.#scaling)
    this.#emitted = this.#decoded
    return values
  }
}

/** Refuses dtypes that no values are known of: complex ones, and those of ggml's that have no block reader. */
export function checkHasValues({ name, foreign }: Dtype): void {
  if (foreign) checkGgml(name)
  else checkWidens(name)
}

function unitElements({ foreign, blockElements, blockBits }: Dtype): number {
  if (foreign) return blockElements
  return blockBits === 6 ? 4 : Math.max(8 / blockBits, 1)
}

/** Whether a tensor's values come as f32, or as f64: of `f64` and of 32- and 64-bit integers without links. */
export function valueWidth(tensor: LinkedShape): 'f32' | 'f64' {
  return schemeOf(tensor) !== 0 || fitsF32(tensor.dtype) ? 'f32' : 'f64'
}

/**
 * A tensor's values, block by block, without an array for all of them. They are those of `dequantize` (links and
 * ggml's blocks included), as Float32Array; of `f64` and of integers of 32 and 64 bits without links they are
 * those of `widen(tensor, 'f64')`, as Float64Array. Every block has 8,192 but the last.
 *
 * `TYPE` right away for what `dequantize` refuses, and on the way for a number that is refused.
 */
export function valueBlocks(tensor: LinkedTensor, options?: WidenOptions): Generator<ValueBlock, void, undefined> {
  const { bytes } = checkTensor(tensor)
  const decoder = new BlockDecoder(tensor, options)
  return (function* () {
    yield* decoder.push(bytes)
    yield* decoder.end()
  })()
}

/**
 * As {@link valueBlocks}, from a payload that comes in pieces; `tensor` is its description, with its links but
 * without its payload. Holds one block and the tensors it is linked to. Blocks are the same however the
 * payload is cut, so those of two tensors of one shape go together. `TYPE` if pieces are missing or too many.
 */
export function streamValues(
  tensor: LinkedShape,
  chunks: Chunks,
  options?: WidenOptions,
): AsyncGenerator<ValueBlock, void, undefined> {
  const decoder = new BlockDecoder(tensor, options)
  checkIterable(chunks, 'chunks')
  return (async function* () {
    for await (const chunk of chunks) yield* decoder.push(chunk)
    yield* decoder.end()
  })()
}
