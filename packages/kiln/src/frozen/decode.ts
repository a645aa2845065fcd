import { toBytes } from '../bytes/input.js'
import { inMessage, messageReader } from '../bytes/message-reader.js'
import { checkEnd } from '../bytes/reader.js'
import { resolveSettings, type DecodeOptions, type Int64 } from '../limits/limits.js'
import type { Infer, Viewed } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { readersOf } from './readers.js'

/** Bytes as every reader takes them: any view, of any realm, at any offset, or a whole buffer. */
export type ByteInput = ArrayBufferView | ArrayBufferLike

/**
 * Reads a value that stands alone. It shares nothing with the input but tensors' payloads and, with
 * `{ bytes: 'borrow' }`, `bytes`. Throws KilnError for anything that is not one value of the schema.
 */
export function decode<S extends Schema, const I extends Int64 = 'bigint'>(
  schema: S,
  bytes: ByteInput,
  options?: DecodeOptions<I>,
): Infer<S, I> {
  const readers = readersOf(schema)
  const r = messageReader(toBytes(bytes), resolveSettings(options))
  try {
    const value = readers.read(r)
    checkEnd(r, 'value')
    return value as Infer<S, I>
  } catch (error) {
    throw inMessage(error, r)
  }
}

/**
 * As {@link decode}, but lists of numbers and bytes point into the input: nothing of them is copied, and
 * they hold as long as the input isn't changed.
 */
export function view<S extends Schema, const I extends Int64 = 'bigint'>(
  schema: S,
  bytes: ByteInput,
  options?: DecodeOptions<I>,
): Viewed<S, I> {
  const readers = readersOf(schema)
  const r = messageReader(toBytes(bytes), resolveSettings(options))
  try {
    const value = readers.view(r)
    checkEnd(r, 'value')
    return value as Viewed<S, I>
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** A value that was read from the front of some bytes, and how many of them it took. */
export interface Prefix<T> {
  /** What was read. */
  readonly value: T
  /** Bytes that it took. */
  readonly length: number
}

/** As {@link decode}, for a value with other bytes behind it: gives the value and its length in bytes. */
export function decodePrefix<S extends Schema, const I extends Int64 = 'bigint'>(
  schema: S,
  bytes: ByteInput,
  options?: DecodeOptions<I>,
): Prefix<Infer<S, I>> {
  const readers = readersOf(schema)
  const r = messageReader(toBytes(bytes), resolveSettings(options))
  try {
    const value = readers.read(r) as Infer<S, I>
    return { value, length: r.pos - r.origin }
  } catch (error) {
    throw inMessage(error, r)
  }
}
