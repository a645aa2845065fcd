import { BinaryReader } from '@bufbuild/protobuf/wire'
import { KilnError, type ByteSource, type ReadOptions } from 'kiln-format'

// Most messages of a model are nodes of some hundred bytes; weights are passed over, not read.
const WINDOW = 2 ** 16
// Where reads are dear, what a few of them skip costs less than the many.
const WIDE_WINDOW = 2 ** 20

/** The longest varint, and a tag before it. */
export const LONGEST_HEAD = 20

/**
 * What is used of the protobuf library's reader. Its own declarations want TypeScript 5.7, and would be part of this
 * package's: users of older compilers read none of them.
 */
export interface WireReader {
  pos: number
  tag(): [number, number]
  int32(): number
  uint32(): number
  int64(): bigint | string
  uint64(): bigint | string
}

/**
 * A stretch of a source that is in memory, moved along as a message is walked through. Offsets are of
 * the source; the library's reader stands on the stretch.
 */
export class WireWindow {
  readonly source: ByteSource
  readonly options: ReadOptions | undefined
  private start = 0
  private bytes: Uint8Array = new Uint8Array(0)
  private reader: WireReader = new BinaryReader(this.bytes)

  constructor(source: ByteSource, options?: ReadOptions) {
    this.source = source
    this.options = options
  }

  /** Where the stretch ends. */
  get end(): number {
    return this.start + this.bytes.length
  }

  /** Whether the next values from `offset` on can be read without waiting. */
  has(offset: number): boolean {
    return (
      offset >= this.start &&
      (offset + LONGEST_HEAD <= this.end || (this.end === this.source.size && offset <= this.end))
    )
  }

  /** Makes the stretch one in which a tag and a varint from `offset` on are whole, if the source has them whole. */
  async load(offset: number): Promise<void> {
    if (this.has(offset)) return
    this.options?.signal?.throwIfAborted()
    const window = Math.min(WIDE_WINDOW, Math.max(WINDOW, this.source.readSize ?? 0))
    this.bytes = await this.source.read(offset, Math.min(window, this.source.size - offset), this.options)
    this.start = offset
    this.reader = new BinaryReader(this.bytes)
  }

  /** The library's reader at an offset that {@link has} is true of. */
  at(offset: number): WireReader {
    this.reader.pos = offset - this.start
    return this.reader
  }

  /** Where the reader stands, in the source. */
  get position(): number {
    return this.start + this.reader.pos
  }

  /** Bytes of a range that lies in the source; they may borrow the stretch's memory. */
  async read(start: number, end: number): Promise<Uint8Array> {
    if (start >= this.start && end <= this.end) return this.bytes.subarray(start - this.start, end - this.start)
    return this.source.read(start, end - start, this.options)
  }
}

/** What the library throws, as a Kiln error: input that ends early is `EOF`, all else `FRAME`. */
export function wireError(cause: unknown, what: string, offset: number): KilnError {
  if (cause instanceof RangeError) return new KilnError('EOF', `${what} ends inside a field`, offset, { cause })
  const detail = cause instanceof Error ? cause.message : String(cause)
  return new KilnError('FRAME', `${what} is not valid protobuf: ${detail}`, offset, { cause })
}
