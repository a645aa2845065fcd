import { crc32, KilnError } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import { Inflate } from 'fflate'
import { quoted } from '../text/quoted.js'
import type { ZipEntry } from './entry.js'
import { checkCrc } from './member-source.js'

/**
 * Deflated bytes that are inflated at once. They make at most 1,032 times as many, so a piece is at
 * most 4 MiB and some KiB; the first is smaller, because often only the head of a member is wanted.
 */
const FIRST_PIECE = 2 ** 9
const PIECE = 2 ** 12
/** Bytes of the first read of the zip, and of the longest: each is four times the one before. */
const FIRST_WINDOW = 2 ** 12
const WINDOW = 2 ** 18
/** What may be left of the deflated data once all bytes are there: an end mark, and blocks with nothing in them. */
const LONGEST_END = 2 ** 10

/**
 * Inflates a member front to back, once. It ends exactly at the size that the zip's directory has: data
 * that makes less is `EOF`, data that makes more or goes on `TRAILING`, data that is not deflated
 * `FRAME`, another checksum `CHECKSUM`. All of that is known when the last byte is given out.
 */
export class Inflater {
  private readonly source: ByteSource
  private readonly entry: ZipEntry
  private readonly dataStart: number
  private readonly inflate: Inflate
  private readonly pieces: Uint8Array[] = []
  private window: Uint8Array = new Uint8Array(0)
  private fetched = 0
  private nextWindow = FIRST_WINDOW
  private pushed = 0
  private made = 0
  private crc = 0

  constructor(source: ByteSource, entry: ZipEntry, dataStart: number) {
    this.source = source
    this.entry = entry
    this.dataStart = dataStart
    this.inflate = new Inflate((piece) => {
      if (piece.length > 0) this.pieces.push(piece)
    })
  }

  /** The next bytes of the member, in memory of their own; undefined after the last. */
  async next(options?: ReadOptions): Promise<Uint8Array | undefined> {
    while (this.made < this.entry.size) {
      const piece = await this.step(options)
      if (piece === undefined) continue
      this.made += piece.length
      this.checkMade()
      this.crc = crc32(piece, this.crc)
      if (this.made === this.entry.size) await this.end(options)
      return piece
    }
    if (this.entry.size === 0) await this.end(options)
    return undefined
  }

  /** Pushes a piece of deflated data, and returns what it made. */
  private async step(options: ReadOptions | undefined): Promise<Uint8Array | undefined> {
    const { name, size, compressedSize } = this.entry
    if (this.pushed === compressedSize) {
      throw new KilnError(
        'EOF',
        `${quoted(name)} inflates to ${this.made} bytes, and the zip says ${size}`,
        this.dataStart + compressedSize,
      )
    }
    if (this.window.length === 0) {
      options?.signal?.throwIfAborted()
      const length = Math.min(this.nextWindow, compressedSize - this.fetched)
      this.nextWindow = Math.min(WINDOW, this.nextWindow * 4)
      this.window = await this.source.read(this.dataStart + this.fetched, length, options)
      this.fetched += length
    }
    const piece = this.window.subarray(0, this.pushed === 0 ? FIRST_PIECE : PIECE)
    this.window = this.window.subarray(piece.length)
    this.pushed += piece.length
    try {
      // A copy: the library may keep what it is given, and a source's bytes need not stay.
      this.inflate.push(new Uint8Array(piece), this.pushed === compressedSize)
    } catch (cause) {
      throw this.damaged(cause)
    }
    return this.pieces.length > 1 ? joined(this.pieces.splice(0)) : this.pieces.pop()
  }

  private checkMade(): void {
    const { name, size } = this.entry
    if (this.made <= size) return
    throw new KilnError(
      'TRAILING',
      `${quoted(name)} inflates to more than the ${size} bytes that the zip says`,
      this.dataStart,
    )
  }

  private async end(options: ReadOptions | undefined): Promise<void> {
    const { name, compressedSize } = this.entry
    if (compressedSize - this.pushed > LONGEST_END) {
      throw new KilnError(
        'TRAILING',
        `${quoted(name)} has ${compressedSize - this.pushed} deflated bytes after its last`,
        this.dataStart + this.pushed,
      )
    }
    while (this.pushed < compressedSize) {
      this.made += (await this.step(options))?.length ?? 0
      this.checkMade()
    }
    checkCrc(this.crc, this.entry)
  }

  private damaged(cause: unknown): KilnError {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new KilnError(
      'FRAME',
      `${quoted(this.entry.name)} is not deflated data: ${reason}`,
      this.dataStart + this.pushed,
      { cause },
    )
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const piece of pieces) length += piece.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
