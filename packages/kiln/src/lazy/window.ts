import { allocate } from '../bytes/allocate.js'
import { isUnstable } from '../bytes/input.js'
import { readRange } from '../sources/range.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'

// A range that nobody asked for by name, whose length the file itself announces, is read in steps of at first this
// much: a source that only pretends to be large then ends before anything large has been allocated.
const STEP = 16 * 2 ** 20

/**
 * The part of a source that is being looked at, read a little ahead: heads, tables and small values that stand one
 * behind the other then take few reads. Ranges are asked for from the front to the back.
 */
export class SourceWindow {
  readonly source: ByteSource
  readonly #ahead: number
  readonly #options: ReadOptions
  #offset = 0
  #bytes: Uint8Array = new Uint8Array(0)

  constructor(source: ByteSource, ahead: number, options: ReadOptions) {
    this.source = source
    this.#ahead = ahead
    this.#options = options
  }

  /** A range, in bytes that are left alone: not the caller's own memory if that can change. */
  async take(offset: number, length: number): Promise<Uint8Array> {
    const from = offset - this.#offset
    const there = this.#bytes.length - from
    if (from >= 0 && length <= there) return this.#bytes.subarray(from, from + length)
    if (from >= 0 && there > 0) {
      const joined = await this.#read(offset + there, length - there, this.#bytes.subarray(from))
      this.#keep(offset, joined)
      return joined
    }
    const ahead = Math.min(Math.max(length, this.#ahead), this.source.size - offset)
    const bytes = await this.#read(offset, Math.max(length, ahead))
    this.#keep(offset, bytes)
    return bytes.subarray(0, length)
  }

  #keep(offset: number, bytes: Uint8Array): void {
    this.#offset = offset
    this.#bytes = bytes
  }

  async #read(offset: number, length: number, before?: Uint8Array): Promise<Uint8Array> {
    const pieces = before === undefined ? [] : [before]
    let step = STEP
    for (let done = 0; done < length; step *= 2) {
      const piece = await readRange(this.source, offset + done, Math.min(step, length - done), this.#options)
      pieces.push(piece)
      done += piece.length
    }
    const [only] = pieces
    if (pieces.length === 1 && only !== undefined)
      return isUnstable(only) ? Uint8Array.prototype.slice.call(only) : only
    const joined = allocate(Uint8Array, length + (before?.length ?? 0))
    let at = 0
    for (const piece of pieces) {
      joined.set(piece, at)
      at += piece.length
    }
    return joined
  }
}
