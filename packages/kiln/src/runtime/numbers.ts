import type { NumberName, OwnArrays } from '../bytes/elements.js'
import type { ByteReader } from '../bytes/reader.js'
import type { NumberList } from '../frozen/number-list.js'
import { numbersReaders } from '../frozen/numbers.js'

/** Readers of a list of one fixed-width number (FORMAT §2). */
export interface Numbers<N extends NumberName> {
  /** One bulk copy into a typed array of its own. */
  read(r: ByteReader): OwnArrays[N]
  /** A pointer into the input and a length. */
  view(r: ByteReader): NumberList<N>
}

/** Readers of `list<name>`. */
export function numbers<N extends NumberName>(name: N): Numbers<N> {
  // The engine's own, whose types say less than its name does.
  return numbersReaders(name) as unknown as Numbers<N>
}
