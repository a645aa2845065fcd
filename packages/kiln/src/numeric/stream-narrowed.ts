import type { DtypeName } from '../tensors/dtypes.js'
import { BytePieces } from './byte-pieces.js'
import { narrow, type NarrowOptions } from './narrow.js'
import type { LinkedShape } from './tensor.js'
import { streamValues, type Chunks } from './value-blocks.js'
import type { Inexact } from './widen-integers.js'

/** As for `narrow`, and how the source's numbers are taken. */
export interface StreamNarrowOptions extends Omit<NarrowOptions, 'target'> {
  /**
   * What becomes of a 64-bit integer over 2^53, the only numbers that f64 on the way doesn't hold: `refuse`, the
   * default, or `nearest`.
   */
  readonly inexact?: Inexact | undefined
}

/**
 * A tensor's values as the payload of another dtype, in pieces of 256 KiB: `narrow` of `dequantize` (of `widen` for
 * `f64` and wide integers), in bounded memory. `tensor` describes the source, with its links; `chunks` is its payload.
 *
 * Without links there is one rounding, from the source's exact number to the dtype; with links, one more for
 * each product (see `dequantize`). `TYPE` as in those functions, with the element's index.
 */
export function streamNarrowed(
  tensor: LinkedShape,
  chunks: Chunks,
  dtype: DtypeName,
  options: StreamNarrowOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  narrow([], dtype, options) // checks dtype and options before anything is read
  const blocks = streamValues(tensor, chunks, { inexact: options.inexact })
  return (async function* () {
    const pieces = new BytePieces()
    let first = 0
    for await (const block of blocks) {
      // A block of 8,192 fills whole bytes in every dtype, so the payloads of blocks go end to end.
      pieces.add(narrow(block, dtype, { mode: options.mode, nan: options.nan, firstIndex: first }))
      first += block.length
      yield* pieces.take()
    }
    yield* pieces.end()
  })()
}
