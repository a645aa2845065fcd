import type { NumberName, OwnArrays } from '../bytes/elements.js'
import type { ByteReader } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import type { NumberList } from '../frozen/number-list.js'
import { numbersReaders, numbersWriter } from '../frozen/numbers.js'

/** Readers and writer of a list of one fixed-width number (FORMAT §2). */
export interface Numbers<N extends NumberName> {
  /** One bulk copy into a typed array of its own. */
  read(r: ByteReader): OwnArrays[N]
  /** A pointer into the input and a length. */
  view(r: ByteReader): NumberList<N>
  /** The count and one copy of the slice. */
  write(w: ByteWriter, value: unknown): void
}

/** Readers and writer of `list<name>`. */
export function numbers<N extends NumberName>(name: N): Numbers<N> {
  // The engine's own, whose types say less than its name does.
  return { ...numbersReaders(name), write: numbersWriter(name) } as unknown as Numbers<N>
}
