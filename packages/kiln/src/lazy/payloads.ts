import { isBorrowable, roomFor } from '../bytes/elements.js'
import { bulkCopy } from '../bytes/bulk-copy.js'
import { crc32 } from '../bytes/crc32.js'
import { isKilnError, KilnError, within } from '../errors/kiln-error.js'
import { isOn } from '../limits/options.js'
import { readRange } from '../sources/range.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'
import { tensorElement } from '../tensors/tensor-arrays.js'
import type { TensorInfo } from '../tensors/tensor.js'
import { checksumFault } from '../tensors/verify.js'
import type { PayloadCache } from './cache.js'
import { rowRange } from './slice.js'

/** How a payload is loaded. */
export interface LoadOptions extends ReadOptions {
  /** Whether the stored CRC-32, if there is one, is compared; `CHECKSUM` if it differs. Default: as at opening. */
  readonly verify?: boolean | undefined
}

// A load into the caller's memory goes in steps of this: so much lies beside it at a time. A multiple of every width.
const STEP = 16 * 2 ** 20

/** Reads the payloads of one directory of a source. */
export class PayloadReader {
  readonly source: ByteSource
  /** Where the directory begins in the source. */
  readonly start: number
  readonly verify: boolean
  readonly #cache: PayloadCache

  constructor(source: ByteSource, start: number, verify: boolean, cache: PayloadCache) {
    this.source = source
    this.start = start
    this.verify = verify
    this.#cache = cache
  }

  /** The payload, where any typed array can lie over it. */
  load(tensor: TensorInfo, options: LoadOptions): Promise<Uint8Array> {
    return located(tensor, async () => {
      const known = this.#cache.get(tensor.index)
      if (known !== undefined) return known
      const { byteOffset, byteLength } = tensor
      const bytes = await readRange(this.source, this.start + byteOffset, byteLength, options).catch(
        (error: unknown) => {
          throw tooLarge(error, byteLength)
        },
      )
      return this.#take(tensor, aligned(bytes), options)
    })
  }

  /** A payload that was read together with others, in memory of its own. */
  take(tensor: TensorInfo, bytes: Uint8Array, options: LoadOptions): Promise<Uint8Array> {
    return located(tensor, async () => this.#take(tensor, bytes, options))
  }

  /** Into the caller's typed array; gives how many of its elements that took. */
  loadInto(tensor: TensorInfo, target: ArrayBufferView, options: LoadOptions): Promise<number> {
    return located(tensor, async () => {
      const { byteOffset, byteLength } = tensor
      const element = tensorElement(tensor.dtype)
      const room = roomFor(element, byteLength, target)
      const verifies = this.#verifies(tensor, options)
      let checksum = 0
      for (let at = 0; at < byteLength; at += STEP) {
        const bytes = await readRange(
          this.source,
          this.start + byteOffset + at,
          Math.min(STEP, byteLength - at),
          options,
        )
        if (verifies) checksum = crc32(bytes, checksum)
        bulkCopy(room.subarray(at), bytes, element.width)
      }
      if (verifies) this.#compare(tensor, checksum)
      return byteLength / element.width
    })
  }

  /** Rows of the outermost dimension. */
  rows(tensor: TensorInfo, from: number, to: number, options: ReadOptions): Promise<Uint8Array> {
    return located(tensor, async () => {
      const { offset, length } = rowRange(tensor, from, to)
      return aligned(await readRange(this.source, this.start + tensor.byteOffset + offset, length, options))
    })
  }

  #take(tensor: TensorInfo, bytes: Uint8Array, options: LoadOptions): Uint8Array {
    if (this.#verifies(tensor, options)) this.#compare(tensor, crc32(bytes))
    this.#cache.set(tensor.index, bytes)
    return bytes
  }

  #verifies(tensor: TensorInfo, options: LoadOptions): boolean {
    const { verify } = options
    return tensor.checksum !== undefined && (verify === undefined ? this.verify : isOn(verify, 'verify'))
  }

  #compare(tensor: TensorInfo, computed: number): void {
    if (computed !== tensor.checksum)
      throw checksumFault(tensor.checksum ?? 0, computed, this.start + tensor.byteOffset)
  }
}

/** Runs a step for a tensor; an error says which tensor it is. */
async function located<T>(tensor: TensorInfo, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw within(error, tensor.name || tensor.index)
  }
}

/** `LIMIT` for an allocation that the host refuses, whoever asked for it; says what to do instead. */
function tooLarge(error: unknown, byteLength: number): unknown {
  const cause = isKilnError(error) ? error.cause : error
  if (!(cause instanceof RangeError)) return error
  const detail = `this host can't hold ${byteLength} bytes of payload at once; read it by slice() or chunks()`
  return new KilnError('LIMIT', detail, undefined, { cause: error })
}

/** The bytes, copied if they lie where a typed array of 8-byte elements can't. */
function aligned(bytes: Uint8Array): Uint8Array {
  return isBorrowable(bytes, 0, bytes.length, 8) ? bytes : Uint8Array.prototype.slice.call(bytes)
}
