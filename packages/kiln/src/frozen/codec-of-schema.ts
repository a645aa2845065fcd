import type { OwnBytes } from '../bytes/host.js'
import type { DecodeOptions, Int64 } from '../limits/limits.js'
import type { Infer, Input, Viewed } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { codecOf } from './compile.js'
import { decode, decodePrefix, view, type ByteInput, type Prefix } from './decode.js'
import { encode, encodedSize, encodeInto, encodeParts } from './encode.js'

/** The functions of a schema, bound to it. */
export interface Codec<S extends Schema> {
  readonly schema: S
  encode(value: Input<S>): OwnBytes
  encodeInto(value: Input<S>, target: ByteInput): number
  encodeParts(value: Input<S>): Uint8Array[]
  encodedSize(value: Input<S>): number
  decode<const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>): Infer<S, I>
  decodePrefix<const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>): Prefix<Infer<S, I>>
  view<const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>): Viewed<S, I>
}

/** Compiles a schema now instead of at its first use, and gives its functions bound to it. */
export function compile<S extends Schema>(schema: S): Codec<S> {
  codecOf(schema)
  return Object.freeze<Codec<S>>({
    schema,
    encode: (value) => encode(schema, value),
    encodeInto: (value, target) => encodeInto(schema, value, target),
    encodeParts: (value) => encodeParts(schema, value),
    encodedSize: (value) => encodedSize(schema, value),
    decode: (bytes, options) => decode(schema, bytes, options),
    decodePrefix: (bytes, options) => decodePrefix(schema, bytes, options),
    view: (bytes, options) => view(schema, bytes, options),
  })
}
