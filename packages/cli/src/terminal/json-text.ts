import { jsonString } from './escape.js'

/** Bytes that stand as a hex string in a document; written in pieces, so that a payload needs no string of its own. */
export class HexText {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

// What fits here stands on one line, so that a tensor is a row and a shape never a column.
const LINE = 160
const PIECE = 65_536

/** The value on one line, or undefined if it takes more than `room` characters. */
function onOneLine(value: unknown, room: number): string | undefined {
  const leaf = leafText(value)
  if (leaf !== undefined) return leaf.length <= room ? leaf : undefined
  if (value instanceof HexText) return value.bytes.length * 2 + 2 <= room ? `"${hexOf(value.bytes)}"` : undefined
  if (isIterable(value) && !Array.isArray(value) && !isMap(value)) return undefined
  const parts: string[] = []
  let length = 2
  for (const [key, item] of entriesOf(value as object)) {
    const inner = onOneLine(item, room - length)
    if (inner === undefined) return undefined
    const part = key === undefined ? inner : `${key}: ${inner}`
    length += part.length + 2
    if (length > room) return undefined
    parts.push(part)
  }
  if (parts.length === 0) return Array.isArray(value) ? '[]' : '{}'
  return Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
}

/** Numbers that JSON has not are told by name; integers beyond 2^53 are decimal strings. */
function leafText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return jsonString(value)
    case 'bigint':
      return `"${value}"`
    case 'number':
      if (Object.is(value, -0)) return '-0.0'
      return Number.isFinite(value) ? String(value) : `"${value}"`
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : undefined
    default:
      return 'null'
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map
}

/**
 * An array's items, or an object's or a Map's keys as JSON with their values; what is undefined is left out. A Map
 * keeps the order of keys such as `10` and `2`, which an object moves to the front.
 */
function* entriesOf(value: object): Generator<[key: string | undefined, item: unknown]> {
  if (isMap(value)) for (const [key, item] of value) yield [jsonString(String(key)), item]
  else if (isIterable(value)) for (const item of value) yield [undefined, item]
  else for (const [key, item] of Object.entries(value)) if (item !== undefined) yield [jsonString(key), item]
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

function* layOut(value: unknown, indent: string): Generator<string> {
  const line = onOneLine(value, LINE - indent.length)
  if (line !== undefined) {
    yield line
    return
  }
  const leaf = leafText(value)
  if (leaf !== undefined) {
    yield leaf
    return
  }
  if (value instanceof HexText) {
    yield '"'
    for (let i = 0; i < value.bytes.length; i += PIECE) yield hexOf(value.bytes.subarray(i, i + PIECE))
    yield '"'
    return
  }
  const [open, close] = isIterable(value) && !isMap(value) ? '[]' : '{}'
  const inner = `${indent}  `
  let first = true
  for (const [key, item] of entriesOf(value as object)) {
    yield `${first ? open : ','}\n${inner}${key === undefined ? '' : `${key}: `}`
    yield* layOut(item, inner)
    first = false
  }
  yield first ? `${open}${close}` : `\n${indent}${close}`
}

/**
 * A JSON document in pieces of 64 KiB or so. It may hold generators, as arrays that are never whole in memory,
 * {@link HexText}, and bigints, which become decimal strings.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = ''
  for (const part of layOut(value, '')) {
    piece += part
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n`
}
