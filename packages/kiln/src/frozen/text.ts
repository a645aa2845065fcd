import type { OwnBytes } from '../bytes/host.js'
import { describe, isBuffer, isUnstable, toBytes } from '../bytes/input.js'
import { takeLength, type ByteReader } from '../bytes/reader.js'
import { cachedText } from '../bytes/text-cache.js'
import { decodeUtf8, encodeUtf8, writeUtf8 } from '../bytes/utf8.js'
import type { ByteWriter } from '../bytes/writer.js'
import { KilnError } from '../errors/kiln-error.js'

const MAX_U32 = 2 ** 32 - 1

/** Writes a count or length word; over u32 is `LIMIT`. */
export function writeCount(w: ByteWriter, count: number, what: string): void {
  if (count > MAX_U32) throw new KilnError('LIMIT', `${count} ${what} are more than a count of 32 bits can say; split the value`)
  w.reserve(4)
  w.view.setUint32(w.pos, count, true)
  w.pos += 4
}

/** Reads a `string`: its own copy of strict UTF-8. */
export function readString(r: ByteReader): string {
  const start = takeLength(r, 'string')
  return r.unstable ? decodeUtf8(r.bytes, start, r.pos, true) : cachedText(r.bytes, r.view, start, r.pos)
}

// Below this many UTF-16 units a string is written right into the scratch, with room for three bytes a
// unit; above, the room would cost more than encoding apart (60 KB for 20,000 units).
const DIRECT = 4096

/** Writes a `string`: a length and UTF-8. What is no string is `TYPE`, half a surrogate pair `UTF8`. */
export function writeString(w: ByteWriter, value: unknown): void {
  if (typeof value !== 'string') throw new KilnError('TYPE', `string takes a string, got ${describe(value)}`)
  if (value.length <= DIRECT) {
    w.reserve(4 + value.length * 3)
    const written = writeUtf8(value, w.bytes, w.pos + 4)
    w.view.setUint32(w.pos, written, true)
    w.pos += 4 + written
    return
  }
  const utf8 = encodeUtf8(value)
  writeCount(w, utf8.length, 'bytes of string')
  w.slice(utf8)
}

/** Reads `bytes` without copying them. */
export function viewBytes(r: ByteReader): Uint8Array {
  const start = takeLength(r, 'bytes')
  return r.bytes.subarray(start, r.pos)
}

/** Reads `bytes`: a copy, or with `{ bytes: 'borrow' }` a view that the caller asked for in its place. */
export function readBytes(r: ByteReader): OwnBytes {
  const start = takeLength(r, 'bytes')
  const bytes = r.settings.borrowBytes
    ? r.bytes.subarray(start, r.pos)
    : Uint8Array.prototype.slice.call(r.bytes, start, r.pos)
  return bytes as OwnBytes
}

/** Writes `bytes`: a length and the bytes. What is no view and no buffer is `TYPE`. */
export function writeBytes(w: ByteWriter, value: unknown): void {
  if (!ArrayBuffer.isView(value) && !isBuffer(value)) {
    throw new KilnError('TYPE', `bytes takes a Uint8Array, another view or an ArrayBuffer, got ${describe(value)}`)
  }
  const bytes = toBytes(value)
  writeCount(w, bytes.length, 'bytes')
  w.slice(isUnstable(bytes) ? Uint8Array.prototype.slice.call(bytes) : bytes)
}
