import type { ByteSource } from 'kiln-format'

/** A part of a source as a source of its own. */
export function partOf(source: ByteSource, offset: number, length: number): ByteSource {
  const { label, readSize } = source
  return {
    size: length,
    label,
    readSize,
    read: (at, count, options) => source.read(offset + at, count, options),
  }
}
