import { readFlag } from './scalar-read.js'
import type { Read, Write } from './codec.js'

/** Reads `option<some>`: a byte 0 or 1, then the value if it is 1. */
export function optionReader(readSome: Read): Read {
  return (r) => (readFlag(r, 'option tag') ? readSome(r) : undefined)
}

/** Writes `option<some>`; undefined and null are none. */
export function optionWriter(writeSome: Write): Write {
  return (w, value) => {
    const present = value !== undefined && value !== null
    w.reserve(1)
    w.bytes[w.pos++] = present ? 1 : 0
    if (present) writeSome(w, value)
  }
}
