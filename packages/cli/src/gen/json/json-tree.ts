import { KilnError } from 'kiln-format'

/**
 * JSON with everything that a schema's code depends on: members in the order of the document, which an object of
 * JavaScript loses for names such as `1`, and numbers as they are written.
 */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonNode> }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }

export type JsonObject = Extract<JsonNode, { kind: 'object' }>

// A schema of the deepest nesting that Kiln has needs about three levels for each of its own.
const MAX_DEPTH = 256

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
const WORD = /true|false|null/y

/** Parses strict JSON. Throws `SCHEMA` with line and column, also for a key that stands twice; `LIMIT` for nesting. */
export function parseJson(text: string): JsonNode {
  const parser = new JsonParser(text.startsWith('\ufeff') ? text.slice(1) : text)
  return parser.document()
}

class JsonParser {
  readonly #text: string
  #pos = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): JsonNode {
    const node = this.#value(0)
    this.#match(SPACE)
    if (this.#pos < this.#text.length) throw this.#fault('the end of the document')
    return node
  }

  #value(depth: number): JsonNode {
    this.#match(SPACE)
    if (depth > MAX_DEPTH)
      throw new KilnError('LIMIT', `the JSON nests over ${MAX_DEPTH} levels deep${this.#place()}; flatten it`)
    switch (this.#text[this.#pos]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return { kind: 'string', value: this.#string() }
    }
    const word = this.#match(WORD)
    if (word === 'null') return { kind: 'null' }
    if (word !== '') return { kind: 'boolean', value: word === 'true' }
    const number = this.#match(NUMBER)
    if (number === '') throw this.#fault('a value')
    return { kind: 'number', text: number }
  }

  #object(depth: number): JsonObject {
    const members = new Map<string, JsonNode>()
    this.#pos++
    if (this.#takes('}')) return { kind: 'object', members }
    do {
      this.#match(SPACE)
      const start = this.#pos
      if (this.#text[start] !== '"') throw this.#fault('a key in double quotes')
      const key = this.#string()
      if (members.has(key)) {
        this.#pos = start
        throw new KilnError(
          'SCHEMA',
          `the key ${JSON.stringify(key)} stands twice in one object${this.#place()}; remove one`,
        )
      }
      if (!this.#takes(':')) throw this.#fault('":"')
      members.set(key, this.#value(depth + 1))
    } while (this.#takes(','))
    if (!this.#takes('}')) throw this.#fault('"," or "}"')
    return { kind: 'object', members }
  }

  #array(depth: number): JsonNode {
    const items: JsonNode[] = []
    this.#pos++
    if (this.#takes(']')) return { kind: 'array', items }
    do items.push(this.#value(depth + 1))
    while (this.#takes(','))
    if (!this.#takes(']')) throw this.#fault('"," or "]"')
    return { kind: 'array', items }
  }

  #string(): string {
    const start = this.#pos
    let end = start + 1
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1
    try {
      const value: unknown = JSON.parse(this.#text.slice(start, end + 1))
      if (typeof value !== 'string') throw new TypeError('no string')
      this.#pos = end + 1
      return value
    } catch {
      throw this.#fault('a string that ends in its line, with known escapes')
    }
  }

  #takes(mark: string): boolean {
    this.#match(SPACE)
    if (this.#text[this.#pos] !== mark) return false
    this.#pos++
    return true
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#pos
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#pos += found.length
    return found
  }

  #place(): string {
    const before = this.#text.slice(0, this.#pos).split(/\r\n|\r|\n/)
    return ` (line ${before.length}, column ${before.at(-1)!.length + 1})`
  }

  #fault(wanted: string): KilnError {
    const rest = this.#text.slice(this.#pos, this.#pos + 20)
    const found = rest === '' ? 'the text ends' : `there is ${JSON.stringify(rest)}`
    return new KilnError('SCHEMA', `this is no JSON: ${wanted} expected${this.#place()}, ${found}`)
  }
}

/** The member of this name, if the node is an object that has it. */
export function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.get(name) : undefined
}

/** The text of a member that is a string. */
export function textOf(node: JsonNode | undefined, name: string): string | undefined {
  const found = member(node, name)
  return found?.kind === 'string' ? found.value : undefined
}
