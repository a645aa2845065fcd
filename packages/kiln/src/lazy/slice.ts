import { borrowElements, copyElements, isBorrowable, loadElements, type ElementType } from '../bytes/elements.js'
import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { dtypeOf, elementCount, type DtypeName } from '../tensors/dtypes.js'
import { tensorElement, type OwnTensorArray, type TensorArray } from '../tensors/tensor-arrays.js'
import type { Tensor, TensorInfo } from '../tensors/tensor.js'

/** Some rows of a tensor: entries of its outermost dimension, with all that lies in them. */
export interface TensorSlice extends Pick<
  Tensor,
  'name' | 'dtype' | 'shape' | 'elements' | 'byteLength' | 'bytes' | 'aligned' | 'borrow' | 'copy' | 'load'
> {
  /** The first row. */
  readonly from: number
  /** The row behind the last one. */
  readonly to: number
}

/** Where rows lie in a payload, in bytes. */
export interface RowRange {
  readonly offset: number
  readonly length: number
}

/**
 * The bytes of rows `from` to `to`, the latter not among them. `TYPE` for rows that aren't there, for a scalar, and for
 * rows that begin or end within a byte (narrow dtypes) or within a block (foreign ones with one dimension).
 */
export function rowRange(tensor: TensorInfo, from: number, to: number): RowRange {
  const { shape, byteLength } = tensor
  const [rows] = shape
  if (rows === undefined) throw new KilnError('TYPE', 'a scalar has no dimension to slice; load it')
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > rows) {
    throw new KilnError(
      'TYPE',
      `rows ${describe(from)} to ${describe(to)} are not among the ${rows} of [${shape.join(', ')}]`,
    )
  }
  const dtype = dtypeOf(tensor.dtype)
  // Exactly: a payload may have more bits than a number can count.
  const rowElements = BigInt(elementCount(shape.slice(1)))
  const bytesBefore = (row: number): number | undefined => {
    const elements = BigInt(row) * rowElements
    const bits = (elements / BigInt(dtype.blockElements)) * BigInt(dtype.blockBits)
    return elements % BigInt(dtype.blockElements) === 0n && bits % 8n === 0n ? Number(bits / 8n) : undefined
  }
  const offset = bytesBefore(from)
  const end = to === rows ? byteLength : bytesBefore(to)
  if (offset !== undefined && end !== undefined) return { offset, length: end - offset }
  let step = 1
  while (bytesBefore(step) === undefined) step++
  throw new KilnError(
    'TYPE',
    `rows ${from} to ${to} of ${dtype.name} [${shape.join(', ')}] don't begin and end with whole ` +
      `${dtype.foreign ? 'blocks' : 'bytes'}; multiples of ${step} rows do`,
  )
}

export class LoadedSlice implements TensorSlice {
  readonly name: string
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
  readonly #element: ElementType

  constructor(tensor: TensorInfo, from: number, to: number, bytes: Uint8Array) {
    this.name = tensor.name
    this.dtype = tensor.dtype
    this.shape = Object.freeze([to - from, ...tensor.shape.slice(1)])
    this.from = from
    this.to = to
    this.bytes = bytes
    this.#element = tensorElement(tensor.dtype)
  }

  get elements(): number {
    return Number(elementCount(this.shape))
  }

  get byteLength(): number {
    return this.bytes.length
  }

  get aligned(): boolean {
    return isBorrowable(this.bytes, 0, this.bytes.length, this.#element.width)
  }

  borrow(): TensorArray
  borrow<D extends DtypeName>(dtype: D): TensorArray<D>
  borrow(dtype?: DtypeName): TensorArray {
    this.#expect(dtype)
    return borrowElements(this.#element, this.bytes, 0, this.bytes.length)
  }

  copy(): OwnTensorArray
  copy<D extends DtypeName>(dtype: D): OwnTensorArray<D>
  copy(dtype?: DtypeName): OwnTensorArray {
    this.#expect(dtype)
    return copyElements(this.#element, this.bytes, 0, this.bytes.length)
  }

  load(target: ArrayBufferView): number {
    return loadElements(this.#element, this.bytes, 0, this.bytes.length, target)
  }

  #expect(dtype: DtypeName | undefined): void {
    if (dtype === undefined || dtype === this.dtype) return
    throw new KilnError('TYPE', `the tensor ${JSON.stringify(this.name)} is ${this.dtype}, not ${describe(dtype)}`)
  }
}
