import { combineCrc32 } from '../bytes/crc32-combine.js'
import { crc32 } from '../bytes/crc32.js'
import { rangeChunks } from '../sources/range.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'

/** Goes through a source once, from some byte on, a piece at a time, and keeps the CRC-32 of all that it has passed. */
export class ForwardReader {
  readonly #source: ByteSource
  readonly #options: ReadOptions
  readonly #passed: (position: number) => void
  readonly #sums: boolean
  position: number
  checksum = 0

  constructor(
    source: ByteSource,
    from: number,
    sums: boolean,
    options: ReadOptions,
    passed: (position: number) => void,
  ) {
    this.#source = source
    this.#options = options
    this.#passed = passed
    this.#sums = sums
    this.position = from
  }

  /** The pieces from here to `end`. Whoever leaves the loop early goes on behind the piece that it had. */
  async *to(end: number): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of this.#pieces(end)) {
      if (this.#sums) this.checksum = crc32(piece, this.checksum)
      yield piece
    }
  }

  /** The CRC-32 of everything from here to `end`; each byte is summed once, for this and for the whole. */
  async sum(end: number): Promise<number> {
    const from = this.position
    let sum = 0
    for await (const piece of this.#pieces(end)) sum = crc32(piece, sum)
    if (this.#sums) this.checksum = combineCrc32(this.checksum, sum, this.position - from)
    return sum
  }

  /** Passes everything up to `end`; reads it only if a checksum is kept. */
  async skip(end: number): Promise<void> {
    if (this.#sums) await this.sum(end)
    this.position = Math.max(this.position, end)
  }

  async *#pieces(end: number): AsyncGenerator<Uint8Array, void, undefined> {
    const left = Math.max(0, end - this.position)
    for await (const piece of rangeChunks(this.#source, this.position, left, this.#options)) {
      this.position += piece.length
      this.#passed(this.position)
      yield piece
    }
  }
}
