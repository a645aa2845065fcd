import type { ByteSource, ReadOptions } from 'kiln-format'
import { PIECE, rangeChunks } from '../payload/range-chunks.js'
import { swapNumbers } from '../reading/byte-order.js'
import { fortranChunks } from './fortran.js'
import type { NpyArray } from './header.js'

/** The payload as Kiln stores it: little-endian and row-major, in pieces of at most 1 MiB. */
export async function* payloadChunks(
  source: ByteSource,
  array: NpyArray,
  options?: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { form, byteLength, payloadStart, turned } = array
  if (turned) {
    for await (const own of fortranChunks(source, array, options)) {
      if (form.bigEndian) swapNumbers(own, form.width)
      yield own
    }
    return
  }
  if (!form.bigEndian) {
    yield* rangeChunks(source, payloadStart, byteLength, options)
    return
  }
  // A piece is whole numbers, because 1 MiB is a multiple of every width.
  for (let done = 0; done < byteLength; done += PIECE) {
    options?.signal?.throwIfAborted()
    const own = new Uint8Array(await source.read(payloadStart + done, Math.min(PIECE, byteLength - done), options))
    swapNumbers(own, form.width)
    yield own
  }
}
