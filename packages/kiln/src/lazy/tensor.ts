import { KilnError } from '../errors/kiln-error.js'
import { isOn } from '../limits/options.js'
import { signalOf } from '../sources/abort.js'
import { rangeChunks } from '../sources/range.js'
import type { ReadOptions } from '../sources/source.js'
import type { TensorTable } from '../tensors/table.js'
import { TableTensor, TableTensorInfo, type Tensor, type TensorInfo } from '../tensors/tensor.js'
import type { LoadOptions, PayloadReader } from './payloads.js'
import { LoadedSlice, type TensorSlice } from './slice.js'

/** Options of loading a tensor: those of loading a payload, and whether its scales come with it. */
export interface TensorLoadOptions extends LoadOptions {
  /** Whether the tensors with the scales are loaded too, so that `scale` and `outer` can be used. Default false. */
  readonly links?: boolean | undefined
}

/** A tensor of a source: what the table says of it, and its payload for the asking. */
export interface LazyTensor extends TensorInfo {
  /** The tensor with the scales; links are resolved and checked, never applied. */
  readonly scale: LazyTensor | undefined
  /** The tensor with the outer scale, one f32. */
  readonly outer: LazyTensor | undefined
  /** Reads the payload. The tensor that comes back can always be borrowed from, on a little-endian host. */
  load(options?: TensorLoadOptions): Promise<Tensor>
  /** Reads the payload into the front of a typed array of the dtype's elements; gives how many of them that took. */
  load(destination: ArrayBufferView, options?: LoadOptions): Promise<number>
  /** Reads rows `from` to `to` (not with it) along the outermost dimension. `TYPE` where a row isn't whole bytes. */
  slice(from: number, to: number, options?: ReadOptions): Promise<TensorSlice>
  /** The payload in pieces of at most 1 MiB, none empty, each good until the next is asked for. */
  chunks(options?: ReadOptions): AsyncGenerator<Uint8Array, void, undefined>
}

/** The siblings of a tensor, and what reads their payloads. */
export interface TensorHome {
  readonly table: TensorTable
  readonly reader: PayloadReader
  at(index: number): LazyTensor
}

export class SourceTensor extends TableTensorInfo implements LazyTensor {
  readonly #home: TensorHome

  constructor(home: TensorHome, index: number) {
    super(home.table, index)
    this.#home = home
  }

  get scale(): LazyTensor | undefined {
    const index = this.linked('scale')
    return index === undefined ? undefined : this.#home.at(index)
  }

  get outer(): LazyTensor | undefined {
    const index = this.linked('outer')
    return index === undefined ? undefined : this.#home.at(index)
  }

  load(options?: TensorLoadOptions): Promise<Tensor>
  load(destination: ArrayBufferView, options?: LoadOptions): Promise<number>
  async load(first?: TensorLoadOptions | ArrayBufferView, second: LoadOptions = {}): Promise<Tensor | number> {
    signalOf(ArrayBuffer.isView(first) ? second : first)
    if (ArrayBuffer.isView(first)) return this.#home.reader.loadInto(this, first, second)
    const options = first ?? {}
    const links = isOn(options.links, 'links') ? [this.scale, this.outer].filter((link) => link !== undefined) : []
    const [bytes, ...loaded] = await Promise.all([
      this.#home.reader.load(this, options),
      ...links.map((link) => link.load({ ...options, links: false })),
    ])
    return loadedTensor(this.#home.table, this.index, bytes, new Map(loaded.map((tensor) => [tensor.index, tensor])))
  }

  async slice(from: number, to: number, options: ReadOptions = {}): Promise<TensorSlice> {
    return new LoadedSlice(this, from, to, await this.#home.reader.rows(this, from, to, options))
  }

  chunks(options: ReadOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { source, start } = this.#home.reader
    return rangeChunks(source, start + this.byteOffset, this.byteLength, options)
  }
}

/** A tensor over a payload that has been read. */
export function loadedTensor(
  table: TensorTable,
  index: number,
  bytes: Uint8Array,
  links: ReadonlyMap<number, Tensor>,
): Tensor {
  // The place of the block, counted from the payload, which lies at the front of `bytes`.
  const start = -table.payloadStart(index)
  return new TableTensor(
    table,
    index,
    { bytes, start },
    {
      at(linked) {
        const tensor = links.get(linked)
        if (tensor !== undefined) return tensor
        throw new KilnError('TYPE', `the linked tensor ${linked} was not loaded; load with { links: true }`)
      },
    },
  )
}
