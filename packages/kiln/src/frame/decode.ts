import { crc32 } from '../bytes/crc32.js'
import { checkMemory, toBytes } from '../bytes/input.js'
import { byteReader, checkEnd, overCap, type ByteReader } from '../bytes/reader.js'
import { viewOf } from '../bytes/view-of.js'
import { KilnError } from '../errors/kiln-error.js'
import { readersOf } from '../frozen/readers.js'
import type { ByteInput } from '../frozen/decode.js'
import { resolveSettings, type DecodeOptions, type Int64, type Settings } from '../limits/limits.js'
import type { Infer, Viewed } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { checksumFault } from '../tensors/verify.js'
import { FLAG_CHECKSUM, readFixedHeader, type FrameHeader } from './header.js'
import * as frameFields from './frame-fields.js'
import { chooseSchema, embeddedSchema, registryOf, type InheritSchemas, type SchemaChoice, type SchemaRegistry } from './schema-choice.js'

/** What a frame says of itself before its body. */
export interface FrameInfo {
  /** The schema that the frame brings, if it does. */
  readonly schema: Schema | undefined
  /** The hash of the schema with which the body was written. */
  readonly hash: bigint
  /** The flags byte: bit 0 is SCHEMA, bit 1 CHECKSUM. */
  readonly flags: number
  /** The stored CRC-32 of the body, if there is one. */
  readonly checksum: number | undefined
  /** Bytes before the body. */
  readonly headerSize: number
  /** Bytes of the body. */
  readonly bodyLength: number
}

/** A frame that was read. `schema` is the very object that the caller gave, if it gave any. */
export interface Frame<S extends Schema = Schema, V = Infer<S>> {
  /** The schema that the body was read with. */
  readonly schema: S
  /** The body. */
  readonly value: V
  /** The flags byte: bit 0 is SCHEMA, bit 1 CHECKSUM. */
  readonly flags: number
  /** Where the frame begins, in bytes from the start of the input or stream. */
  readonly offset: number
  /** Bytes of the frame, header and body. */
  readonly byteLength: number
  /** Whether the frame was written with this schema; tells TypeScript the type of `value`. */
  is<T extends Schema>(schema: T): this is Frame<T>
}

class DecodedFrame implements Frame {
  readonly schema: Schema
  readonly value: unknown
  readonly flags: number
  readonly offset: number
  readonly byteLength: number

  constructor(schema: Schema, value: unknown, flags: number, offset: number, byteLength: number) {
    this.schema = schema
    this.value = value
    this.flags = flags
    this.offset = offset
    this.byteLength = byteLength
  }

  is<T extends Schema>(schema: T): this is Frame<T> {
    return this.schema === schema || this.schema.text === schema.text
  }
}

/**
 * Reads a frame's header alone, with the schema that it brings (FORMAT §6 steps 1 and 2). The body need not be there.
 * `EOF` if the header is cut short, `FRAME` if it is none, `LIMIT`, `UTF8` or `SCHEMA` for a bad text in it.
 */
export function readFrameHeader(bytes: ByteInput): FrameInfo {
  const input = toBytes(bytes)
  const view = viewOf(input)
  const header = readFixedHeader(view, 0, input.length)
  const schema = embeddedSchema(input, 0, header, [])
  const { flags, hash, checksum, headerSize, bodyLength } = header
  return { schema, hash, flags, checksum: (flags & FLAG_CHECKSUM) === 0 ? undefined : checksum, headerSize, bodyLength }
}

/** Step 4, its first half: the body is within the cap. */
export function checkBodyLength(header: FrameHeader, settings: Settings, at: number): void {
  const { body } = settings.limits
  if (header.bodyLength > body) throw overCap(header.bodyLength, 'body', body, 'bytes of body', at + frameFields.bodyLength)
}

/** Step 4, its second half: the body is available. */
export function checkBodyAvailable(header: FrameHeader, available: number, at: number): void {
  if (header.bodyLength <= available) return
  throw new KilnError('EOF', `the body takes ${header.bodyLength} bytes, ${available} are left`, at + frameFields.bodyLength)
}

/** Step 4, its last part: the CRC-32 of the body, if the header has one. */
export function checkBodyChecksum(header: FrameHeader, bytes: Uint8Array, bodyStart: number): void {
  if ((header.flags & FLAG_CHECKSUM) === 0) return
  const computed = crc32(bytes.subarray(bodyStart, bodyStart + header.bodyLength))
  if (computed !== header.checksum) throw checksumFault(header.checksum, computed, bodyStart)
}

/**
 * Reads the frame at the cursor by FORMAT §6 steps 1 to 5 and leaves the cursor behind it.
 * `origin` is added to the frame's place, for a reader of a part of something larger.
 */
export function readFrame(r: ByteReader, registry: SchemaRegistry, how: 'read' | 'view', origin = 0): Frame {
  const at = r.pos
  const header = readFixedHeader(r.view, at, r.end - at)
  const schema = chooseSchema(r.bytes, at, header, registry)
  return readFrameBody(r, header, schema, how, origin)
}

/** As {@link readFrame}, of a frame whose header has been read and whose schema is known: steps 4 and 5. */
export function readFrameBody(r: ByteReader, header: FrameHeader, schema: Schema, how: 'read' | 'view', origin: number): Frame {
  const at = r.pos
  const inputEnd = r.end
  checkBodyLength(header, r.settings, at)
  const bodyStart = at + header.headerSize
  checkBodyAvailable(header, inputEnd - bodyStart, at)
  const bodyEnd = bodyStart + header.bodyLength
  checkBodyChecksum(header, r.bytes, bodyStart)
  r.pos = bodyStart
  r.end = bodyEnd
  const value = readersOf(schema)[how](r)
  checkEnd(r, 'body of the frame')
  r.end = inputEnd
  return new DecodedFrame(schema, value, header.flags, origin + at, bodyEnd - at)
}

function readAlone(bytes: ByteInput, choice: SchemaChoice | undefined, options: DecodeOptions | undefined, how: 'read' | 'view'): Frame {
  const r = byteReader(toBytes(bytes), resolveSettings(options))
  const frame = readFrame(r, registryOf(choice), how)
  if (r.pos !== r.end) {
    throw new KilnError('TRAILING', `${r.end - r.pos} bytes follow the frame; iterateFrames reads one frame after the other`, r.pos)
  }
  return frame
}

/**
 * Reads one frame that stands alone: with the caller's schema, with the one of several that has its hash, or
 * without any with the schema that it brings. The value is owned, as by `decode`. Throws `FRAME` for another schema
 * than the caller's, `SCHEMA` if there is none, `CHECKSUM` for a damaged body.
 */
export function decodeFrame<const I extends Int64 = 'bigint'>(
  bytes: ByteInput,
  schemas?: undefined,
  options?: DecodeOptions<I>,
): Frame<Schema, unknown>
export function decodeFrame<S extends Schema, const I extends Int64 = 'bigint'>(
  bytes: ByteInput,
  schemas: SchemaChoice<S>,
  options?: DecodeOptions<I>,
): Frame<S, Infer<S, I>>
export function decodeFrame(bytes: ByteInput, schemas?: SchemaChoice, options?: DecodeOptions): Frame {
  return readAlone(bytes, schemas, options, 'read')
}

/** As {@link decodeFrame}, with a value as by `view`: lists of numbers and bytes point into the input. */
export function viewFrame<const I extends Int64 = 'bigint'>(
  bytes: ByteInput,
  schemas?: undefined,
  options?: DecodeOptions<I>,
): Frame<Schema, unknown>
export function viewFrame<S extends Schema, const I extends Int64 = 'bigint'>(
  bytes: ByteInput,
  schemas: SchemaChoice<S>,
  options?: DecodeOptions<I>,
): Frame<S, Viewed<S, I>>
export function viewFrame(bytes: ByteInput, schemas?: SchemaChoice, options?: DecodeOptions): Frame {
  return readAlone(bytes, schemas, options, 'view')
}

/**
 * Goes through frames that stand one behind the other in memory, such as a file of many. Ends where the input
 * does; a frame that is cut short is `EOF`. Errors are those of {@link decodeFrame}, when the frame is asked for.
 * With `'inherit'` in place of schemas, a frame that brings none is read by the one that an earlier frame brought.
 */
export function iterateFrames(bytes: ByteInput, schemas?: InheritSchemas, options?: DecodeOptions): Generator<Frame<Schema, unknown>, undefined>
export function iterateFrames<S extends Schema, const I extends Int64 = 'bigint'>(
  bytes: ByteInput,
  schemas: SchemaChoice<S>,
  options?: DecodeOptions<I>,
): Generator<Frame<S, Infer<S, I>>, undefined>
export function iterateFrames(bytes: ByteInput, schemas?: SchemaChoice | InheritSchemas, options?: DecodeOptions): Generator<Frame, undefined> {
  return framesIn(bytes, schemas, options, 'read')
}

/** As {@link iterateFrames}, with values as by `view`: lists of numbers and bytes point into the input. */
export function iterateFramesView(bytes: ByteInput, schemas?: InheritSchemas, options?: DecodeOptions): Generator<Frame<Schema, unknown>, undefined>
export function iterateFramesView<S extends Schema, const I extends Int64 = 'bigint'>(
  bytes: ByteInput,
  schemas: SchemaChoice<S>,
  options?: DecodeOptions<I>,
): Generator<Frame<S, Viewed<S, I>>, undefined>
export function iterateFramesView(bytes: ByteInput, schemas?: SchemaChoice | InheritSchemas, options?: DecodeOptions): Generator<Frame, undefined> {
  return framesIn(bytes, schemas, options, 'view')
}

/** Looks at what it is given at once, and at the frames as they are asked for. */
function framesIn(
  bytes: ByteInput,
  schemas: SchemaChoice | InheritSchemas | undefined,
  options: DecodeOptions | undefined,
  how: 'read' | 'view',
): Generator<Frame, undefined> {
  const r = byteReader(toBytes(bytes), resolveSettings(options))
  const registry = registryOf(schemas)
  return eachFrame(r, registry, how)
}

// As in `iterate`: no generator is made anew for each call.
function* eachFrame(r: ByteReader, registry: SchemaRegistry, how: 'read' | 'view'): Generator<Frame, undefined> {
  while (r.pos < r.end) {
    checkMemory(r.bytes, r.end)
    yield readFrame(r, registry, how)
  }
  return undefined
}

