import { allocate } from '../bytes/allocate.js'
import { isUnstable, toBytes } from '../bytes/input.js'
import { byteReader, type ByteReader } from '../bytes/reader.js'
import { viewOf } from '../bytes/view-of.js'
import { KilnError, moved } from '../errors/kiln-error.js'
import { hasTensors } from '../frozen/seek.js'
import { resolveSettings, streamBodyLimit, type DecodeOptions, type Settings } from '../limits/limits.js'
import { checkBodyLength, readFrame, readFrameBody, type Frame } from './decode.js'
import { FRAME_HEADER_SIZE, readFixedHeader, type FrameHeader } from './header.js'
import { chooseSchema, registryOf, type InheritSchemas, type SchemaChoice, type SchemaRegistry } from './schema-choice.js'

/**
 * Frames out of chunks of any size: give it chunks, take the frames that have become whole. The one place that
 * knows how a stream is cut up; async iteration and Web Streams stand on it.
 *
 * Never allocates more than what has arrived. A frame that lies in one chunk is read there, unless it has tensors: these
 * borrow their payloads, so such a frame is copied into bytes of its own, where they are aligned and keep no chunk alive.
 * Of a chunk that ends within a frame, that part is copied before the next is asked for.
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
  /** A cursor over the first chunk, behind the frames that were read there; `#buffered` and `#offset` have passed them too. */
  #reader: ByteReader | undefined

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
    return (this.#header === undefined ? this.#inPlace() : undefined) ?? this.#putTogether()
  }

  /** The next frame, if the first chunk has all of it. A frame of 40 bytes takes a fifth of the time that it takes put together. */
  #inPlace(): Frame | undefined {
    const r = (this.#reader ??= this.#firstChunk())
    if (r === undefined) return undefined
    const frame = r.bytes.length === r.end ? this.#frameAt(r) : undefined
    if (frame === undefined) this.#leave(r)
    return frame
  }

  #firstChunk(): ByteReader | undefined {
    const chunk = this.#chunks[0]
    // An empty one has lost its memory, which is told when its bytes are looked for.
    return chunk === undefined || chunk.length === 0 || isUnstable(chunk) ? undefined : byteReader(chunk, this.#settings)
  }

  #frameAt(r: ByteReader): Frame | undefined {
    const at = r.pos
    const left = r.end - at
    if (left < FRAME_HEADER_SIZE) return undefined
    const before = this.#offset - at
    return located(before, () => {
      const header = readFixedHeader(r.view, at, Infinity)
      const length = header.headerSize + header.bodyLength
      if (length > left) return undefined
      const schema = chooseSchema(r.bytes, at, header, this.#registry)
      let frame: Frame
      if (hasTensors(schema)) {
        const own = allocate(Uint8Array, length)
        own.set(r.bytes.subarray(at, at + length))
        frame = located(at, () => readFrameBody(byteReader(own, this.#settings), header, schema, 'read', this.#offset))
        r.pos = at + length
      } else frame = readFrameBody(r, header, schema, 'read', before)
      this.#buffered -= length
      this.#offset += length
      return frame
    })
  }

  /** Gives the chunk that was read in place back, without the frames that were read. */
  #leave(r: ByteReader): void {
    this.#reader = undefined
    // Memory that went elsewhere meanwhile is told when it is looked for.
    if (r.pos === 0 || r.bytes.length !== r.end) return
    if (r.pos === r.end) this.#chunks.shift()
    else this.#chunks[0] = r.bytes.subarray(r.pos)
  }

  /** The next frame, out of as many chunks as it takes. */
  #putTogether(): Frame | undefined {
    while (this.#buffered >= this.#need) {
      if (this.#header === undefined) {
        const front = this.#front(FRAME_HEADER_SIZE)
        this.#header = located(this.#offset, () => readFixedHeader(viewOf(front), 0, Infinity))
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
    located(this.#offset, () => {
      chooseSchema(front, 0, header, this.#registry)
      checkBodyLength(header, this.#settings, 0)
    })
    this.#checked = true
  }

  #takeFrame(): Frame {
    const bytes = this.#take(this.#need)
    const frame = located(this.#offset, () => readFrame(byteReader(bytes, this.#settings), this.#registry, 'read', this.#offset))
    this.#offset += bytes.length
    this.#need = FRAME_HEADER_SIZE
    this.#header = undefined
    this.#checked = false
    return frame
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

/** Errors count offsets from what is read; people count them from the start of the stream, of which `before` bytes come first. */
function located<T>(before: number, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw moved(error, before)
  }
}

/** `TYPE`: chunks are kept, none of them empty, until their frame has come. */
function chunkGone(): KilnError {
  return new KilnError('TYPE', 'a chunk was transferred or resized away before its frame had come; give each in memory of its own')
}
