import type { ByteSource, ReadOptions } from 'kiln-format'

/**
 * What is read at once for a few bytes that are wanted: a member's header and that of its array lie in it together,
 * and so do many small members. Over a network each read is a request.
 */
const WINDOW = 2 ** 13

/** A source whose short reads are served out of the last window that was read; for one reader at a time. */
export function windowSource(source: ByteSource): ByteSource {
  let window: Uint8Array = new Uint8Array(0)
  let start = 0
  return {
    size: source.size,
    label: source.label,
    async read(offset: number, length: number, options?: ReadOptions) {
      const at = offset - start
      if (at >= 0 && at + length <= window.length) return window.subarray(at, at + length)
      if (length >= WINDOW || offset + length > source.size) return source.read(offset, length, options)
      window = await source.read(offset, Math.min(WINDOW, source.size - offset), options)
      start = offset
      return window.subarray(0, length)
    },
  }
}
