import type { ForeignModel } from 'kiln-convert'
import type { DtypeName } from 'kiln-format'
import { toHex } from './bytes.js'
import { payload } from './memory.js'

/** A model's tensors as plain values: name, dtype, shape, payload in hex. */
export async function contents(model: Pick<ForeignModel, 'tensors'>): Promise<[string, DtypeName, readonly number[], string][]> {
  const all: [string, DtypeName, readonly number[], string][] = []
  for (const tensor of model.tensors) all.push([tensor.name, tensor.dtype, tensor.shape, toHex(await payload(tensor))])
  return all
}
