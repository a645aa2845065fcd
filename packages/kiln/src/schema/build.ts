import { KilnError } from '../errors/kiln-error.js'
import { describe } from '../bytes/input.js'
import { hashOfText } from './hash.js'
import { isSchema } from './is-schema.js'
import {
  checkDepth, checkFieldName, duplicateField, emptyStruct, isKeyKind, keyNotAllowed, optionInOption,
  scalarNames,
} from './rules.js'
import type {
  Bytes, Dict, Fields, KeySchema, List, Option, Scalar, ScalarName, Schema, Struct, Tensors, Text,
} from './types.js'

type Parts<S extends Schema> = Omit<S, 'text' | 'hash' | 'depth'>

/** Freezes a schema with its facts. The hash is worked out when it is first asked for: few inner types' ever is. */
function seal<S extends Schema>(parts: Parts<S>, text: string, depth: number): S {
  checkDepth(depth)
  let hash: bigint | undefined
  const schema = {
    ...parts,
    text,
    depth,
    get hash(): bigint {
      hash ??= hashOfText(text)
      return hash
    },
  }
  return Object.freeze(schema) as unknown as S
}

function scalar<N extends ScalarName>(kind: N): Scalar<N> {
  return seal<Scalar>({ kind }, kind, 0) as Scalar<N>
}

const string: Text = seal<Text>({ kind: 'string' }, 'string', 0)
const bytes: Bytes = seal<Bytes>({ kind: 'bytes' }, 'bytes', 0)
const tensors: Tensors = seal<Tensors>({ kind: 'tensors' }, 'tensors', 0)

function checkPart(value: unknown, what: string): void {
  if (!isSchema(value)) {
    throw new KilnError('SCHEMA', `${what} must be a schema, such as k.u8 or k.list(k.f32); got ${describe(value)}`)
  }
}

/** `list<element>`. Lists of fixed-width numbers are read as one typed array. */
export function list<E extends Schema>(element: E): List<E> {
  checkPart(element, 'a list\'s element')
  return seal<List>({ kind: 'list', element }, `list<${element.text}>`, element.depth + 1) as List<E>
}

/** `dict<key,value>`: a Map in the order in which it was written. The key is `string`, `bool` or an integer type. */
export function dict<K extends KeySchema, V extends Schema>(key: K, value: V): Dict<K, V> {
  checkPart(key, 'a dict\'s key')
  if (!isKeyKind(key.kind)) throw keyNotAllowed(key.kind)
  checkPart(value, 'a dict\'s value')
  return seal<Dict>({ kind: 'dict', key, value }, `dict<${key.text},${value.text}>`, value.depth + 1) as Dict<K, V>
}

/** `option<some>`: the value, or undefined. An option directly in an option is `SCHEMA`. */
export function option<T extends Schema>(some: T): Option<T> {
  checkPart(some, 'an option\'s type')
  if (some.kind === 'option') throw optionInOption()
  return seal<Option>({ kind: 'option', some }, `option<${some.text}>`, some.depth + 1) as Option<T>
}

/** Fields as name and schema, in order. */
export type FieldEntries = readonly (readonly [name: string, schema: Schema])[]

type FieldsOf<E extends FieldEntries> = { readonly [P in E[number] as P[0]]: P[1] }

/**
 * `struct{…}`, with at least one field. Fields are an object, in its order, or a list of name and schema;
 * JavaScript moves names that are integers to the front of an object, so those need the list.
 */
export function struct<const F extends Fields>(fields: F): Struct<F>
export function struct<const E extends FieldEntries>(entries: E): Struct<FieldsOf<E>>
export function struct(given: Fields | FieldEntries): Struct {
  if (typeof given !== 'object' || given === null) {
    throw new KilnError('SCHEMA', `struct takes its fields as an object or a list, got ${describe(given)}`)
  }
  const entries: FieldEntries = isEntries(given) ? given : objectEntries(given)
  if (entries.length === 0) throw emptyStruct()
  const fields = Object.create(null) as Record<string, Schema>
  const names: string[] = []
  const texts: string[] = []
  let depth = 0
  for (const [name, schema] of entries) {
    if (typeof name !== 'string') throw new KilnError('SCHEMA', `a field's name must be a string, got ${describe(name)}`)
    checkFieldName(name)
    if (Object.hasOwn(fields, name)) throw duplicateField(name)
    checkPart(schema, `the field ${JSON.stringify(name)}`)
    fields[name] = schema
    names.push(name)
    texts.push(`${name}:${schema.text},`)
    depth = Math.max(depth, schema.depth)
  }
  return seal<Struct>(
    { kind: 'struct', names: Object.freeze(names), fields: Object.freeze(fields) },
    `struct{${texts.join('')}}`,
    depth + 1,
  )
}

function isEntries(given: Fields | FieldEntries): given is FieldEntries {
  return Array.isArray(given)
}

function objectEntries(given: Fields): FieldEntries {
  const entries = Object.entries(given)
  const moved = entries.find(([name]) => /^(0|[1-9][0-9]*)$/.test(name))
  if (moved !== undefined && entries.length > 1) {
    throw new KilnError(
      'SCHEMA',
      `JavaScript moves the field ${JSON.stringify(moved[0])} to the front of an object; give the fields as a list: struct([['a', k.u8], …])`,
    )
  }
  return entries
}

const scalars = Object.fromEntries(scalarNames.map((name) => [name, scalar(name)])) as { [N in ScalarName]: Scalar<N> }

/** The builders: every scalar, `string`, `bytes`, `tensors`, `list`, `dict`, `option` and `struct`. */
export const k = Object.freeze({ ...scalars, string, bytes, tensors, list, dict, option, struct })
