import { borrowElements, copyElements, isBorrowable, loadElements } from '../bytes/elements.js'
import { checkMemory, describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import {
  descriptorDtype, descriptorElements, descriptorShape, FLAG_CHECKSUM, NO_AXIS,
} from './descriptor.js'
import * as field from './descriptor-fields.js'
import type { DtypeName } from './dtypes.js'
import type { Scheme } from './quantization.js'
import type { TensorTable } from './table.js'
import { tensorElement, type OwnTensorArray, type TensorArray } from './tensor-arrays.js'

/** What a directory says of a tensor. Nothing here touches the payload. */
export interface TensorInfo {
  /** Where it stands among the tensors of its directory. */
  readonly index: number
  /** Empty for an unnamed tensor. */
  readonly name: string
  readonly dtype: DtypeName
  /** Outermost dimension first, row-major; empty for rank 0, which has one element. */
  readonly shape: readonly number[]
  /** The product of the shape. */
  readonly elements: number
  /** Bytes of the payload. */
  readonly byteLength: number
  /** Where the payload begins, in bytes from the start of the directory. */
  readonly byteOffset: number
  /** 0: no links; 1: {@link scale}; 2: {@link scale} and {@link outer} (FORMAT §5). */
  readonly scheme: Scheme
  /** The axis along which groups of elements share a scale; undefined with scheme 0. */
  readonly axis: number | undefined
  /** Elements a group; 0 with scheme 0. */
  readonly groupSize: number
  /** The stored CRC-32 of the payload, or undefined if it has none. It is compared by `verifyDirectory` alone. */
  readonly checksum: number | undefined
}

/** A tensor of a directory that was read. It borrows its payload from the input. */
export interface Tensor extends TensorInfo {
  /** The tensor with the scales; links are resolved and checked, never applied. */
  readonly scale: Tensor | undefined
  /** The tensor with the outer scale, one f32. */
  readonly outer: Tensor | undefined
  /** The payload in the input's memory, little-endian. */
  readonly bytes: Uint8Array
  /** Whether {@link borrow} can give a typed array here. */
  readonly aligned: boolean
  /**
   * A typed array over the input's memory: `Float32Array` for `f32` and `c64`, `Uint16Array` codes for `f16`
   * and `bf16`, `Uint8Array` for 8-bit floats, narrow dtypes (packed) and foreign blocks. `ALIGN` where the
   * bytes lie askew or the host is big-endian. With a dtype, throws `TYPE` unless the tensor has it.
   */
  borrow(): TensorArray
  borrow<D extends DtypeName>(dtype: D): TensorArray<D>
  /** As {@link borrow}, in memory of its own, wherever the bytes lie. */
  copy(): OwnTensorArray
  copy<D extends DtypeName>(dtype: D): OwnTensorArray<D>
  /** Copies the payload to the front of the caller's typed array, and returns how many elements of it that took. */
  load(target: ArrayBufferView): number
}

/** What a table says of one of its tensors, taken from the descriptor when somebody asks. */
export class TableTensorInfo implements TensorInfo {
  readonly index: number
  protected readonly table: TensorTable
  #generation = -1
  #name: string | undefined
  #shape: readonly number[] | undefined

  constructor(table: TensorTable, index: number) {
    this.index = index
    this.table = table
  }

  /** Where the descriptor lies. What was remembered of an earlier message of a reused reader is forgotten here. */
  protected at(): number {
    const { table } = this
    if (this.index >= table.tensorCount) {
      throw new KilnError('TYPE', `tensor ${this.index} was of an earlier message; its DirectoryReader has gone on to another`)
    }
    checkMemory(table.bytes, table.start + table.payloadBase)
    if (this.#generation !== table.generation) {
      this.#generation = table.generation
      this.#name = undefined
      this.#shape = undefined
    }
    return table.descriptorAt(this.index)
  }

  /** The place of the tensor with the scales, or of that with the outer scale; undefined if there is none. */
  protected linked(link: 'scale' | 'outer'): number | undefined {
    const at = this.at()
    if (this.scheme < (link === 'scale' ? 1 : 2)) return undefined
    return this.table.view.getUint32(at + (link === 'scale' ? field.scaleIndex : field.outerIndex), true)
  }

  get name(): string {
    this.at()
    this.#name ??= this.table.name(this.index)
    return this.#name
  }

  get dtype(): DtypeName {
    return descriptorDtype(this.table.view, this.at()).name
  }

  get shape(): readonly number[] {
    const at = this.at()
    this.#shape ??= Object.freeze(descriptorShape(this.table.view, at))
    return this.#shape
  }

  get elements(): number {
    return Number(descriptorElements(this.table.view, this.at()))
  }

  get byteLength(): number {
    this.at()
    return this.table.payloadLength(this.index)
  }

  get byteOffset(): number {
    this.at()
    return this.table.payloadStart(this.index)
  }

  get scheme(): Scheme {
    return this.table.view.getUint8(this.at() + field.scheme) as Scheme
  }

  get axis(): number | undefined {
    const axis = this.table.view.getUint16(this.at() + field.quantAxis, true)
    return axis === NO_AXIS ? undefined : axis
  }

  get groupSize(): number {
    return this.table.view.getUint32(this.at() + field.groupSize, true)
  }

  get checksum(): number | undefined {
    const at = this.at()
    const { view } = this.table
    return view.getUint16(at + field.flags, true) === FLAG_CHECKSUM ? view.getUint32(at + field.checksum, true) : undefined
  }
}

/** A tensor of a table whose payload is in memory. */
export class TableTensor extends TableTensorInfo implements Tensor {
  readonly #siblings: { at(index: number): Tensor }
  /** Bytes with the payload in them, and where the whole block begins there: before them, if only a part is here. */
  readonly #block: { readonly bytes: Uint8Array; readonly start: number }

  constructor(
    table: TensorTable,
    index: number,
    block: { readonly bytes: Uint8Array; readonly start: number },
    siblings: { at(index: number): Tensor },
  ) {
    super(table, index)
    this.#block = block
    this.#siblings = siblings
  }

  get scale(): Tensor | undefined {
    const index = this.linked('scale')
    return index === undefined ? undefined : this.#siblings.at(index)
  }

  get outer(): Tensor | undefined {
    const index = this.linked('outer')
    return index === undefined ? undefined : this.#siblings.at(index)
  }

  #payloadStart(): number {
    return this.#block.start + this.byteOffset
  }

  get bytes(): Uint8Array {
    const start = this.#payloadStart()
    const { byteLength } = this
    if (byteLength === 0) return new Uint8Array(0)
    checkMemory(this.#block.bytes, start + byteLength)
    return this.#block.bytes.subarray(start, start + byteLength)
  }

  get aligned(): boolean {
    return isBorrowable(this.#block.bytes, this.#payloadStart(), this.byteLength, tensorElement(this.dtype).width)
  }

  borrow(): TensorArray
  borrow<D extends DtypeName>(dtype: D): TensorArray<D>
  borrow(dtype?: DtypeName): TensorArray {
    this.#expect(dtype)
    return borrowElements(tensorElement(this.dtype), this.#block.bytes, this.#payloadStart(), this.byteLength)
  }

  copy(): OwnTensorArray
  copy<D extends DtypeName>(dtype: D): OwnTensorArray<D>
  copy(dtype?: DtypeName): OwnTensorArray {
    this.#expect(dtype)
    return copyElements(tensorElement(this.dtype), this.#block.bytes, this.#payloadStart(), this.byteLength)
  }

  load(target: ArrayBufferView): number {
    return loadElements(tensorElement(this.dtype), this.#block.bytes, this.#payloadStart(), this.byteLength, target)
  }

  #expect(dtype: DtypeName | undefined): void {
    if (dtype === undefined || dtype === this.dtype) return
    throw new KilnError('TYPE', `the tensor ${JSON.stringify(this.name)} is ${this.dtype}, not ${describe(dtype)}`)
  }
}
