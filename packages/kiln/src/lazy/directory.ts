import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { asyncDispose, type Closable } from '../sources/dispose.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'
import { missingTensor } from '../tensors/directory.js'
import type { TensorTable } from '../tensors/table.js'
import type { Tensor } from '../tensors/tensor.js'
import { loadAll, type LoadAllOptions } from './load-all.js'
import type { LoadOptions, PayloadReader } from './payloads.js'
import type { TensorSlice } from './slice.js'
import { SourceTensor, type LazyTensor, type TensorLoadOptions } from './tensor.js'

/** A tensor by its name, or by its place: unnamed ones have nothing else. */
export type TensorKey = string | number

/**
 * The tensors of a file, Blob or URL. The table is in memory, payloads are read when asked for. A name that isn't there
 * is `TYPE`; what a read may throw is its source's.
 */
export interface LazyDirectory extends Iterable<LazyTensor>, Closable {
  /** How many tensors there are. */
  readonly length: number
  /** The names in order, empty for unnamed tensors. */
  readonly names: readonly string[]
  /** Bytes of the directory, from its first to its last. */
  readonly byteLength: number
  /** Where payloads begin, in bytes from the start of the directory. */
  readonly payloadBase: number
  /** Where the directory begins in the source. */
  readonly offset: number
  /** Where the bytes come from. */
  readonly source: ByteSource
  /** The tensor at this place; `TYPE` if there is none. */
  at(index: number): LazyTensor
  /** The tensor of this name; `TYPE` if there is none. */
  get(name: string): LazyTensor
  /** Whether there is a tensor of this name. */
  has(name: string): boolean
  /** Reads a payload; see {@link LazyTensor.load}. */
  load(tensor: TensorKey, options?: TensorLoadOptions): Promise<Tensor>
  load(tensor: TensorKey, destination: ArrayBufferView, options?: LoadOptions): Promise<number>
  /** Reads some rows of the outermost dimension; see {@link LazyTensor.slice}. */
  slice(tensor: TensorKey, from: number, to: number, options?: ReadOptions): Promise<TensorSlice>
  /**
   * Loads tensors in the order given, all without a list. Those that lie close are read at once, and some are read
   * ahead, up to bounds that the options set.
   */
  loadAll(tensors?: Iterable<TensorKey>, options?: LoadAllOptions): AsyncGenerator<Tensor, void, undefined>
  /** A payload in pieces of at most 1 MiB; see {@link LazyTensor.chunks}. */
  chunks(tensor: TensorKey, options?: ReadOptions): AsyncGenerator<Uint8Array, void, undefined>
  /** Closes the source, unless it was opened with `{ keepOpen: true }`. */
  close(): Promise<void>
}

export class SourceDirectory implements LazyDirectory {
  readonly table: TensorTable
  readonly reader: PayloadReader
  readonly #keepOpen: boolean
  // Tensor objects, made when somebody asks for them: a directory may have 100,000.
  readonly #tensors = new Map<number, LazyTensor>()
  #names: readonly string[] | undefined

  constructor(table: TensorTable, reader: PayloadReader, keepOpen: boolean) {
    this.table = table
    this.reader = reader
    this.#keepOpen = keepOpen
  }

  get length(): number {
    return this.table.tensorCount
  }

  get names(): readonly string[] {
    this.#names ??= Object.freeze(Array.from({ length: this.length }, (_, i) => this.table.name(i)))
    return this.#names
  }

  get byteLength(): number {
    return this.table.totalSize
  }

  get payloadBase(): number {
    return this.table.payloadBase
  }

  get offset(): number {
    return this.reader.start
  }

  get source(): ByteSource {
    return this.reader.source
  }

  at(index: number): LazyTensor {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      throw new KilnError('TYPE', `there is no tensor ${describe(index)} in a directory of ${this.length}`)
    }
    let tensor = this.#tensors.get(index)
    if (tensor === undefined) {
      tensor = new SourceTensor(this, index)
      this.#tensors.set(index, tensor)
    }
    return tensor
  }

  get(name: string): LazyTensor {
    const index = this.table.indexOf(name)
    if (index === -1) throw missingTensor(name, this.names)
    return this.at(index)
  }

  has(name: string): boolean {
    return this.table.indexOf(name) !== -1
  }

  *[Symbol.iterator](): Generator<LazyTensor, undefined> {
    for (let i = 0; i < this.length; i++) yield this.at(i)
    return undefined
  }

  load(tensor: TensorKey, options?: TensorLoadOptions): Promise<Tensor>
  load(tensor: TensorKey, destination: ArrayBufferView, options?: LoadOptions): Promise<number>
  async load(
    key: TensorKey,
    first?: TensorLoadOptions | ArrayBufferView,
    second?: LoadOptions,
  ): Promise<Tensor | number> {
    const tensor = this.#find(key)
    return ArrayBuffer.isView(first) ? tensor.load(first, second) : tensor.load(first)
  }

  async slice(key: TensorKey, from: number, to: number, options?: ReadOptions): Promise<TensorSlice> {
    return this.#find(key).slice(from, to, options)
  }

  loadAll(keys?: Iterable<TensorKey>, options: LoadAllOptions = {}): AsyncGenerator<Tensor, void, undefined> {
    if (keys !== undefined && (typeof keys !== 'object' || keys === null || !(Symbol.iterator in keys))) {
      throw new KilnError('TYPE', `loadAll takes a list of names, got ${describe(keys)}; load takes one`)
    }
    return loadAll(this, keys === undefined ? [...this] : Array.from(keys, (key) => this.#find(key)), options)
  }

  chunks(key: TensorKey, options?: ReadOptions): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#find(key).chunks(options)
  }

  #find(key: TensorKey): LazyTensor {
    return typeof key === 'number' ? this.at(key) : this.get(key)
  }

  async close(): Promise<void> {
    if (!this.#keepOpen) await this.source.close?.()
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }
}
