import { KilnError } from 'kiln-format'
import type { LinkedShape, NumericTensor } from 'kiln-format/numeric'
import { linkedTensor, type AnyModel, type AnyTensor } from './model.js'

/** The whole payload of a tensor, in memory of its own. */
export async function payloadOf(tensor: AnyTensor): Promise<Uint8Array> {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(tensor.byteLength)
  } catch {
    throw new KilnError('LIMIT', `its ${tensor.byteLength} bytes are more than one piece of memory can hold`).within(tensor.name)
  }
  let filled = 0
  for await (const piece of tensor.chunks()) {
    bytes.set(piece, filled)
    filled += piece.length
  }
  return bytes
}

/** A tensor as numeric functions see it: its scales, which are small, are loaded; its own payload is not. */
export async function linkedShapeOf(model: Pick<AnyModel, 'tensors'>, tensor: AnyTensor): Promise<LinkedShape> {
  const { dtype, shape, axis, groupSize } = tensor
  if (tensor.scale === undefined) return { dtype, shape }
  const scale = await numericTensor(model, tensor.scale)
  const outer = tensor.outer === undefined ? undefined : await numericTensor(model, tensor.outer)
  return { dtype, shape, scheme: outer === undefined ? 1 : 2, axis, groupSize, scale, outer }
}

async function numericTensor(model: Pick<AnyModel, 'tensors'>, link: string | number): Promise<NumericTensor> {
  const tensor = linkedTensor(model, link)
  if (tensor === undefined) throw new KilnError('TYPE', `the linked tensor ${JSON.stringify(link)} is not there`)
  return { dtype: tensor.dtype, shape: tensor.shape, bytes: await payloadOf(tensor) }
}

/** The tensor of a name, or for unnamed tensors of a place, written `#3`. */
export function tensorNamed(model: Pick<AnyModel, 'tensors' | 'input'>, name: string): AnyTensor {
  const found = model.tensors.find((tensor) => tensor.name === name)
  const place = /^#(\d+)$/.exec(name)?.[1]
  const tensor = found ?? (place === undefined ? undefined : model.tensors[Number(place)])
  if (tensor !== undefined) return tensor
  const some = model.tensors.slice(0, 5).map((other, i) => JSON.stringify(other.name || `#${i}`)).join(', ')
  const more = model.tensors.length > 5 ? ', …' : ''
  throw new KilnError('TYPE', `no tensor is named ${JSON.stringify(name)}; there are ${model.tensors.length}${some === '' ? '' : `: ${some}${more}`}`)
}
