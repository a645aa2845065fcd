import { allocate } from '../../bytes/allocate.js'
import { toBytes } from '../../bytes/input.js'
import { isKilnError } from '../../errors/kiln-error.js'
import type { KilnError } from '../../errors/kiln-error.js'
import { unlessAborted } from '../abort.js'
import type { AbortSignalLike } from '../source.js'
import type { ResponseLike } from './platform.js'
import { connectionFault } from './requester.js'
import { TryAgain } from './retry.js'

/**
 * Goes through a body. `take` gets the pieces and says whether more is wanted; if not, the rest is not read. A
 * connection that breaks is worth trying again.
 */
export async function readBody(
  response: ResponseLike,
  label: string,
  signal: AbortSignalLike,
  take: (piece: Uint8Array) => boolean,
): Promise<void> {
  let stop: (() => Promise<unknown>) | undefined
  try {
    if (response.body === null || response.body === undefined) {
      take(new Uint8Array(await unlessAborted(response.arrayBuffer(), signal)))
      return
    }
    const reader = response.body.getReader()
    stop = () => reader.cancel()
    for (;;) {
      const { done, value } = await unlessAborted(reader.read(), signal)
      if (done) {
        stop = undefined
        return
      }
      if (value !== undefined && !take(toBytes(value))) return
    }
  } catch (error) {
    signal.throwIfAborted()
    throw isKilnError(error) ? error : new TryAgain(connectionFault(label, error))
  } finally {
    void stop?.().catch(() => undefined)
  }
}

/** Reads a body that has at most `limit` bytes and isn't kept anywhere yet; a longer one is `LIMIT`. */
export async function collectBody(
  response: ResponseLike,
  limit: number,
  label: string,
  signal: AbortSignalLike,
  over: () => KilnError,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  await readBody(response, label, signal, (piece) => {
    length += piece.length
    if (length > limit) throw over()
    pieces.push(piece)
    return true
  })
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  const bytes = allocate(Uint8Array, length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
