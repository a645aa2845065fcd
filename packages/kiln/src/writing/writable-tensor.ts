import { describe, isUnstable } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { LazyTensor } from '../lazy/tensor.js'
import { PIECE } from '../sources/range.js'
import type { ReadOptions } from '../sources/source.js'
import type { DtypeName } from '../tensors/dtypes.js'
import { descriptionOf, type LinkedInfo } from '../tensors/encode-directory.js'
import { payloadOf, type TensorInput, type TensorOptions } from '../tensors/tensor-input.js'
import type { Tensor } from '../tensors/tensor.js'
import type { TensorDescription } from '../tensors/write.js'

/** A tensor to be written whose payload comes in pieces, such as one of a file of another format. */
export interface StreamedTensor extends TensorOptions {
  /** Empty or left out for an unnamed tensor. */
  readonly name?: string | undefined
  readonly dtype: DtypeName
  /** Outermost dimension first. */
  readonly shape: readonly number[]
  /** Bytes of the payload; if it is given it is exactly what dtype and shape need. */
  readonly byteLength?: number | undefined
  /**
   * The payload as the format stores it, in pieces of any sizes that come to what dtype and shape need. Asked for once,
   * or twice, with the same bytes, where checksums are wanted and the sink has no `patch`.
   */
  chunks(options?: ReadOptions): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** What `writeDirectory` and `writeModel` take as a tensor. */
export type WritableTensor = StreamedTensor | TensorInput | Tensor | LazyTensor

/** A tensor as the writers see it. */
export interface PlannedTensor {
  readonly description: TensorDescription
  /** Bytes that its giver says the payload has. */
  readonly byteLength: number | undefined
  pieces(options: ReadOptions): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Looks at what was given for a tensor; `TYPE` if there is no payload. In-memory payloads are checked here. */
export function plannedTensor(item: object, places: (item: object) => number | undefined): PlannedTensor {
  const description =
    'scheme' in item && 'byteOffset' in item ? descriptionOf(item as LinkedInfo, places) : (item as TensorDescription)
  if ('chunks' in item && typeof item.chunks === 'function') {
    const streamed = item as StreamedTensor
    return { description, byteLength: streamed.byteLength, pieces: (options) => streamed.chunks(options) }
  }
  const payload = 'bytes' in item ? (item as Tensor).bytes : 'data' in item ? payloadOf(item as TensorInput) : undefined
  if (payload === undefined)
    throw new KilnError('TYPE', `a tensor has data or chunks, got ${describe(item)} with neither`)
  return { description, byteLength: payload.length, pieces: () => cut(payload) }
}

function* cut(payload: Uint8Array): Generator<Uint8Array, undefined> {
  for (let at = 0; at < payload.length; at += PIECE) {
    const piece = payload.subarray(at, Math.min(at + PIECE, payload.length))
    // Shared memory may change between its checksum and its writing.
    yield isUnstable(piece) ? Uint8Array.prototype.slice.call(piece) : piece
  }
  return undefined
}
