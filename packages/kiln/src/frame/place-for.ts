import { PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { allocate } from '../bytes/allocate.js'
import { toBytes } from '../bytes/input.js'
import { byteReader, type ByteReader } from '../bytes/reader.js'
import { seekTensors } from '../frozen/seek.js'
import type { ByteInput } from '../frozen/decode.js'
import { isOn } from '../limits/options.js'
import { resolveSettings, type DecodeOptions } from '../limits/limits.js'
import { checkSchema } from '../schema/is-schema.js'
import type { Schema } from '../schema/types.js'
import { readFixedHeader } from './header.js'

/** Options of {@link placeFor}: those of every reader, and what the bytes are. */
export interface PlaceOptions extends DecodeOptions {
  /** Whether the bytes are a frame, header and body; else they are a value by itself. Default false. */
  readonly frame?: boolean | undefined
}

/**
 * Puts a received message where the payloads of its first directory lie at multiples of 64 of their buffer, so that
 * they can be borrowed whatever their dtype: one copy into memory of its own. Gives the same bytes where they lie right
 * already, and where the value has no directory. Later directories of the same message may lie otherwise.
 *
 * Only what stands before the directory is gone through, by its lengths. Throws KilnError where that is cut short.
 */
export function placeFor(schema: Schema, bytes: ByteInput, options?: PlaceOptions): Uint8Array {
  checkSchema(schema)
  return placeWith((r) => (seekTensors(schema, r) ? r.pos : -1), bytes, options)
}

/** As {@link placeFor}, by a function that says where the first directory begins, or -1 where the value has none. */
export function placeWith(seek: (r: ByteReader) => number, bytes: ByteInput, options?: PlaceOptions): Uint8Array {
  const input = toBytes(bytes)
  const r = byteReader(input, resolveSettings(options))
  if (isOn(options?.frame, 'frame')) r.pos = readFixedHeader(r.view, 0, input.length).headerSize
  const at = seek(r)
  if (at < 0) return input
  const over = at % PAYLOAD_ALIGNMENT
  if ((input.byteOffset + over) % PAYLOAD_ALIGNMENT === 0) return input
  const before = over === 0 ? 0 : PAYLOAD_ALIGNMENT - over
  const placed = allocate(Uint8Array, before + input.length).subarray(before)
  placed.set(input)
  return placed
}
