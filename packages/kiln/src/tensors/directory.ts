import { allocated } from '../bytes/allocate.js'
import { describe, isUnstable, toBytes } from '../bytes/input.js'
import { viewOf } from '../bytes/view-of.js'
import { KilnError, moved } from '../errors/kiln-error.js'
import { resolveSettings, type DecodeOptions, type Settings } from '../limits/limits.js'
import { TensorTable } from './table.js'
import { TableTensor, type Tensor } from './tensor.js'

/** The tensors of one block, in stored order. */
export interface Directory extends Iterable<Tensor> {
  /** How many tensors there are. */
  readonly length: number
  /** The names in order, empty for unnamed tensors. */
  readonly names: readonly string[]
  /** Bytes of the block, from its first to its last. */
  readonly byteLength: number
  /** Where payloads begin, in bytes from the start of the block. */
  readonly payloadBase: number
  /** The tensor at this place; `TYPE` if there is none. */
  at(index: number): Tensor
  /** The tensor of this name; `TYPE` if there is none. */
  get(name: string): Tensor
  /** Whether there is a tensor of this name. */
  has(name: string): boolean
}

const NO_BYTES: Uint8Array = new Uint8Array(0)

/** A directory over bytes that hold the whole block at `start`. */
export class BlockDirectory implements Directory {
  readonly #block = { bytes: NO_BYTES, start: 0 }
  readonly #table = new TensorTable()
  // Tensor objects, made when somebody asks for them.
  readonly #tensors: TableTensor[] = []

  /**
   * Reads the block at `start` (FORMAT §4, steps 1 to 7) and returns its size. `available` counts from
   * `start` to the end of the input. With `ownTable` the table is copied once it has been checked, so that
   * only payloads are shared with the input. `unstable` memory, which others can write to, is copied first.
   */
  load(
    bytes: Uint8Array,
    view: DataView,
    start: number,
    available: number,
    settings: Settings,
    { ownTable, unstable }: { readonly ownTable: boolean; readonly unstable: boolean },
  ): number {
    const table = this.#table
    this.#block.bytes = bytes
    this.#block.start = start
    try {
      table.loadHeader(bytes, view, start, available, settings.limits.tensors)
      if (unstable) this.#checkCopy(settings)
      else {
        table.check(settings.strict)
        if (ownTable) {
          const copy = this.#copyTable()
          table.moveTo(copy, viewOf(copy), 0)
        }
      }
    } catch (error) {
      table.tensorCount = 0
      throw error
    }
    return table.totalSize
  }

  #copyTable(): Uint8Array {
    const { bytes, start } = this.#block
    allocated.descriptors += this.#table.tensorCount
    return Uint8Array.prototype.slice.call(bytes, start, start + this.#table.payloadBase)
  }

  /** Copies the table and checks the copy, whatever becomes of the input meanwhile. */
  #checkCopy(settings: Settings): void {
    const table = this.#table
    const { totalSize } = table
    const copy = this.#copyTable()
    try {
      // The header once more, from the copy: shared memory may say something else than a moment ago.
      table.loadHeader(copy, viewOf(copy), 0, totalSize, settings.limits.tensors)
      if (table.payloadBase > copy.length) throw new KilnError('FRAME', 'the directory changed while it was read', 0)
      table.check(settings.strict)
    } catch (error) {
      throw moved(error, this.#block.start)
    }
  }

  get length(): number {
    return this.#table.tensorCount
  }

  get names(): readonly string[] {
    return Array.from({ length: this.length }, (_, i) => this.#table.name(i))
  }

  get byteLength(): number {
    return this.#table.totalSize
  }

  get payloadBase(): number {
    return this.#table.payloadBase
  }

  /** The whole block, in the input's memory. */
  get block(): Uint8Array {
    const { bytes, start } = this.#block
    return bytes.subarray(start, start + this.#table.totalSize)
  }

  at(index: number): Tensor {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      throw new KilnError('TYPE', `there is no tensor ${describe(index)} in a directory of ${this.length}`)
    }
    let tensor = this.#tensors[index]
    if (tensor === undefined) {
      tensor = new TableTensor(this.#table, index, this.#block, this)
      this.#tensors[index] = tensor
    }
    return tensor
  }

  get(name: string): Tensor {
    const index = this.#table.indexOf(name)
    if (index === -1) throw missingTensor(name, this.names)
    return this.at(index)
  }

  has(name: string): boolean {
    return this.#table.indexOf(name) !== -1
  }

  *[Symbol.iterator](): Generator<Tensor, undefined> {
    for (let i = 0; i < this.length; i++) yield this.at(i)
    return undefined
  }
}

/** `TYPE`: says which names there are. */
export function missingTensor(name: string, names: readonly string[]): KilnError {
  const some = names.slice(0, 5).map((n) => JSON.stringify(n)).join(', ')
  return new KilnError('TYPE', `no tensor is named ${typeof name === 'string' ? JSON.stringify(name) : describe(name)}; there are ${names.length}${some === '' ? '' : `: ${some}`}${names.length > 5 ? ', …' : ''}`)
}

/**
 * Reads a directory that stands alone (FORMAT §4). Its table is checked, no payload is read, nothing is copied:
 * the tensors point into `bytes`, which must be left as they are. Bytes behind the block are `TRAILING`.
 */
export function readDirectory(bytes: ArrayBufferView | ArrayBufferLike, options?: DecodeOptions): Directory {
  const input = toBytes(bytes)
  const view = viewOf(input)
  const directory = new BlockDirectory()
  const size = directory.load(input, view, 0, input.length, resolveSettings(options), {
    ownTable: false,
    unstable: isUnstable(input),
  })
  checkTrailing(size, input.length)
  return directory
}

/** Step 8 of FORMAT §4, for a block that stands alone. */
export function checkTrailing(size: number, available: number): void {
  if (size !== available) throw new KilnError('TRAILING', `${available - size} bytes follow the directory`, size)
}
