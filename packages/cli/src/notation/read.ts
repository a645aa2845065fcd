import { decode, k, KilnError, type Schema } from 'kiln-format'
import { checkedBits, floatOfBits } from './bits.js'
import { bytesOfHex } from './hex.js'
import { isNumberSchema } from './number-kind.js'
import { tensorsOfNotation } from './tensors.js'

/**
 * A value in the case notation, as a writer takes it for `schema`; with `bits`, scalars of `f32` and `f64` as
 * their bits, as `bitsSchema` takes them. Throws `TYPE` with the path of what is not in the notation.
 */
export function valueOfNotation(schema: Schema, json: unknown, bits = false): unknown {
  const inner = (type: Schema, item: unknown, step: string | number | { key: string }): unknown => {
    try {
      return valueOfNotation(type, item, bits)
    } catch (error) {
      throw error instanceof KilnError ? error.within(step) : error
    }
  }
  switch (schema.kind) {
    case 'i64':
    case 'u64':
      if (typeof json !== 'string' || !/^-?\d+$/.test(json)) throw wanted(schema, 'a decimal string', json)
      return BigInt(json)
    case 'f32':
    case 'f64':
      return bits ? floatBits(schema.kind, json) : floatOfBits(schema.kind, property(schema, json, 'bits') as string)
    case 'bytes':
      return bytesOfHex(property(schema, json, 'hex'))
    case 'list':
      if (isNumberSchema(schema.element)) return numbersOf(schema, json)
      if (!Array.isArray(json)) throw wanted(schema, 'an array', json)
      return json.map((item: unknown, i) => inner(schema.element, item, i))
    case 'dict':
      if (!Array.isArray(json)) throw wanted(schema, 'an array of [key, value] pairs', json)
      return dictOf(json, (key) => inner(schema.key, key, 'key'), (item, key) => inner(schema.value, item, { key: String(key) }))
    case 'option':
      return json === null || json === undefined ? undefined : valueOfNotation(schema.some, json, bits)
    case 'struct':
      return structOf(schema, json, inner)
    case 'tensors':
      return tensorsOfNotation(json)
    default:
      return json
  }
}

function wanted(schema: Schema, what: string, json: unknown): KilnError {
  const text = JSON.stringify(json) ?? 'nothing'
  return new KilnError('TYPE', `${schema.kind} is ${what} in JSON, got ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`)
}

function property(schema: Schema, json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) throw wanted(schema, `{"${name}": "…"}`, json)
  return (json as Record<string, unknown>)[name]
}

function floatBits(kind: 'f32' | 'f64', json: unknown): number | bigint {
  const value = checkedBits(kind, property(kind === 'f32' ? k.f32 : k.f64, json, 'bits'))
  return kind === 'f32' ? Number(value) : value
}

/** A list of numbers from its raw bytes, by the reader of the format itself. */
function numbersOf(schema: Schema, json: unknown): unknown {
  const bytes = bytesOfHex(property(schema, json, 'hex'))
  const count = property(schema, json, 'count')
  if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > 2 ** 32 - 1) throw wanted(schema, '{"count": n, "hex": "…"}', json)
  const body = new Uint8Array(4 + bytes.length)
  new DataView(body.buffer).setUint32(0, count as number, true)
  body.set(bytes, 4)
  try {
    return decode(schema, body, { limits: { numbers: Infinity } })
  } catch {
    throw new KilnError('TYPE', `${schema.text} of ${String(count)} does not take ${bytes.length} bytes of hex`)
  }
}

function dictOf(pairs: readonly unknown[], keyOf: (json: unknown) => unknown, valueOf: (json: unknown, key: unknown) => unknown): Map<unknown, unknown> {
  const dict = new Map<unknown, unknown>()
  pairs.forEach((pair, i) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw new KilnError('TYPE', 'an entry of a dict is [key, value] in JSON').within(i)
    const key = keyOf(pair[0])
    if (dict.has(key)) throw new KilnError('TYPE', `the key ${JSON.stringify(pair[0])} stands twice`).within(i)
    dict.set(key, valueOf(pair[1], key))
  })
  return dict
}

function structOf(
  schema: Extract<Schema, { kind: 'struct' }>,
  json: unknown,
  inner: (type: Schema, item: unknown, step: string) => unknown,
): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw wanted(schema, 'an object', json)
  const object = json as Record<string, unknown>
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(schema.fields, name)) throw new KilnError('TYPE', `the struct has no field ${JSON.stringify(name)}; it has ${schema.names.join(', ')}`)
  }
  const fields: Record<string, unknown> = {}
  for (const name of schema.names) {
    const type = schema.fields[name]!
    if (!Object.hasOwn(object, name) && type.kind !== 'option') throw new KilnError('TYPE', 'the field is missing').within(name)
    fields[name] = inner(type, Object.hasOwn(object, name) ? object[name] : null, name)
  }
  return fields
}
