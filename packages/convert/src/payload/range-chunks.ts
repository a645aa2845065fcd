import type { ByteSource, ReadOptions } from 'kiln-format'

/** The most bytes that one piece of a payload holds: 1 MiB. */
export const PIECE = 2 ** 20

/**
 * The bytes of a range that lies inside the source, in pieces of at most 1 MiB, none empty. A piece
 * may borrow the source's memory and is valid until the next is asked for.
 */
export async function* rangeChunks(
  source: ByteSource,
  offset: number,
  length: number,
  options?: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let done = 0; done < length; ) {
    options?.signal?.throwIfAborted()
    const piece = await source.read(offset + done, Math.min(PIECE, length - done), options)
    yield piece
    done += piece.length
  }
}
