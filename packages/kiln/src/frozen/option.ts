import { readFlag } from './scalar-read.js'
import type { Read, TypeCodec } from './codec.js'

export function optionReader(readSome: Read): Read {
  return (r) => (readFlag(r, 'option tag') ? readSome(r) : undefined)
}

/** `option<some>`: a byte 0 or 1, then the value if it is 1. A writer takes undefined and null for none. */
export function optionCodec(some: TypeCodec): TypeCodec {
  const read = optionReader(some.read)
  return {
    minSize: 1,
    read,
    view: some.view === some.read ? read : optionReader(some.view),
    write(w, value) {
      const present = value !== undefined && value !== null
      w.reserve(1)
      w.bytes[w.pos++] = present ? 1 : 0
      if (present) some.write(w, value)
    },
  }
}
