import { readRange, type ByteSource, type ReadOptions } from 'kiln-format'

/** The most bytes that one piece of a payload holds: 1 MiB. */
export const PIECE = 2 ** 20

/**
 * The bytes of a range that lies inside the source, in pieces of at most 1 MiB, none empty. A piece may
 * borrow the source's memory and is valid until the next is asked for. A source for which small reads are
 * dear (`readSize`) is read in larger steps; one that gives another count than was asked for is `EOF`.
 */
export async function* rangeChunks(
  source: ByteSource,
  offset: number,
  length: number,
  options?: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const step = Math.max(PIECE, source.readSize ?? 0)
  for (let done = 0; done < length; done += step) {
    const wanted = Math.min(step, length - done)
    const bytes = await readRange(source, offset + done, wanted, options)
    for (let at = 0; at < wanted; at += PIECE) yield bytes.subarray(at, Math.min(at + PIECE, wanted))
  }
}
