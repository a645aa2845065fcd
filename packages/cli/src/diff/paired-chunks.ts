/**
 * Goes through two payloads of one length in step: pairs of pieces of equal length, however each payload is cut.
 * Pieces are good until the next pair is asked for.
 */
export async function* pairedChunks(
  one: AsyncIterable<Uint8Array>,
  other: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly [Uint8Array, Uint8Array]> {
  const others = other[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  try {
    for await (let piece of one) {
      while (piece.length > 0) {
        if (rest.length === 0) {
          const next = await others.next()
          if (next.done === true) return
          rest = next.value
          continue
        }
        const length = Math.min(piece.length, rest.length)
        yield [piece.subarray(0, length), rest.subarray(0, length)]
        piece = piece.subarray(length)
        rest = rest.subarray(length)
      }
    }
  } finally {
    await others.return?.()
  }
}
