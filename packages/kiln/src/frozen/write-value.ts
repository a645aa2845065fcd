import type { OwnBytes } from '../bytes/host.js'
import { toBytes } from '../bytes/input.js'
import { ByteWriter, withWriter } from '../bytes/writer.js'
import type { ByteInput } from './decode.js'

/** Writes one value: what the engine makes of a schema, or what `kiln gen` wrote for it. */
export type WriteValue<T> = (w: ByteWriter, value: T) => void

/** A value in bytes of its own, of exactly its size. */
export function encodeWith<T>(write: WriteValue<T>, value: T): OwnBytes {
  return withWriter((w) => {
    write(w, value)
    return w.finish()
  })
}

/** Writes a value to the front of the caller's bytes and returns how many it took; a target too small is `LIMIT`. */
export function encodeIntoWith<T>(write: WriteValue<T>, value: T, target: ByteInput): number {
  const w = new ByteWriter(toBytes(target))
  write(w, value)
  return w.pos
}

/** Bytes that a value takes; large arrays in it are not copied. */
export function encodedSizeWith<T>(write: WriteValue<T>, value: T): number {
  return withWriter((w) => {
    write(w, value)
    return w.length
  })
}

/** The message as slices in order; large arrays are slices of the value's own memory. */
export function encodePartsWith<T>(write: WriteValue<T>, value: T): Uint8Array[] {
  return withWriter((w) => {
    write(w, value)
    return w.slices()
  })
}
