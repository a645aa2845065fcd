import { dtypeOf, KilnError, type Tensor, type TensorInput } from 'kiln-format'
import { bytesOfHex } from './hex.js'

const NO_AXIS = 0xffff
const NO_INDEX = 0xffff_ffff

/** The tensors of a directory that was read, in the notation; `hex` makes what stands for bytes. */
export function notationOfTensors(tensors: Iterable<Tensor>, hex: (bytes: Uint8Array) => unknown): unknown[] {
  return Array.from(tensors, (tensor) => ({
    name: tensor.name,
    dtype: tensor.dtype,
    shape: tensor.shape.map(String),
    data: hex(tensor.bytes),
    scheme: tensor.scheme,
    quant_axis: tensor.axis ?? NO_AXIS,
    group_size: tensor.groupSize,
    scale_index: tensor.scale?.index ?? NO_INDEX,
    outer_index: tensor.outer?.index ?? NO_INDEX,
    checksum: tensor.checksum ?? null,
  }))
}

type JsonObject = Readonly<Record<string, unknown>>

/** Tensors in the notation, as a writer takes them. A checksum that stands there is computed anew. */
export function tensorsOfNotation(json: unknown): TensorInput[] {
  if (!Array.isArray(json)) throw new KilnError('TYPE', 'tensors are an array in JSON')
  return json.map((item: unknown, i) => {
    try {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new KilnError('TYPE', 'a tensor is an object in JSON')
      return tensorOf(item as JsonObject)
    } catch (error) {
      throw error instanceof KilnError ? error.within(i) : error
    }
  })
}

function tensorOf(json: JsonObject): TensorInput {
  const name = json['name'] ?? ''
  if (typeof name !== 'string') throw new KilnError('TYPE', 'a tensor\'s name is a string').within('name')
  if (typeof json['dtype'] !== 'string') throw new KilnError('TYPE', 'a tensor\'s dtype is a string, such as "f32"').within('dtype')
  const shape = json['shape']
  if (!Array.isArray(shape)) throw new KilnError('TYPE', 'a shape is an array of decimal strings').within('shape')
  const scheme = json['scheme'] ?? 0
  return {
    name,
    dtype: dtypeOf(json['dtype']).name,
    shape: shape.map(dimensionOf),
    data: bytesOfHex(json['data']),
    ...linksOf(json, scheme),
    ...(json['checksum'] === undefined || json['checksum'] === null ? {} : { checksum: true }),
  }
}

function dimensionOf(json: unknown): number {
  const dimension = typeof json === 'string' && /^\d+$/.test(json) ? Number(json) : json
  if (!Number.isSafeInteger(dimension)) {
    throw new KilnError('TYPE', `a dimension is a decimal string up to 2^53 - 1, got ${JSON.stringify(json)}`).within('shape')
  }
  return dimension as number
}

function linksOf(json: JsonObject, scheme: unknown): Partial<TensorInput> {
  if (scheme === 0) return {}
  if (scheme !== 1 && scheme !== 2) throw new KilnError('TYPE', `a scheme is 0, 1 or 2, got ${JSON.stringify(scheme)}`).within('scheme')
  return {
    axis: json['quant_axis'] as number,
    groupSize: json['group_size'] as number,
    scale: json['scale_index'] as number,
    ...(scheme === 2 ? { outer: json['outer_index'] as number } : {}),
  }
}
