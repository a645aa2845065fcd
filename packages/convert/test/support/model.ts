import type { DtypeName } from 'kiln-format'
import type { ForeignModel, ForeignTensor } from 'kiln-convert'
import { concat, toHex } from './bytes.js'

/** The payload of a tensor, after checking that its pieces are as promised: at most 1 MiB, none empty. */
export async function payload(tensor: ForeignTensor): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of tensor.chunks()) {
    if (piece.length === 0 || piece.length > 2 ** 20) throw new Error(`a piece of ${piece.length} bytes`)
    pieces.push(piece.slice())
  }
  const bytes = concat(...pieces)
  if (bytes.length !== tensor.byteLength) throw new Error(`${bytes.length} bytes, not ${tensor.byteLength}`)
  return bytes
}

/** A model's tensors as plain values: name, dtype, shape, payload in hex. */
export async function contents(model: Pick<ForeignModel, 'tensors'>): Promise<[string, DtypeName, readonly number[], string][]> {
  const all: [string, DtypeName, readonly number[], string][] = []
  for (const tensor of model.tensors) all.push([tensor.name, tensor.dtype, tensor.shape, toHex(await payload(tensor))])
  return all
}

/** A tensor in memory, as the writers take it, given in pieces of `step` bytes. */
export function memoryTensor(name: string, dtype: DtypeName, shape: readonly number[], bytes: Uint8Array, step = 5): ForeignTensor {
  return {
    name,
    dtype,
    shape,
    byteLength: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += step) yield await Promise.resolve(bytes.subarray(at, at + step))
    },
  }
}
