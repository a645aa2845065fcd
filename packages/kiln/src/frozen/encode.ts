import type { OwnBytes } from '../bytes/host.js'
import { toBytes } from '../bytes/input.js'
import { ByteWriter, withWriter } from '../bytes/writer.js'
import type { Input } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { codecOf } from './compile.js'
import type { ByteInput } from './decode.js'

/**
 * Writes a value into bytes of its own, of exactly its size; their buffer holds nothing else. Throws
 * KilnError for a value that the schema doesn't take.
 */
export function encode<S extends Schema>(schema: S, value: Input<S>): OwnBytes {
  const codec = codecOf(schema)
  return withWriter((w) => {
    codec.write(w, value)
    return w.finish()
  })
}

/**
 * Writes a value to the front of the caller's bytes and returns how many it took. Nothing outside the
 * given range is touched. A target that is too small is `LIMIT`; it may then hold part of the value.
 */
export function encodeInto<S extends Schema>(schema: S, value: Input<S>, target: ByteInput): number {
  const w = new ByteWriter(toBytes(target))
  codecOf(schema).write(w, value)
  return w.pos
}

/** Bytes that a value takes. The value is checked as for {@link encode}; large arrays in it are not copied. */
export function encodedSize<S extends Schema>(schema: S, value: Input<S>): number {
  const codec = codecOf(schema)
  return withWriter((w) => {
    codec.write(w, value)
    return w.length
  })
}

/**
 * The message as slices in order, for `writev` or a Blob: large arrays and payloads are slices of the
 * value's own memory and aren't copied, so leave the value alone until they are sent.
 */
export function encodeParts<S extends Schema>(schema: S, value: Input<S>): Uint8Array[] {
  const codec = codecOf(schema)
  return withWriter((w) => {
    codec.write(w, value)
    return w.slices()
  })
}
