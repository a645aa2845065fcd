import type { OwnBytes } from '../bytes/host.js'
import { toBytes } from '../bytes/input.js'
import { giveBack, takeWriter, type ByteWriter } from '../bytes/writer.js'
import type { ByteInput } from './decode.js'

/** Writes one value: what the engine makes of a schema, or what `kiln gen` wrote for it. */
export type WriteValue<T> = (w: ByteWriter, value: T) => void

/** A value in bytes of its own, of exactly its size. */
export function encodeWith<T>(write: WriteValue<T>, value: T): OwnBytes {
  const w = takeWriter()
  try {
    write(w, value)
    return w.finish()
  } finally {
    giveBack(w)
  }
}

/** Writes a value to the front of the caller's bytes and returns how many it took; a target too small is `LIMIT`, and untouched. */
export function encodeIntoWith<T>(write: WriteValue<T>, value: T, target: ByteInput): number {
  const bytes = toBytes(target)
  const w = takeWriter()
  try {
    write(w, value)
    return w.finishInto(bytes)
  } finally {
    giveBack(w)
  }
}

/** Bytes that a value takes; large arrays in it are not copied. */
export function encodedSizeWith<T>(write: WriteValue<T>, value: T): number {
  const w = takeWriter()
  try {
    write(w, value)
    return w.length
  } finally {
    giveBack(w)
  }
}

/** The message as slices in order; large arrays are slices of the value's own memory. */
export function encodePartsWith<T>(write: WriteValue<T>, value: T): Uint8Array[] {
  const w = takeWriter()
  try {
    write(w, value)
    return w.slices()
  } finally {
    giveBack(w)
  }
}
