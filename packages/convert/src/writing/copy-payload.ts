import { KilnError } from 'kiln-format'
import type { ReadOptions } from 'kiln-format'
import type { ForeignTensor } from '../model.js'
import { quoted } from '../text/quoted.js'

/** A tensor's payload, piece by piece, as long as it says that it is; else `TYPE`. */
export async function* payloadOf(
  tensor: ForeignTensor,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0
  for await (const piece of tensor.chunks(options)) {
    options.signal?.throwIfAborted()
    length += piece.length
    // Checked as it comes, so that a tensor without an end is not written without an end.
    if (length > tensor.byteLength) break
    yield piece
  }
  if (length !== tensor.byteLength) {
    const gave = length > tensor.byteLength ? 'more' : `only ${length}`
    throw new KilnError('TYPE', `tensor ${quoted(tensor.name)} has ${tensor.byteLength} bytes and gave ${gave}`)
  }
}
