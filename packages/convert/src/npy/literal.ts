import { KilnError } from 'kiln-format'

/** A value of Python's literal syntax, as far as headers of NPY files use it. */
export type Literal =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'tuple' | 'list'; readonly items: readonly Literal[] }
  | { readonly kind: 'dict'; readonly entries: ReadonlyMap<string, Literal> }

const DEPTH = 32
// Enough for any 128-bit number: a header of a million digits is not worth a bigint.
const LONGEST_INTEGER = 40

/** Space, tab, LF, CR and form feed: what Python passes over. */
const WHITE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0x0c])

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/**
 * Parses the literal that a header's text is: dict, tuple, list, text, integers (with the `L` of
 * Python 2 too), True, False and None. White space may follow, and nothing else. Nothing is evaluated.
 *
 * Faults are `FRAME`; keys that are no text or stand twice, `TYPE`; nesting over 32 deep, `LIMIT`.
 * `offset` is the text's place in the file.
 */
export function parseLiteral(text: string, offset: number): Literal {
  const parser = new LiteralParser(text, offset)
  const value = parser.value(1)
  parser.end()
  return value
}

class LiteralParser {
  private readonly text: string
  private readonly offset: number
  private at = 0

  constructor(text: string, offset: number) {
    this.text = text
    this.offset = offset
  }

  value(depth: number): Literal {
    if (depth > DEPTH) throw this.error('LIMIT', `nested more than ${DEPTH} deep`)
    this.space()
    const c = this.text[this.at]
    if (c === '{') return this.dict(depth)
    if (c === '(') return this.sequence('tuple', ')', depth)
    if (c === '[') return this.sequence('list', ']', depth)
    if (c !== undefined && /[-+0-9]/.test(c)) return this.integer()
    if (this.startsText()) return { kind: 'text', value: this.quotedText() }
    const word = /[A-Za-z_]*/y
    word.lastIndex = this.at
    const name = word.exec(this.text)![0]
    this.at += name.length
    if (name === 'True' || name === 'False') return { kind: 'bool', value: name === 'True' }
    if (name === 'None') return { kind: 'none' }
    this.at -= name.length
    throw this.syntax('a value')
  }

  end(): void {
    this.space()
    if (this.at < this.text.length) throw this.syntax('nothing more')
  }

  private dict(depth: number): Literal {
    const entries = new Map<string, Literal>()
    this.at++
    while (!this.takes('}')) {
      if (!this.startsText()) throw this.syntax('a key in quotes')
      const key = this.quotedText()
      if (entries.has(key)) throw this.error('TYPE', `the key ${JSON.stringify(key)} stands twice`)
      if (!this.takes(':')) throw this.syntax('":"')
      entries.set(key, this.value(depth + 1))
      if (this.takes(',')) continue
      if (this.takes('}')) break
      throw this.syntax('"," or "}"')
    }
    return { kind: 'dict', entries }
  }

  /** A tuple or list; as in Python, a value alone in parentheses is that value. */
  private sequence(kind: 'tuple' | 'list', close: string, depth: number): Literal {
    const items: Literal[] = []
    this.at++
    while (!this.takes(close)) {
      items.push(this.value(depth + 1))
      if (this.takes(',')) continue
      if (!this.takes(close)) throw this.syntax(`"," or "${close}"`)
      if (kind === 'tuple' && items.length === 1) return items[0]!
      break
    }
    return { kind, items }
  }

  private integer(): Literal {
    const pattern = /[-+]?[0-9]+/y
    pattern.lastIndex = this.at
    const digits = pattern.exec(this.text)?.[0]
    if (digits === undefined) throw this.syntax('digits')
    if (digits.length > LONGEST_INTEGER) throw this.error('TYPE', `an integer of ${digits.length} digits`)
    this.at += digits.length
    if (this.text[this.at] === 'L') this.at++
    if (/[0-9A-Za-z_.]/.test(this.text[this.at] ?? '')) throw this.syntax('an integer')
    return { kind: 'integer', value: BigInt(digits.replace(/^\+/, '')) }
  }

  /** Quotes, perhaps after the prefix by which Python 2 and 3 tell text and bytes apart. */
  private startsText(): boolean {
    this.space()
    return /['"]/.test(this.text[this.at] ?? '') || /^[uUbB]['"]/.test(this.text.slice(this.at, this.at + 2))
  }

  private quotedText(): string {
    if (/[uUbB]/.test(this.text[this.at]!)) this.at++
    const quote = this.text[this.at++]!
    let from = this.at
    let value = ''
    for (;;) {
      const c = this.text[this.at]
      if (c === undefined || c === '\n') throw this.syntax('the rest of a text')
      if (c === quote) break
      if (c === '\\') {
        value += this.text.slice(from, this.at) + this.escape()
        from = this.at
      } else this.at++
    }
    value += this.text.slice(from, this.at++)
    return value
  }

  private escape(): string {
    const c = this.text[this.at + 1] ?? ''
    const plain = ESCAPES.get(c)
    if (plain !== undefined) {
      this.at += 2
      return plain
    }
    const length = c === 'x' ? 2 : c === 'u' ? 4 : c === 'U' ? 8 : 0
    const hex = this.text.slice(this.at + 2, this.at + 2 + length)
    const code = length > 0 && hex.length === length && /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : Infinity
    if (code > 0x10ffff) throw this.syntax('an escape')
    this.at += 2 + length
    return String.fromCodePoint(code)
  }

  private space(): void {
    while (WHITE.has(this.text.charCodeAt(this.at))) this.at++
  }

  private takes(mark: string): boolean {
    this.space()
    if (this.text[this.at] !== mark) return false
    this.at++
    return true
  }

  private syntax(wanted: string): KilnError {
    const c = this.text[this.at]
    return this.error('FRAME', `${wanted} expected, found ${c === undefined ? 'its end' : JSON.stringify(c)}`)
  }

  private error(code: 'FRAME' | 'TYPE' | 'LIMIT', detail: string): KilnError {
    // In the encodings that headers have, all that numpy writes is one byte a character.
    return new KilnError(code, `the header of the NPY file: ${detail}`, this.offset + this.at)
  }
}

/** A literal as Python prints it, for messages. */
export function literalText(literal: Literal): string {
  switch (literal.kind) {
    case 'text':
      return `'${literal.value}'`
    case 'integer':
      return String(literal.value)
    case 'bool':
      return literal.value ? 'True' : 'False'
    case 'none':
      return 'None'
    case 'tuple':
      return `(${literal.items.map(literalText).join(', ')}${literal.items.length === 1 ? ',' : ''})`
    case 'list':
      return `[${literal.items.map(literalText).join(', ')}]`
    case 'dict':
      return `{${[...literal.entries].map(([key, value]) => `'${key}': ${literalText(value)}`).join(', ')}}`
  }
}
