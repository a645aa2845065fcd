import type { Directory, NumberList, Schema, Tensor, TensorInput } from 'kiln-format'
import type { CaseTensor, CaseValue } from '../../reference/case-values.js'

const NO_AXIS = 0xffff
const NO_INDEX = 0xffffffff

export function hexOf(bytes: ArrayBufferView): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** Bytes in a buffer of their own. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}

/** What a reader of the library gave, owned or borrowed, in the notation of the case files. */
export function toCase(schema: Schema, value: unknown): CaseValue {
  switch (schema.kind) {
    case 'i64':
    case 'u64':
      return String(value)
    case 'f32':
    case 'f64':
      return { bits: bitsOf(schema.kind, value as number) }
    case 'bytes':
      return { hex: hexOf(value as Uint8Array) }
    case 'list':
      return listToCase(schema.element, value)
    case 'dict':
      return [...(value as Map<unknown, unknown>)].map(([k, v]) => [toCase(schema.key, k), toCase(schema.value, v)])
    case 'option':
      return value === undefined ? null : toCase(schema.some, value)
    case 'struct': {
      const given = value as Record<string, unknown>
      if (Object.keys(given).length !== schema.names.length) throw new Error('a struct has its fields and no others')
      return Object.fromEntries(schema.names.map((name) => [name, toCase(schema.fields[name]!, given[name])]))
    }
    case 'tensors':
      return tensorsToCase(value as Directory)
    default:
      return value as CaseValue
  }
}

function bitsOf(kind: 'f32' | 'f64', value: number): string {
  if (Number.isNaN(value)) return 'nan'
  const bytes = Buffer.alloc(kind === 'f32' ? 4 : 8)
  if (kind === 'f32') bytes.writeFloatBE(value)
  else bytes.writeDoubleBE(value)
  return bytes.toString('hex')
}

function listToCase(element: Schema, value: unknown): CaseValue {
  if (Array.isArray(value)) return value.map((item) => toCase(element, item))
  const list = value as NumberList | (ArrayBufferView & { readonly length: number })
  return { count: list.length, hex: hexOf('bytes' in list ? list.bytes : list) }
}

export function tensorsToCase(directory: Directory): CaseTensor[] {
  return Array.from(directory, (tensor) => tensorToCase(tensor))
}

function tensorToCase(tensor: Tensor): CaseTensor {
  return {
    name: tensor.name,
    dtype: tensor.dtype,
    shape: tensor.shape.map(String),
    data: hexOf(tensor.bytes),
    scheme: tensor.scheme,
    quant_axis: tensor.axis ?? NO_AXIS,
    group_size: tensor.groupSize,
    scale_index: tensor.scale?.index ?? NO_INDEX,
    outer_index: tensor.outer?.index ?? NO_INDEX,
    checksum: tensor.checksum ?? null,
  }
}

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
} as const

/** A case's value as what a writer of the library takes. */
export function fromCase(schema: Schema, value: CaseValue): unknown {
  const object = value as { readonly [key: string]: CaseValue }
  switch (schema.kind) {
    case 'i64':
    case 'u64':
      return BigInt(value as string)
    case 'f32':
    case 'f64': {
      const bytes = Buffer.from(object['bits'] as string, 'hex')
      return schema.kind === 'f32' ? bytes.readFloatBE() : bytes.readDoubleBE()
    }
    case 'bytes':
      return bytesOf(object['hex'] as string)
    case 'list': {
      if (Array.isArray(value)) return (value as CaseValue[]).map((item) => fromCase(schema.element, item))
      return new ARRAYS[schema.element.kind as keyof typeof ARRAYS](bytesOf(object['hex'] as string).buffer)
    }
    case 'dict':
      return new Map(
        (value as [CaseValue, CaseValue][]).map(([k, v]) => [fromCase(schema.key, k), fromCase(schema.value, v)]),
      )
    case 'option':
      return value === null ? undefined : fromCase(schema.some, value)
    case 'struct':
      return Object.fromEntries(schema.names.map((name) => [name, fromCase(schema.fields[name]!, object[name]!)]))
    case 'tensors':
      return (value as CaseTensor[]).map(tensorFromCase)
    default:
      return value
  }
}

export function tensorFromCase(tensor: CaseTensor): TensorInput {
  return {
    name: tensor.name,
    dtype: tensor.dtype as TensorInput['dtype'],
    shape: tensor.shape.map(Number),
    data: bytesOf(tensor.data),
    checksum: tensor.checksum !== null,
    ...(tensor.scheme === 0
      ? {}
      : { axis: tensor.quant_axis, groupSize: tensor.group_size, scale: tensor.scale_index }),
    ...(tensor.scheme === 2 ? { outer: tensor.outer_index } : {}),
  }
}
