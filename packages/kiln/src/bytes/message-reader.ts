import { moved } from '../errors/kiln-error.js'
import type { Settings } from '../limits/limits.js'
import { isUnstable } from './input.js'
import { byteReader, type ByteReader } from './reader.js'
import { viewOf } from './view-of.js'

// Messages that come one after the other mostly lie in one small buffer: what a socket read at once, a pool of Node's.
// One view of it serves them all, where a DataView a message takes 200 ns on Node 20, a quarter of a small record's time.
// No call can spoil this, since a buffer has but one memory; and what it keeps alive is one buffer of this size at most.
const LARGEST = 65_536
let buffer: ArrayBufferLike | undefined
let whole: Uint8Array = new Uint8Array(0)
let view: DataView = /* @__PURE__ */ viewOf(whole)

/**
 * A cursor over one message. It may go over all of the message's buffer, from `origin` on, so whoever reads by it hands
 * errors on through {@link inMessage}.
 */
export function messageReader(bytes: Uint8Array, settings: Settings): ByteReader {
  const own = bytes.buffer
  if (own.byteLength > LARGEST || isUnstable(bytes)) return byteReader(bytes, settings)
  const origin = bytes.byteOffset
  if (own !== buffer) {
    whole = bytes.length === own.byteLength ? bytes : new Uint8Array(own)
    view = new DataView(own)
    buffer = own
  }
  return { bytes: whole, view, unstable: false, settings, pos: origin, end: origin + bytes.length, origin }
}

/** An error of a reader of one message, with its offset counted from the front of the message. */
export function inMessage(error: unknown, r: ByteReader): unknown {
  return moved(error, -r.origin)
}
