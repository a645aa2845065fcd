import { KilnError, type KilnErrorCode } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import { checkWellFormed, utf8Length } from '../text/utf8.js'

/** What a JSON value is, by its first character. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

const WORDS: Record<JsonKind, string> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
}

const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** How deep arrays and objects may nest, unless a reader is told otherwise. */
export const MAX_DEPTH = 128

/** Settings of a {@link JsonReader}. */
export interface JsonReaderOptions {
  /** What the text is, for messages: `the header`. */
  readonly what: string
  /** Where the text starts in the input, in bytes. */
  readonly offset?: number
  /** How deep arrays and objects may nest; deeper is `LIMIT`. Default {@link MAX_DEPTH}. */
  readonly maxDepth?: number
  /** Whether a byte order mark may stand before the text, as some editors put one into files. Default false. */
  readonly mark?: boolean
}

/**
 * Strict JSON, read value by value by a caller who knows what comes: nothing is built that isn't
 * asked for, so a hostile text costs no more memory than its own length.
 *
 * Two keys of one object that are equal, after their escapes, are `TYPE`: readers that keep the first
 * and readers that keep the last would see different files. Text that is no JSON is `FRAME`, a value
 * of another kind than asked for `TYPE`, a lone surrogate `UTF8`.
 */
export class JsonReader {
  private readonly text: string
  private readonly what: string
  private readonly base: number
  private readonly maxDepth: number
  private at = 0
  private depth = 0

  constructor(text: string, options: JsonReaderOptions) {
    this.text = text
    this.what = options.what
    this.base = options.offset ?? 0
    this.maxDepth = options.maxDepth ?? MAX_DEPTH
    if (options.mark === true && text.startsWith('\ufeff')) this.at = 1
  }

  /** What comes next. */
  kind(): JsonKind {
    this.space()
    const c = this.text[this.at]
    if (c === '{') return 'object'
    if (c === '[') return 'array'
    if (c === '"') return 'string'
    if (c === 't' || c === 'f') return 'boolean'
    if (c === 'n') return 'null'
    if (c !== undefined && (c === '-' || (c >= '0' && c <= '9'))) return 'number'
    throw this.syntax('a value')
  }

  /** Reads an object: `entry` is called with each key, and has to read the value. */
  object(entry: (key: string) => void, name = 'the value'): void {
    this.expect('object', name)
    this.enter()
    const keys = new Set<string>()
    if (!this.takes('}')) {
      do {
        this.space()
        const start = this.at
        if (this.text[start] !== '"') throw this.syntax('a key in quotes')
        const key = this.quotedText('a key')
        if (keys.has(key)) {
          this.at = start
          throw this.error('TYPE', `the key ${quoted(key)} stands twice in ${name}`)
        }
        keys.add(key)
        if (!this.takes(':')) throw this.syntax('":"')
        entry(key)
      } while (this.takes(','))
      if (!this.takes('}')) throw this.syntax('"," or "}"')
    }
    this.depth--
  }

  /** Reads an array: `item` is called for each element, and has to read it. */
  array(item: (index: number) => void, name = 'the value'): void {
    this.expect('array', name)
    this.enter()
    if (!this.takes(']')) {
      let index = 0
      do item(index++)
      while (this.takes(','))
      if (!this.takes(']')) throw this.syntax('"," or "]"')
    }
    this.depth--
  }

  string(name = 'the value'): string {
    this.expect('string', name)
    return this.quotedText(name)
  }

  /** A whole number that is not negative, written in digits alone: a bigint over 2^53 − 1, `TYPE` over 2^64 − 1. */
  count(name = 'the value'): number | bigint {
    this.expect('number', name)
    const start = this.at
    const digits = this.numberText()
    if (!/^\d{1,20}$/.test(digits)) {
      this.at = start
      throw this.error('TYPE', `${name} must be a whole number from 0 to 2^64 - 1, not ${digits.slice(0, 40)}`)
    }
    const value = Number(digits)
    if (value <= Number.MAX_SAFE_INTEGER) return value
    const exact = BigInt(digits)
    if (exact >= 2n ** 64n) {
      this.at = start
      throw this.error('TYPE', `${name} is over 2^64 - 1`)
    }
    return exact
  }

  /** Passes over a value, checking it like any other, and returns its text. */
  raw(): string {
    return this.span(() => this.skip())
  }

  /** The text of the value that `read` takes. */
  span(read: () => void): string {
    this.space()
    const start = this.at
    read()
    return this.text.slice(start, this.at)
  }

  /** Passes over a value, checking it like any other. */
  skip(): void {
    const kind = this.kind()
    if (kind === 'object') this.object(() => this.skip())
    else if (kind === 'array') this.array(() => this.skip())
    else if (kind === 'string') this.quotedText('a string')
    else if (kind === 'number') this.numberText()
    else this.word(kind === 'null' ? 'null' : this.text[this.at] === 't' ? 'true' : 'false')
  }

  /** Throws `FRAME` unless nothing but white space is left. */
  end(): void {
    this.space()
    if (this.at < this.text.length) throw this.syntax('nothing more')
  }

  /** An error at the place where the reader stands. */
  error(code: KilnErrorCode, detail: string): KilnError {
    return new KilnError(code, `${this.what}: ${detail}`, this.base + utf8Length(this.text, this.at))
  }

  private syntax(wanted: string): KilnError {
    const c = this.text[this.at]
    const found = c === undefined ? 'its end' : JSON.stringify(c)
    return this.error('FRAME', `not valid JSON, ${wanted} expected, found ${found}`)
  }

  private expect(kind: JsonKind, name: string): void {
    const found = this.kind()
    if (found !== kind) throw this.error('TYPE', `${name} must be ${WORDS[kind]}, found ${WORDS[found]}`)
  }

  private enter(): void {
    if (++this.depth > this.maxDepth) throw this.error('LIMIT', `nested deeper than ${this.maxDepth}`)
    this.at++
  }

  private space(): void {
    for (;;) {
      const c = this.text.charCodeAt(this.at)
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return
      this.at++
    }
  }

  private takes(mark: string): boolean {
    this.space()
    if (this.text[this.at] !== mark) return false
    this.at++
    return true
  }

  private word(word: string): void {
    if (!this.text.startsWith(word, this.at)) throw this.syntax('a value')
    this.at += word.length
  }

  private quotedText(name: string): string {
    const start = this.at
    let from = ++this.at
    let result = ''
    let surrogates = false
    for (;;) {
      const c = this.text.charCodeAt(this.at)
      if (c === 0x22) break
      // NaN, past the end, fails this comparison too.
      if (!(c >= 0x20)) throw this.syntax('the rest of a string')
      if (c !== 0x5c) {
        this.at++
        continue
      }
      result += this.text.slice(from, this.at++)
      const escape = this.text[this.at]
      if (escape === 'u') {
        const hex = this.text.slice(this.at + 1, this.at + 5)
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.syntax('a \\u escape of four hex digits')
        const unit = Number.parseInt(hex, 16)
        surrogates ||= unit >= 0xd800 && unit < 0xe000
        result += String.fromCharCode(unit)
        this.at += 5
      } else {
        const plain = escape === undefined || !Object.hasOwn(ESCAPES, escape) ? undefined : ESCAPES[escape]
        if (plain === undefined) throw this.syntax('an escape')
        result += plain
        this.at++
      }
      from = this.at
    }
    result += this.text.slice(from, this.at++)
    if (surrogates) checkWellFormed(result, `${this.what}: ${name}`, this.base + utf8Length(this.text, start))
    return result
  }

  /** By hand: a pattern's backtracking would keep a place for each digit of a hostile number. */
  private numberText(): string {
    const start = this.at
    if (this.text[this.at] === '-') this.at++
    if (this.text[this.at] === '0') this.at++
    else this.digits()
    if (this.text[this.at] === '.') {
      this.at++
      this.digits()
    }
    if (this.text[this.at] === 'e' || this.text[this.at] === 'E') {
      this.at++
      if (this.text[this.at] === '+' || this.text[this.at] === '-') this.at++
      this.digits()
    }
    return this.text.slice(start, this.at)
  }

  private digits(): void {
    const start = this.at
    for (;;) {
      const c = this.text.charCodeAt(this.at)
      if (!(c >= 0x30 && c <= 0x39)) break
      this.at++
    }
    if (this.at === start) throw this.syntax('a digit')
  }
}
