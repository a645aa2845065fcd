import { KilnError } from 'kiln-format'
import type { Omission } from '../model.js'
import { quoted } from '../text/quoted.js'
import { parseValue, typeText, valueText } from './value-text.js'
import type { GgufKeyValue } from './value-types.js'

/**
 * The key under which a Kiln file keeps the types of the values that were no strings: a JSON object
 * from key to type, such as `{"llama.block_count":"uint32","tokenizer.ggml.tokens":"string[]"}`. A key
 * that isn't in it is a string, so no text of a value can be taken for something else.
 */
export const TYPES_KEY = 'gguf:types'

/** Key-values as a Kiln file's metadata: the same keys in the same order, then `gguf:types` if one is needed. */
export function metadataOf(keyValues: readonly GgufKeyValue[]): Map<string, string> {
  const metadata = new Map<string, string>()
  const types: string[] = []
  for (const keyValue of keyValues) {
    if (keyValue.key === TYPES_KEY) continue
    metadata.set(keyValue.key, valueText(keyValue))
    if (keyValue.type !== 'string') types.push(`${JSON.stringify(keyValue.key)}:"${typeText(keyValue)}"`)
  }
  if (types.length > 0) metadata.set(TYPES_KEY, `{${types.join(',')}}`)
  return metadata
}

/** What {@link metadataOf} leaves out: a key of the file's own with the name of Kiln's. */
export function metadataOmissions(keyValues: readonly GgufKeyValue[]): Omission[] {
  return keyValues.some(({ key }) => key === TYPES_KEY)
    ? [{ name: `key ${TYPES_KEY}`, reason: "under this key a Kiln file keeps the other keys' types" }]
    : []
}

/**
 * The key-values that a Kiln file's metadata stands for, one at a time and in order; whatever has no
 * type is a string, so metadata of any origin can be written. `TYPE` for a text that is not of its
 * type. A type whose key is gone is passed over, so that keys can be removed.
 */
export function* keyValuesOf(metadata: ReadonlyMap<string, string>): Generator<GgufKeyValue, void, undefined> {
  const types = typesOf(metadata.get(TYPES_KEY))
  for (const [key, text] of metadata) {
    if (key === TYPES_KEY) continue
    yield { key, ...parseValue(types.get(key) ?? 'string', text, `metadata ${quoted(key)}`) }
  }
}

function typesOf(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined) return new Map()
  let types: unknown
  try {
    types = JSON.parse(text)
  } catch (cause) {
    throw new KilnError(
      'TYPE',
      `metadata ${TYPES_KEY} is not JSON; remove it to write all values as strings`,
      undefined,
      { cause },
    )
  }
  if (typeof types !== 'object' || types === null || Array.isArray(types)) {
    throw new KilnError('TYPE', `metadata ${TYPES_KEY} is no JSON object from key to type`)
  }
  // A Map, so that keys such as __proto__ are only keys.
  const map = new Map<string, string>()
  for (const [key, type] of Object.entries(types) as [string, unknown][]) {
    if (typeof type !== 'string')
      throw new KilnError('TYPE', `metadata ${TYPES_KEY} gives ${quoted(key)} a type that is no string`)
    map.set(key, type)
  }
  return map
}
