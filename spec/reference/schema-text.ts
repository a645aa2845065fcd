import { DEPTH_CAP, TEXT_CAP } from './caps.js'
import { must } from './error.js'
import { KEY_WORDS, isWord, type Field, type Schema } from './schema-tree.js'
import { encodeUtf8 } from './utf8.js'

const WHITE = ' \t\n\r'
const MARKS = '{}<>:,'

/** Where a type stands, which decides what it may be. */
type Place = 'anywhere' | 'key' | 'in option'

/** The text of a schema as people write it, from left to right; the first fault decides. */
class TextReader {
  at = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  skipWhite(): void {
    while (this.at < this.text.length && WHITE.includes(this.text[this.at]!)) this.at += 1
  }

  /** The run of name characters that stands next; it may be empty. */
  word(): string {
    this.skipWhite()
    const start = this.at
    while (this.at < this.text.length && isNameCharacter(this.text[this.at]!)) this.at += 1
    return this.text.slice(start, this.at)
  }

  nextIs(mark: string): boolean {
    this.skipWhite()
    return this.text[this.at] === mark
  }

  mark(mark: string): void {
    must(this.nextIs(mark), 'SCHEMA', `"${mark}" expected at character ${this.at}`)
    this.at += 1
  }
}

function isNameCharacter(character: string): boolean {
  return character >= '\x21' && character <= '\x7e' && !MARKS.includes(character)
}

function readType(reader: TextReader, place: Place, level: number): Schema {
  const word = reader.word()
  const composite = word === 'list' || word === 'dict' || word === 'option' || word === 'struct'
  must(composite || isWord(word), 'SCHEMA', `"${word}" is no type`)
  if (place === 'key') must(KEY_WORDS.has(word), 'SCHEMA', `"${word}" can't be a key`)
  if (place === 'in option') must(word !== 'option', 'SCHEMA', 'an option in an option')
  if (isWord(word)) return { kind: 'word', word }

  reader.mark(word === 'struct' ? '{' : '<')
  must(level + 1 <= DEPTH_CAP, 'LIMIT', `more than ${DEPTH_CAP} levels`)
  if (word === 'struct') return { kind: 'struct', fields: readFields(reader, level + 1) }
  if (word === 'list') {
    const element = readType(reader, 'anywhere', level + 1)
    reader.mark('>')
    return { kind: 'list', element }
  }
  if (word === 'option') {
    const inner = readType(reader, 'in option', level + 1)
    reader.mark('>')
    return { kind: 'option', inner }
  }
  const key = readType(reader, 'key', level + 1)
  reader.mark(',')
  const value = readType(reader, 'anywhere', level + 1)
  reader.mark('>')
  return { kind: 'dict', key, value }
}

/** Fields up to and with the brace that closes them; the last comma may be left out. */
function readFields(reader: TextReader, level: number): Field[] {
  const fields: Field[] = []
  const names = new Set<string>()
  for (;;) {
    const name = reader.word()
    must(name.length >= 1 && name.length <= 255, 'SCHEMA', 'a name is 1 to 255 characters')
    must(name !== '__proto__', 'SCHEMA', '__proto__ is no name')
    must(!names.has(name), 'SCHEMA', `"${name}" stands twice`)
    names.add(name)
    reader.mark(':')
    fields.push({ name, type: readType(reader, 'anywhere', level) })
    if (reader.nextIs(',')) reader.mark(',')
    else {
      reader.mark('}')
      return fields
    }
    if (reader.nextIs('}')) {
      reader.mark('}')
      return fields
    }
  }
}

/** Parses people's schema text (FORMAT §3). `LIMIT` for its length or its depth, else `SCHEMA`. */
export function parseSchemaText(text: string): Schema {
  must(utf8Length(text) <= TEXT_CAP, 'LIMIT', `schema text over ${TEXT_CAP} bytes`)
  return parseWhole(text)
}

/** The same of text that stands in a frame: each byte is a character, whatever it is. */
export function parseSchemaBytes(bytes: Uint8Array): Schema {
  must(bytes.length <= TEXT_CAP, 'LIMIT', `schema text over ${TEXT_CAP} bytes`)
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return parseWhole(text)
}

function parseWhole(text: string): Schema {
  const reader = new TextReader(text)
  const schema = readType(reader, 'anywhere', 0)
  reader.skipWhite()
  must(reader.at === text.length, 'SCHEMA', 'text after the type')
  return schema
}

function utf8Length(text: string): number {
  // A lone surrogate is a fault of the text, found where it stands; for the length it is as long
  // as the character that would replace it.
  return encodeUtf8(text.replace(/\p{Surrogate}/gu, '\ufffd')).length
}
