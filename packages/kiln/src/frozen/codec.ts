import type { ByteReader } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'

/** Reads one value at the cursor and leaves the cursor behind it. */
export type Read = (r: ByteReader) => unknown

/** Writes one value, or throws a writer's error (FORMAT §1). */
export type Write = (w: ByteWriter, value: unknown) => void

/** How a type is read; one function twice where nothing of it could be borrowed. Plain closures that keep nothing from one call to the next. */
export interface Readers {
  /** Reads a value that shares nothing with the input but tensors' payloads. */
  readonly read: Read
  /** Reads a value whose lists of numbers and bytes point into the input. */
  readonly view: Read
}

/** The readers of a composite type, from those of its parts. */
export function readersFrom(parts: readonly Readers[], make: (reads: readonly Read[]) => Read): Readers {
  const read = make(parts.map((part) => part.read))
  const alike = parts.every((part) => part.view === part.read)
  return { read, view: alike ? read : make(parts.map((part) => part.view)) }
}
