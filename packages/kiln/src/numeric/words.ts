import { littleEndian } from '../bytes/host.js'

/** A typed array over memory that may be anybody's. */
export interface WordArrayType<A> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A
}

// 64 KiB: fits a second-level cache, and is far more than what a call costs.
const PIECE_BYTES = 65_536

/**
 * Shows the first `count` little-endian words of `bytes` as typed arrays of this host: one array right over
 * the bytes where their alignment and the host's byte order allow it, else piece by piece from a copy.
 * `visit` gets the words and the index of the first; it must not keep them.
 *
 * `hostIsLittleEndian` is for tests, which run both ways on one machine.
 */
export function eachWords<A>(
  type: WordArrayType<A>,
  bytes: Uint8Array,
  count: number,
  visit: (words: A, first: number, length: number) => void,
  hostIsLittleEndian: boolean = littleEndian,
): void {
  const width = type.BYTES_PER_ELEMENT
  if (count === 0) return
  if (hostIsLittleEndian && bytes.byteOffset % width === 0) {
    visit(new type(bytes.buffer, bytes.byteOffset, count), 0, count)
    return
  }
  const piece = new Uint8Array(Math.min(PIECE_BYTES, count * width))
  for (let first = 0; first < count; first += PIECE_BYTES / width) {
    const length = Math.min(count - first, PIECE_BYTES / width)
    piece.set(bytes.subarray(first * width, (first + length) * width))
    if (!hostIsLittleEndian) reverseWords(piece, width, length)
    visit(new type(piece.buffer, 0, length), first, length)
  }
}

/** Turns each of the first `count` words round, in place: between this host's order and the other one. */
export function reverseWords(bytes: Uint8Array, width: number, count: number): void {
  for (let start = 0; start < count * width; start += width) {
    for (let i = start, j = start + width - 1; i < j; i++, j--) {
      const low = bytes[i]!
      bytes[i] = bytes[j]!
      bytes[j] = low
    }
  }
}
