import { KilnError } from '../errors/kiln-error.js'
import type { KeyScalarName, ScalarName } from './types.js'

/** Bytes of schema text, white space included (FORMAT §2, Caps). */
export const MAX_TEXT_BYTES = 65_536
/** Levels of `list`, `dict`, `option` and `struct` (FORMAT §2, Caps). */
export const MAX_DEPTH = 64
const MAX_NAME_LENGTH = 255

export const scalarNames: readonly ScalarName[] = [
  'bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'bf16', 'f32', 'f64',
]
const keyNames: readonly (KeyScalarName | 'string')[] = [
  'string', 'bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64',
]

export function isScalarName(word: string): word is ScalarName {
  return (scalarNames as readonly string[]).includes(word)
}

/** Whether a type of this kind can be a dict's key (FORMAT §2). */
export function isKeyKind(kind: string): boolean {
  return (keyNames as readonly string[]).includes(kind)
}

/** Throws `SCHEMA` unless the name can be a field's (FORMAT §3). */
export function checkFieldName(name: string, at?: number): void {
  if (name === '__proto__') throw new KilnError('SCHEMA', 'a field can\'t be named "__proto__"; rename it', at)
  if (name.length <= MAX_NAME_LENGTH && /^[!-~]+$/.test(name) && !/[{}<>:,]/.test(name)) return
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name
  throw new KilnError(
    'SCHEMA',
    `${JSON.stringify(shown)} can't be a field's name: 1 to ${MAX_NAME_LENGTH} characters of printable ASCII without { } < > : ,`,
    at,
  )
}

export function duplicateField(name: string, at?: number): KilnError {
  return new KilnError('SCHEMA', `the field ${JSON.stringify(name)} stands twice in one struct`, at)
}

export function keyNotAllowed(kind: string, at?: number): KilnError {
  return new KilnError('SCHEMA', `a dict's key is string, bool or an integer type, not ${kind}`, at)
}

export function optionInOption(at?: number): KilnError {
  return new KilnError('SCHEMA', 'an option directly in an option can\'t be told from it; put a struct between', at)
}

export function emptyStruct(at?: number): KilnError {
  return new KilnError('SCHEMA', 'a struct has at least one field', at)
}

/** Throws `LIMIT` for a level of nesting beyond the cap. */
export function checkDepth(depth: number, at?: number): void {
  if (depth > MAX_DEPTH) throw new KilnError('LIMIT', `schemas nest at most ${MAX_DEPTH} levels deep; flatten it`, at)
}

/** Throws `LIMIT` for text that is too long. */
export function checkTextLength(bytes: number): void {
  if (bytes > MAX_TEXT_BYTES) {
    throw new KilnError('LIMIT', `schema text of ${bytes} bytes is over the cap of ${MAX_TEXT_BYTES}; split the schema`)
  }
}
