import type { OwnBytes } from '../bytes/host.js'
import type { DecodeOptions, Int64 } from '../limits/limits.js'
import type { Infer, Input, Viewed } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { decode, decodePrefix, view, type ByteInput, type Prefix } from './decode.js'
import { encode, encodedSize, encodeInto, encodeParts } from './encode.js'
import { readersOf } from './readers.js'
import { standardFace, type StandardFace } from './standard.js'
import { writerOf } from './writers.js'

/** The functions of a schema, bound to it. */
export interface Codec<S extends Schema> {
  /** The schema that was compiled. */
  readonly schema: S
  /** As `encode`: bytes of their own. */
  encode(value: Input<S>): OwnBytes
  /** As `encodeInto`: into the caller's bytes; gives how many it took. */
  encodeInto(value: Input<S>, target: ByteInput): number
  /** As `encodeParts`: slices in order, large ones of the value's own memory. */
  encodeParts(value: Input<S>): Uint8Array[]
  /** As `encodedSize`: bytes that the value takes. */
  encodedSize(value: Input<S>): number
  /** As `decode`: an owned value, of all the bytes. */
  decode<const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>): Infer<S, I>
  /** As `decodePrefix`: an owned value of the front of the bytes, and its length. */
  decodePrefix<const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>): Prefix<Infer<S, I>>
  /** As `view`: lists of numbers and bytes point into the input. */
  view<const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>): Viewed<S, I>
  /** The schema as validators' Standard Schema specification has it. */
  readonly '~standard': StandardFace<Input<S>, Infer<S>>
}

/** Compiles a schema now instead of at its first use, and gives its functions bound to it. `SCHEMA` for what is none. */
export function compile<S extends Schema>(schema: S): Codec<S> {
  readersOf(schema)
  writerOf(schema)
  return Object.freeze<Codec<S>>({
    schema,
    encode: (value) => encode(schema, value),
    encodeInto: (value, target) => encodeInto(schema, value, target),
    encodeParts: (value) => encodeParts(schema, value),
    encodedSize: (value) => encodedSize(schema, value),
    decode: (bytes, options) => decode(schema, bytes, options),
    decodePrefix: (bytes, options) => decodePrefix(schema, bytes, options),
    view: (bytes, options) => view(schema, bytes, options),
    '~standard': standardFace(schema),
  })
}
