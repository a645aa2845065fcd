import type { ByteSource } from 'kiln-format'

// What a request to a server costs is worth many times as many bytes.
const AHEAD = 64 * 1024

/**
 * A source for going through many small frames from the front to the back: a small read takes what follows along, so
 * that a thousand frames behind a URL are a few requests. Closing is left to the source itself.
 */
export function readingAhead(source: ByteSource): ByteSource {
  const { size, label, readSize } = source
  let start = 0
  let known: Uint8Array = new Uint8Array(0)
  return {
    size,
    label,
    readSize,
    async read(offset, length, options) {
      const there = offset >= start && offset + length <= start + known.length
      if (!there) {
        if (length >= AHEAD || offset + length > size) return source.read(offset, length, options)
        known = await source.read(offset, Math.min(AHEAD, size - offset), options)
        start = offset
      }
      return known.subarray(offset - start, offset - start + length)
    },
  }
}
