import { KilnError } from 'kiln-format'
import type { ReadOptions } from 'kiln-format'
import type { ForeignTensor } from '../model.js'
import { quoted } from '../text/quoted.js'

/** A tensor's payload, piece by piece, none empty, as long as it says that it is; else `TYPE`. */
export async function* payloadOf(
  tensor: ForeignTensor,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { name, byteLength } = tensor
  let length = 0
  for await (const given of piecesOf(tensor, options)) {
    options.signal?.throwIfAborted()
    const piece = bytesOf(given, name)
    length += piece.length
    // Checked as it comes, so that a tensor without an end is not written without an end.
    if (length > byteLength) break
    if (piece.length > 0) yield piece
  }
  if (length !== byteLength) {
    const gave = length > byteLength ? 'more' : `only ${length}`
    throw new KilnError('TYPE', `tensor ${quoted(name)} has ${byteLength} bytes and gave ${gave}`)
  }
}

function piecesOf(tensor: ForeignTensor, options: ReadOptions): AsyncIterable<unknown> | Iterable<unknown> {
  const pieces: unknown = tensor.chunks(options)
  if (typeof pieces === 'object' && pieces !== null && (Symbol.asyncIterator in pieces || Symbol.iterator in pieces)) {
    return pieces as AsyncIterable<unknown>
  }
  throw new KilnError('TYPE', `tensor ${quoted(tensor.name)}: its chunks() gives no iterable of bytes`)
}

/** The bytes of a piece, of whatever view or buffer: counted by its elements, an array of wider ones would be longer than it says. */
function bytesOf(given: unknown, name: string): Uint8Array {
  if (given instanceof Uint8Array) return given
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  const tag = Object.prototype.toString.call(given)
  if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]') return new Uint8Array(given as ArrayBuffer)
  throw new KilnError('TYPE', `tensor ${quoted(name)}: its chunks() gives what is no bytes; give Uint8Arrays`)
}
