import type { ByteReader } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'

/** Reads one value at the cursor and leaves the cursor behind it. */
export type Read = (r: ByteReader) => unknown

/** Writes one value, or throws a writer's error (FORMAT §1). */
export type Write = (w: ByteWriter, value: unknown) => void

/**
 * What the engine knows of a type. Composite types make theirs from their parts', once a schema; each
 * is a plain closure that keeps nothing from one call to the next.
 */
export interface TypeCodec {
  /** The fewest bytes that a value takes (FORMAT §2); never 0. */
  readonly minSize: number
  /** Reads a value that shares nothing with the input but tensors' payloads. */
  readonly read: Read
  /** Reads a value whose lists of numbers and bytes point into the input. */
  readonly view: Read
  readonly write: Write
}
