import { allocate } from '../bytes/allocate.js'
import { toBytes } from '../bytes/input.js'
import { byteReader } from '../bytes/reader.js'
import { viewOf } from '../bytes/view-of.js'
import { KilnError, moved } from '../errors/kiln-error.js'
import { resolveSettings, streamBodyLimit, type DecodeOptions, type Settings } from '../limits/limits.js'
import { checkBodyLength, readFrame, type Frame } from './decode.js'
import { FRAME_HEADER_SIZE, readFixedHeader, type FrameHeader } from './header.js'
import { chooseSchema, registryOf, type InheritSchemas, type SchemaChoice, type SchemaRegistry } from './schema-choice.js'

/**
 * Frames out of chunks of any size: give it chunks, take the frames that have become whole. The one place that
 * knows how a stream is cut up; async iteration and Web Streams stand on it.
 *
 * Never allocates more than what has arrived. Each frame is copied into bytes of its own, so that its payloads
 * are aligned and no chunk is kept alive; of a chunk that ends within a frame, that part is copied before the next is asked for.
 */
export class FrameBuffer {
  readonly #registry: SchemaRegistry
  readonly #settings: Settings
  #chunks: Uint8Array[] = []
  #buffered = 0
  /** Bytes of the stream before the first chunk that is kept. */
  #offset = 0
  /** How many bytes the next step needs, and the header once its fixed part has been read. */
  #need = FRAME_HEADER_SIZE
  #header: FrameHeader | undefined
  #checked = false
  /** Whether all that is kept is this buffer's own. */
  #owned = true

  constructor(schemas?: SchemaChoice | InheritSchemas, options?: DecodeOptions) {
    this.#registry = registryOf(schemas)
    const settings = resolveSettings(options)
    this.#settings = options?.limits?.body === undefined ? { ...settings, limits: { ...settings.limits, body: streamBodyLimit } } : settings
  }

  push(chunk: ArrayBufferView | ArrayBufferLike): void {
    const bytes = toBytes(chunk)
    if (bytes.length === 0) return
    this.#chunks.push(bytes)
    this.#owned = false
    this.#buffered += bytes.length
  }

  /** The next frame, if all of it has arrived. */
  next(): Frame | undefined {
    while (this.#buffered >= this.#need) {
      if (this.#header === undefined) {
        const front = this.#front(FRAME_HEADER_SIZE)
        this.#header = this.#located(() => readFixedHeader(viewOf(front), 0, Infinity))
        this.#need = this.#header.headerSize
      } else if (!this.#checked) {
        this.#checkHeader(this.#header)
        this.#need = this.#header.headerSize + this.#header.bodyLength
      } else return this.#takeFrame()
    }
    this.#own()
    return undefined
  }

  /** Copies what is kept of the last chunk: whoever gave it may fill the same memory again for the next. */
  #own(): void {
    if (this.#owned) return
    this.#owned = true
    const chunk = this.#chunks.pop()
    if (chunk === undefined) return
    if (chunk.length === 0) throw chunkGone()
    this.#chunks.push(Uint8Array.prototype.slice.call(chunk))
  }

  /** Says that no more chunks come: `EOF` unless the stream ends between frames. */
  end(): void {
    if (this.#buffered === 0) return
    throw new KilnError(
      'EOF',
      `the stream ends inside a frame, ${this.#buffered} bytes after its start at byte ${this.#offset}, of ${this.#need} or more`,
      this.#offset,
    )
  }

  #checkHeader(header: FrameHeader): void {
    const front = this.#front(header.headerSize)
    this.#located(() => {
      chooseSchema(front, 0, header, this.#registry)
      checkBodyLength(header, this.#settings, 0)
    })
    this.#checked = true
  }

  #takeFrame(): Frame {
    const bytes = this.#take(this.#need)
    const frame = this.#located(() => readFrame(byteReader(bytes, this.#settings), this.#registry, 'read', this.#offset))
    this.#offset += bytes.length
    this.#need = FRAME_HEADER_SIZE
    this.#header = undefined
    this.#checked = false
    return frame
  }

  /** Errors count offsets from the frame; people count them from the start of the stream. */
  #located<T>(step: () => T): T {
    try {
      return step()
    } catch (error) {
      throw moved(error, this.#offset)
    }
  }

  /** At least the first `length` bytes that are kept, in one piece. */
  #front(length: number): Uint8Array {
    if (this.#chunks[0]!.length < length) {
      const merged = this.#take(length)
      this.#chunks.unshift(merged)
      this.#buffered += length
    }
    return this.#chunks[0]!
  }

  /** Removes the first `length` bytes and gives them in memory of their own. */
  #take(length: number): Uint8Array {
    const taken = allocate(Uint8Array, length)
    let filled = 0
    let used = 0
    while (filled < length) {
      const chunk = this.#chunks[used]
      if (chunk === undefined || chunk.length === 0) throw chunkGone()
      const part = chunk.length > length - filled ? chunk.subarray(0, length - filled) : chunk
      taken.set(part, filled)
      filled += part.length
      if (part.length < chunk.length) this.#chunks[used] = chunk.subarray(part.length)
      else used++
    }
    this.#chunks.splice(0, used)
    this.#buffered -= length
    return taken
  }
}

/** `TYPE`: chunks are kept, none of them empty, until their frame has come. */
function chunkGone(): KilnError {
  return new KilnError('TYPE', 'a chunk was transferred or resized away before its frame had come; give each in memory of its own')
}
