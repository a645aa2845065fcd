import { KilnError, type ScalarName, type Schema, type Struct } from 'kiln-format'
import { INTEGER_FORMATS, INTEGER_RANGES, NUMBER_FORMATS } from './json-schema/scalars.js'

/** A JSON document whose members are in their order, whatever their names. */
export type JsonMember = readonly [name: string, value: JsonValue]
export type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly members: readonly JsonMember[] }

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/**
 * A Kiln schema as JSON Schema 2020-12, as text. `kiln gen` reads it back to the same Kiln schema. Throws `SCHEMA` for
 * what JSON Schema has no word for: tensors, and dicts whose keys are not text.
 */
export function toJsonSchema(schema: Schema, title: string | undefined): string {
  const body = describe(schema, '')
  const members: JsonMember[] = [
    ['$schema', DIALECT],
    ...(title === undefined ? [] : [['title', title] as const]),
    ...body,
  ]
  return `${print({ members }, '')}\n`
}

function describe(schema: Schema, path: string): JsonMember[] {
  switch (schema.kind) {
    case 'string':
      return [['type', 'string']]
    case 'bytes':
      return [
        ['type', 'string'],
        ['contentEncoding', 'base64'],
      ]
    case 'list':
      return [
        ['type', 'array'],
        ['items', { members: describe(schema.element, `${path}[]`) }],
      ]
    case 'dict':
      if (schema.key.kind !== 'string')
        throw unsayable(path, `a dict with keys of ${schema.key.kind}: JSON's keys are text`)
      return [
        ['type', 'object'],
        ['additionalProperties', { members: describe(schema.value, `${path}{}`) }],
      ]
    case 'option':
      return optional(describe(schema.some, path))
    case 'struct':
      return describeStruct(schema, path)
    case 'tensors':
      throw unsayable(path, 'tensors: JSON has no arrays of bits')
    default:
      return describeScalar(schema.kind)
  }
}

function unsayable(path: string, what: string): KilnError {
  const error = new KilnError('SCHEMA', `JSON Schema can't say ${what}; take it out, or keep the Kiln schema`)
  return path === '' ? error : error.within(path)
}

function describeScalar(kind: ScalarName): JsonMember[] {
  if (kind === 'bool') return [['type', 'boolean']]
  const format = (formats: ReadonlyMap<string, ScalarName>): string | undefined =>
    [...formats].find(([, name]) => name === kind)?.[0]
  const float = format(NUMBER_FORMATS)
  if (float !== undefined)
    return [
      ['type', 'number'],
      ['format', float],
    ]
  const range = INTEGER_RANGES[kind]
  return [['type', 'integer'], ['format', format(INTEGER_FORMATS)!], ...rangeOf(range)]
}

/** Limits for validators that know no formats; not those of 64 bits, which many readers of JSON would round. */
function rangeOf(range: readonly [number | bigint, number | bigint] | undefined): JsonMember[] {
  const [low, high] = range ?? []
  return [
    ...(typeof low === 'number' ? [['minimum', low] as const] : []),
    ...(typeof high === 'number' ? [['maximum', high] as const] : []),
  ]
}

function optional(members: readonly JsonMember[]): JsonMember[] {
  const [first, ...rest] = members as [JsonMember, ...JsonMember[]]
  // The type is always the first member.
  return [['type', [first[1], 'null']], ...rest]
}

function describeStruct(schema: Struct, path: string): JsonMember[] {
  const properties: JsonMember[] = []
  const required: string[] = []
  for (const name of schema.names) {
    const field = schema.fields[name]!
    const inner = path === '' ? name : `${path}.${name}`
    if (field.kind !== 'option') required.push(name)
    properties.push([name, { members: describe(field.kind === 'option' ? field.some : field, inner) }])
  }
  return [
    ['type', 'object'],
    ['properties', { members: properties }],
    ...(required.length === 0 ? [] : [['required', required] as const]),
    ['additionalProperties', false],
  ]
}

function print(value: JsonValue, indent: string): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  if ('members' in value) {
    const lines = value.members.map(([name, item]) => `${inner}${JSON.stringify(name)}: ${print(item, inner)}`)
    return `{\n${lines.join(',\n')}\n${indent}}`
  }
  return `[${value.map((item) => print(item, inner)).join(', ')}]`
}
