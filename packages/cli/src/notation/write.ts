import { encode, type Directory, type NumberList, type Schema } from 'kiln-format'
import { bitsOfFloat } from './bits.js'
import { isNumberSchema } from './number-kind.js'
import { notationOfTensors } from './tensors.js'

/** How a value is put into the notation. */
export interface NotationOptions {
  /** Makes what stands for bytes: a string of hex digits, or something that becomes one when it is printed. */
  readonly hex: (bytes: Uint8Array) => unknown
}

/**
 * A value that was read by `schema`, owned or borrowed, as JSON in the case notation. Scalars of `f32` and
 * `f64` may also be their bits, as `bitsSchema` reads them: a bigint, or for `f32` with `bits` a number.
 */
export function notationOf(schema: Schema, value: unknown, options: NotationOptions, bits = false): unknown {
  const inner = (type: Schema, item: unknown): unknown => notationOf(type, item, options, bits)
  switch (schema.kind) {
    case 'i64':
    case 'u64':
      return String(value)
    case 'f32':
    case 'f64':
      return { bits: bits ? digitsOf(schema.kind, value as number | bigint) : bitsOfFloat(schema.kind, value as number) }
    case 'bytes':
      return { hex: options.hex(value as Uint8Array) }
    case 'list': {
      const { element } = schema
      if (!isNumberSchema(element)) return (value as unknown[]).map((item) => inner(element, item))
      const list = value as NumberList | { readonly length: number }
      return { count: list.length, hex: options.hex(littleEndian(schema, list)) }
    }
    case 'dict':
      return Array.from(value as ReadonlyMap<unknown, unknown>, ([key, item]) => [inner(schema.key, key), inner(schema.value, item)])
    case 'option':
      return value === undefined ? null : inner(schema.some, value)
    case 'struct': {
      const fields: Record<string, unknown> = {}
      for (const name of schema.names) fields[name] = inner(schema.fields[name]!, (value as Record<string, unknown>)[name])
      return fields
    }
    case 'tensors':
      return notationOfTensors(value as Directory, options.hex)
    default:
      return value
  }
}

function digitsOf(kind: 'f32' | 'f64', bits: number | bigint): string {
  return bits.toString(16).padStart(kind === 'f32' ? 8 : 16, '0')
}

/** The elements' bytes as the format has them, whatever the host's byte order. */
function littleEndian(schema: Schema, list: NumberList | { readonly length: number }): Uint8Array {
  return 'bytes' in list ? list.bytes : encode(schema, list).subarray(4)
}
