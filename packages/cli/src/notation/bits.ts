import { k, KilnError, type Schema } from 'kiln-format'

const scratch = (): DataView => new DataView(new ArrayBuffer(8))

/** The IEEE bits of a number in hex, most significant digit first. */
export function bitsOfFloat(kind: 'f32' | 'f64', value: number): string {
  const view = scratch()
  if (kind === 'f32') {
    view.setFloat32(0, value)
    return view.getUint32(0).toString(16).padStart(8, '0')
  }
  view.setFloat64(0, value)
  return view.getBigUint64(0).toString(16).padStart(16, '0')
}

/** The number with these bits; a NaN is a NaN, whichever. */
export function floatOfBits(kind: 'f32' | 'f64', digits: string): number {
  const view = scratch()
  if (kind === 'f32') {
    view.setUint32(0, Number(checkedBits(kind, digits)))
    return view.getFloat32(0)
  }
  view.setBigUint64(0, checkedBits(kind, digits))
  return view.getFloat64(0)
}

/** The bits themselves; `TYPE` unless there are exactly as many digits as the type has. */
export function checkedBits(kind: 'f32' | 'f64', digits: unknown): bigint {
  const length = kind === 'f32' ? 8 : 16
  if (typeof digits !== 'string' || digits.length !== length || !/^[0-9a-f]+$/i.test(digits)) {
    throw new KilnError('TYPE', `the bits of ${kind} are ${length} hex digits, got ${JSON.stringify(digits)}`)
  }
  return BigInt(`0x${digits}`)
}

const made = new WeakMap<Schema, Schema>()

/**
 * The schema with `u32` and `u64` in place of each scalar `f32` and `f64`: it reads and writes the same bytes, and
 * keeps which NaN a scalar was, which the format leaves open. Its text has the same length.
 */
export function bitsSchema(schema: Schema): Schema {
  const known = made.get(schema)
  if (known !== undefined) return known
  const bits = replace(schema)
  made.set(schema, bits)
  return bits
}

function replace(schema: Schema): Schema {
  switch (schema.kind) {
    case 'f32':
      return k.u32
    case 'f64':
      return k.u64
    case 'list':
      // Lists of numbers are copied as they are.
      return schema.element.kind === 'f32' || schema.element.kind === 'f64' ? schema : k.list(bitsSchema(schema.element))
    case 'dict':
      return k.dict(schema.key, bitsSchema(schema.value))
    case 'option':
      return k.option(bitsSchema(schema.some))
    case 'struct':
      return k.struct(schema.names.map((name) => [name, bitsSchema(schema.fields[name]!)] as const))
    default:
      return schema
  }
}
