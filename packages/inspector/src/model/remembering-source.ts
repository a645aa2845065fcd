import type { ByteSource } from 'kiln-format'

/** The most bytes that are remembered at a time. */
const MOST = 64 * 2 ** 20

interface Known {
  readonly offset: number
  readonly bytes: Uint8Array
}

/**
 * A source that remembers what was read last: while a file is opened its table is looked at twice, once to check the
 * value that it stands in and once to list its tensors.
 */
export function rememberingSource(source: ByteSource): ByteSource {
  let known: Known[] = []
  const { size, label, readSize } = source
  return {
    size,
    label,
    readSize,
    async read(offset, length, options) {
      const there = known.find(({ offset: from, bytes }) => from <= offset && offset + length <= from + bytes.length)
      if (there !== undefined) return there.bytes.subarray(offset - there.offset, offset - there.offset + length)
      const bytes = await source.read(offset, length, options)
      if (length <= MOST) {
        known = [...known.slice(-7), { offset, bytes }]
        while (known.reduce((sum, { bytes: own }) => sum + own.length, 0) > MOST) known.shift()
      }
      return bytes
    },
  }
}
