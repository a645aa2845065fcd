import { KilnError } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import { utf8Text } from './text.js'

/** Where a {@link HeadReader} reads, and how far. */
export interface HeadReaderOptions extends ReadOptions {
  /** Where it begins. Default 0. */
  readonly start?: number
  /** Where the file, or the part of it that may be read, ends. Default the source's size. */
  readonly end?: number
  /** Bytes that the head may have from `start`, and the option by which a caller raises that. */
  readonly cap: number
  readonly capName: string
  /** Bytes of the first read; each further one is twice as long, to 8 MiB. */
  readonly firstRead: number
}

const LONGEST_READ = 2 ** 23

/**
 * Reads a head of unknown length front to back through a window that grows as it must. Nothing is
 * allocated for a length before it is known to lie in the file and under the cap.
 *
 * `need` makes bytes present and is the only call that waits; what follows it is synchronous, so a
 * loop over many short values waits only at the window's edge.
 */
export class HeadReader {
  littleEndian = true
  private readonly source: ByteSource
  private readonly options: HeadReaderOptions
  private readonly start: number
  private readonly end: number
  private window: Uint8Array = new Uint8Array(0)
  private view: DataView = new DataView(this.window.buffer)
  /** Offset of the window's first byte in the file, and the cursor in the window. */
  private base: number
  private at = 0
  private nextRead: number

  constructor(source: ByteSource, options: HeadReaderOptions) {
    this.source = source
    this.options = options
    this.start = options.start ?? 0
    this.end = options.end ?? source.size
    this.base = this.start
    this.nextRead = options.firstRead
  }

  /** Offset of the cursor in the file. */
  get position(): number {
    return this.base + this.at
  }

  /** Bytes from the cursor to the end. */
  get left(): number {
    return this.end - this.position
  }

  has(length: number): boolean {
    return this.window.length - this.at >= length
  }

  /** Makes `length` bytes from the cursor present; `EOF` if there are fewer, `LIMIT` over the cap. */
  async need(length: number, what: string): Promise<void> {
    if (this.has(length)) return
    if (!(length <= this.left)) {
      throw new KilnError('EOF', `${what} needs ${length} bytes, and ${this.left} are left`, this.position)
    }
    if (this.position - this.start + length > this.options.cap) {
      const { cap, capName } = this.options
      throw new KilnError('LIMIT', `${what} ends past the ${cap} bytes that the head may have; raise ${capName}`, this.position)
    }
    const rest = this.window.subarray(this.at)
    const more = Math.max(length - rest.length, Math.min(this.nextRead, this.left - rest.length))
    const read = await this.source.read(this.position + rest.length, more, { signal: this.options.signal })
    let window = read
    if (rest.length > 0) {
      window = new Uint8Array(rest.length + read.length)
      window.set(rest)
      window.set(read, rest.length)
    }
    this.base = this.position
    this.at = 0
    this.window = window
    this.view = new DataView(window.buffer, window.byteOffset, window.byteLength)
    this.nextRead = Math.min(this.nextRead * 2, LONGEST_READ)
  }

  /** `count` values of at least `least` bytes each have to fit into what is left, else `EOF`. */
  checkCount(count: number, least: number, what: string): void {
    if (count * least <= this.left) return
    throw new KilnError('EOF', `${what}: ${count} announced, of ${least} bytes or more each, and ${this.left} bytes are left`, this.position)
  }

  u8(): number {
    return this.view.getUint8(this.at++)
  }

  u16(): number {
    this.at += 2
    return this.view.getUint16(this.at - 2, this.littleEndian)
  }

  u32(): number {
    this.at += 4
    return this.view.getUint32(this.at - 4, this.littleEndian)
  }

  bigU64(): bigint {
    this.at += 8
    return this.view.getBigUint64(this.at - 8, this.littleEndian)
  }

  /** A u64 as a number: over 2^53 − 1 it is rounded, and still over it. */
  u64(): number {
    const first = this.u32()
    const second = this.u32()
    return this.littleEndian ? second * 2 ** 32 + first : first * 2 ** 32 + second
  }

  /** The next `length` bytes, which are the source's or the window's: to be read at once, not kept. */
  bytes(length: number): Uint8Array {
    this.at += length
    return this.window.subarray(this.at - length, this.at)
  }

  text(length: number, what: string): string {
    const start = this.at
    this.at += length
    return utf8Text(this.window, start, this.at, what, this.base + start)
  }
}
