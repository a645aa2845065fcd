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
    for await (const piece of rangeChunks(
      this.#source,
      this.position,
      Math.max(0, end - this.position),
      this.#options,
    )) {
      if (this.#sums) this.checksum = crc32(piece, this.checksum)
      this.position += piece.length
      this.#passed(this.position)
      yield piece
    }
  }

  /** Passes everything up to `end`; reads it only if a checksum is kept. */
  async skip(end: number): Promise<void> {
    if (this.#sums) for await (const _ of this.to(end));
    this.position = Math.max(this.position, end)
  }
}
