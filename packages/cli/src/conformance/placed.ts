// From here on a message costs so much to read that it is read less often.
const LONG = 4096

/** Offsets in a larger buffer at which every reader must find the same: odd ones, across every element width. */
export function oddOffsets(length: number): readonly number[] {
  return length <= LONG ? [1, 3, 7, 33] : [1]
}

/** Bytes of the chunks of a stream: few and odd, so that every word of a short message is cut. */
export function chunkSize(length: number): number {
  return length <= LONG ? 7 : 1021
}

/** The bytes at an offset of a larger buffer, with other bytes around them. */
export function placedAt(bytes: Uint8Array, offset: number): Uint8Array {
  const buffer = new Uint8Array(offset + bytes.length + 8).fill(0xa5)
  buffer.set(bytes, offset)
  return buffer.subarray(offset, offset + bytes.length)
}

/** The bytes with one more behind them. */
export function withOneMore(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(bytes.length + 1)
  longer.set(bytes)
  return longer
}

/**
 * Lengths at which a message is cut: every one of a short message; of a longer one those at both ends and some
 * between, and fewer of a very long one, since each cut costs an error and what was read before it.
 */
export function prefixLengths(length: number): number[] {
  if (length <= 64) return Array.from({ length }, (_, i) => i)
  const [edge, between] = length <= LONG ? [24, 16] : [6, 4]
  const lengths = new Set<number>()
  for (let i = 0; i < edge; i++) {
    lengths.add(i)
    lengths.add(length - 1 - i)
  }
  for (let i = 1; i <= between; i++) lengths.add(Math.floor((length * i) / (between + 1)))
  return [...lengths]
}
