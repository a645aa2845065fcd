import type { OwnBytes } from '../bytes/host.js'
import type { Input } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import type { ByteInput } from './decode.js'
import { encodedSizeWith, encodeIntoWith, encodePartsWith, encodeWith } from './write-value.js'
import { writerOf } from './writers.js'

/**
 * Writes a value into bytes of its own, of exactly its size; their buffer holds nothing else. Throws
 * KilnError for a value that the schema doesn't take.
 */
export function encode<S extends Schema>(schema: S, value: Input<S>): OwnBytes {
  return encodeWith(writerOf(schema), value)
}

/**
 * Writes a value to the front of the caller's bytes and returns how many it took. Nothing outside the
 * given range is touched, and nothing at all if the value is refused or the target is too small (`LIMIT`).
 */
export function encodeInto<S extends Schema>(schema: S, value: Input<S>, target: ByteInput): number {
  return encodeIntoWith(writerOf(schema), value, target)
}

/** Bytes that a value takes. The value is checked as for {@link encode}; large arrays in it are not copied. */
export function encodedSize<S extends Schema>(schema: S, value: Input<S>): number {
  return encodedSizeWith(writerOf(schema), value)
}

/**
 * The message as slices in order, for `writev` or a Blob: large arrays and payloads are slices of the
 * value's own memory and aren't copied, so leave the value alone until they are sent. Errors are those of {@link encode}.
 */
export function encodeParts<S extends Schema>(schema: S, value: Input<S>): Uint8Array[] {
  return encodePartsWith(writerOf(schema), value)
}
