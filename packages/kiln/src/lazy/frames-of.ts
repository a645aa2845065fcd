import { byteReader } from '../bytes/reader.js'
import { KilnError, moved } from '../errors/kiln-error.js'
import { readFrame, type Frame } from '../frame/decode.js'
import { FLAG_CHECKSUM } from '../frame/header.js'
import { registryOf, type InheritSchemas, type SchemaChoice, type SchemaRegistry } from '../frame/schema-choice.js'
import { resolveSettings, type DecodeOptions, type Int64, type Settings } from '../limits/limits.js'
import type { Infer } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { wholeNumber } from '../limits/options.js'
import { signalOf } from '../sources/abort.js'
import { readRange } from '../sources/range.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'
import { sourceOf, type SourceInput } from '../sources/source-input.js'
import { readFrameHead, type FrameHead } from './frame-head.js'
import type { LazyModel } from './model.js'
import { fileKind, openFrame, type OpenOptions } from './open.js'
import { SourceWindow } from './window.js'

/** Options of {@link framesOf}: those of every reader, a signal, and where to begin. */
export interface FramesOfOptions<I extends Int64 = Int64> extends DecodeOptions<I>, ReadOptions {
  /** Bytes of the first frame's place in the source: where a list of offsets made earlier is taken up. Default 0. */
  readonly from?: number | undefined
}

/** A frame of a source. Its head has been read, its body is for the asking. */
export interface SourceFrame<S extends Schema = Schema, V = Infer<S>> {
  readonly schema: S
  /** The flags byte: bit 0 is SCHEMA, bit 1 CHECKSUM. */
  readonly flags: number
  /** The stored CRC-32 of the body, if there is one; `read` compares it. */
  readonly checksum: number | undefined
  /** Where the frame begins, in bytes from the start of the source. */
  readonly offset: number
  /** Bytes of the frame, header and body. */
  readonly byteLength: number
  readonly headerSize: number
  readonly bodyLength: number
  /** Whether the frame was written with this schema; tells TypeScript the type of its value. */
  is<T extends Schema>(schema: T): this is SourceFrame<T>
  /** Reads the whole frame, as `decodeFrame` does. */
  read(options?: ReadOptions): Promise<Frame<S, V>>
  /** Opens a frame that begins with tensors, without their payloads. Closing the model leaves the source open. */
  open(options?: Omit<OpenOptions, 'keepOpen' | 'schemas'>): Promise<LazyModel>
}

// Many small frames then take few reads, and a large one costs no more than this beside what is asked of it.
const AHEAD = 64 * 1024

class FrameOfSource implements SourceFrame {
  readonly schema: Schema
  readonly #source: ByteSource
  readonly #head: FrameHead
  readonly #registry: SchemaRegistry
  readonly #settings: Settings
  readonly #options: DecodeOptions

  constructor(
    source: ByteSource,
    head: FrameHead,
    registry: SchemaRegistry,
    settings: Settings,
    options: DecodeOptions,
  ) {
    this.schema = head.schema
    this.#source = source
    this.#head = head
    this.#registry = registry
    this.#settings = settings
    this.#options = options
  }

  get flags(): number {
    return this.#head.header.flags
  }

  get checksum(): number | undefined {
    const { flags, checksum } = this.#head.header
    // Two flags there are, and this is the higher one.
    return flags >= FLAG_CHECKSUM ? checksum : undefined
  }

  get offset(): number {
    return this.#head.start
  }

  get byteLength(): number {
    return this.#head.end - this.#head.start
  }

  get headerSize(): number {
    return this.#head.header.headerSize
  }

  get bodyLength(): number {
    return this.#head.header.bodyLength
  }

  is<T extends Schema>(schema: T): this is SourceFrame<T> {
    return this.schema === schema || this.schema.text === schema.text
  }

  async read(options: ReadOptions = {}): Promise<Frame> {
    const bytes = await readRange(this.#source, this.offset, this.byteLength, options)
    try {
      // Its tensors borrow their payloads, so not from memory that is the source's.
      const own = Uint8Array.prototype.slice.call(bytes)
      return readFrame(byteReader(own, this.#settings), this.#registry, 'read', this.offset)
    } catch (error) {
      throw moved(error, this.offset)
    }
  }

  async open(options: Omit<OpenOptions, 'keepOpen' | 'schemas'> = {}): Promise<LazyModel> {
    signalOf(options)
    const window = new SourceWindow(this.#source, 0, options)
    const settings = resolveSettings({ ...this.#options, ...options })
    return openFrame(window, this.#head, settings, options, true)
  }
}

/**
 * Goes through the frames of a file, Blob or URL, one behind the other, and reads their heads alone. With the caller's
 * schemas a frame of another is `FRAME`; without, a frame that brings none is `SCHEMA`. The source stays open.
 * With `'inherit'`, one that brings none is read by the schema that an earlier frame, from `from` on, brought.
 *
 * A file that ends inside a frame is `EOF`, and the error's `offset` is where the last whole frame ends: everything
 * before has been given, and a file that is cut there is whole. An empty file is `EOF` too (FORMAT §7).
 */
export function framesOf(
  source: SourceInput,
  schemas?: InheritSchemas,
  options?: FramesOfOptions,
): AsyncGenerator<SourceFrame<Schema, unknown>, undefined>
export function framesOf<S extends Schema, const I extends Int64 = 'bigint'>(
  source: SourceInput,
  schemas: SchemaChoice<S>,
  options?: FramesOfOptions<I>,
): AsyncGenerator<SourceFrame<S, Infer<S, I>>, undefined>
export async function* framesOf(
  given: SourceInput,
  schemas?: SchemaChoice | InheritSchemas,
  options: FramesOfOptions = {},
): AsyncGenerator<SourceFrame, undefined> {
  const source = sourceOf(given)
  const signal = signalOf(options)
  const settings = resolveSettings(options)
  const from = wholeNumber(options.from, 'from', 0, 0)
  const registry = registryOf(schemas)
  const window = new SourceWindow(source, AHEAD, options)
  if (options.from === undefined && (await fileKind(window)) === 'directory') {
    throw new KilnError('FRAME', `${source.label} is a bare directory, which has no frames; openDirectory reads it`, 0)
  }
  for (let at = from; at < source.size;) {
    signal?.throwIfAborted()
    const head = await readFrameHead(window, at, registry, settings, (error) => torn(error, at, source))
    yield new FrameOfSource(source, head, registry, settings, options)
    at = head.end
  }
  return undefined
}

/** An end inside a frame as an error whose offset is where the last whole frame ends. */
function torn(error: KilnError, at: number, source: ByteSource): KilnError {
  return new KilnError(
    'EOF',
    `${source.label} ends inside a frame: ${error.detail}. The last whole frame ends at byte ${at}`,
    at,
    { cause: error },
  )
}
