import { KilnError } from '../errors/kiln-error.js'
import { k } from './build.js'
import type { ParsedSchema } from './infer-text.js'
import {
  checkDepth, checkFieldName, checkTextLength, duplicateField, emptyStruct, isKeyKind, isScalarName, keyNotAllowed,
  optionInOption,
} from './rules.js'
import type { KeySchema, Schema } from './types.js'

/** A cursor over schema text. Offsets in errors are characters of the text. */
interface TextCursor {
  readonly text: string
  pos: number
}

const SPACE = /[ \t\n\r]*/y
const WORD = /[!-+\--9;=?-z|~]+/y

/**
 * The schema of a text (FORMAT §3), canonical or as people write it, with white space and without the
 * last comma. Throws `LIMIT` for text over 65,536 bytes or nested over 64 levels, `SCHEMA` for any
 * other fault, the first from left to right.
 *
 * From a literal text TypeScript works out the schema's own type.
 */
export function parseSchema<const T extends string>(text: T): ParsedSchema<T> {
  if (typeof text !== 'string') throw new KilnError('SCHEMA', 'schema text must be a string')
  return parseText(text, utf8Length(text)) as ParsedSchema<T>
}

/**
 * Parses text that is known to take `byteLength` bytes; a frame's text comes with a character a byte.
 * @internal
 */
export function parseText(text: string, byteLength: number): Schema {
  checkTextLength(byteLength)
  const c: TextCursor = { text, pos: 0 }
  const schema = parseType(c, 0, undefined)
  skipSpace(c)
  if (c.pos < text.length) throw unexpected(c, 'the end of the schema')
  return schema
}

/** Bytes of a string's UTF-8; a lone surrogate, which the grammar refuses anyway, counts as three. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!
    if (code < 0x80) continue
    // A pair of surrogates is two of the text's units and takes four bytes.
    bytes += code < 0x800 ? 1 : 2
    if (code > 0xffff) i++
  }
  return bytes
}

function skipSpace(c: TextCursor): void {
  SPACE.lastIndex = c.pos
  SPACE.test(c.text)
  c.pos = SPACE.lastIndex
}

/** A run of characters that can stand in words and names; empty if there is none. */
function word(c: TextCursor): string {
  skipSpace(c)
  WORD.lastIndex = c.pos
  const found = WORD.exec(c.text)?.[0] ?? ''
  c.pos += found.length
  return found
}

function peek(c: TextCursor): string {
  skipSpace(c)
  return c.text.charAt(c.pos)
}

function expect(c: TextCursor, mark: string): void {
  if (peek(c) !== mark) throw unexpected(c, `"${mark}"`)
  c.pos++
}

function unexpected(c: TextCursor, wanted: string): KilnError {
  const rest = c.text.slice(c.pos, c.pos + 20)
  const found = rest === '' ? 'the text ends' : `there is ${JSON.stringify(rest)}`
  return new KilnError('SCHEMA', `${wanted} expected, ${found}`, c.pos)
}

function parseType(c: TextCursor, depth: number, place: 'key' | 'option' | undefined): Schema {
  const name = word(c)
  const at = c.pos - name.length
  if (name === '') throw unexpected(c, 'a type')
  const opens = name === 'struct' ? '{' : name === 'list' || name === 'dict' || name === 'option' ? '<' : ''
  if (opens === '' && !isScalarName(name) && name !== 'string' && name !== 'bytes' && name !== 'tensors') {
    throw new KilnError('SCHEMA', `${JSON.stringify(name.slice(0, 60))} is no type`, at)
  }
  if (place === 'key' && !isKeyKind(name)) throw keyNotAllowed(name, at)
  if (place === 'option' && name === 'option') throw optionInOption(at)
  if (opens === '') return k[name as Exclude<keyof typeof k, 'list' | 'dict' | 'option' | 'struct'>]
  expect(c, opens)
  checkDepth(depth + 1, at)
  return parseInner(c, name, depth + 1)
}

function parseInner(c: TextCursor, name: string, depth: number): Schema {
  if (name === 'struct') return parseFields(c, depth)
  if (name === 'dict') {
    const key = parseType(c, depth, 'key') as KeySchema
    expect(c, ',')
    const value = parseType(c, depth, undefined)
    expect(c, '>')
    return k.dict(key, value)
  }
  const inner = parseType(c, depth, name === 'option' ? 'option' : undefined)
  expect(c, '>')
  return name === 'list' ? k.list(inner) : k.option(inner)
}

function parseFields(c: TextCursor, depth: number): Schema {
  const entries = new Map<string, Schema>()
  if (peek(c) === '}') throw emptyStruct(c.pos)
  for (;;) {
    const name = word(c)
    const at = c.pos - name.length
    if (name === '') throw unexpected(c, 'a field\'s name')
    checkFieldName(name, at)
    if (entries.has(name)) throw duplicateField(name, at)
    expect(c, ':')
    entries.set(name, parseType(c, depth, undefined))
    const comma = peek(c) === ','
    if (comma) c.pos++
    if (peek(c) === '}') break
    if (!comma) throw unexpected(c, '"," or "}"')
  }
  c.pos++
  return k.struct([...entries])
}
