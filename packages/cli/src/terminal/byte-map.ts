import type { Span } from 'kiln-format/walk'
import { jsonString, visible } from './escape.js'

const LONGEST_VALUE = 60
const KIND_WIDTH = 12
const FIRST_BYTES = 16

/**
 * The lines of `inspect --bytes`: one a span, with offset in hex, length, kind, and path with what the bytes say. They
 * come one by one, for a file can have millions; `size` is the file's, and tells how wide the numbers get.
 */
export async function* byteMapLines(
  spans: Iterable<Span> | AsyncIterable<Span>,
  size: number,
  rules = false,
): AsyncGenerator<string, undefined> {
  const digits = Math.max(size.toString(16).length, 6)
  const lengths = Math.max(String(size).length, 6)
  yield `${'offset'.padEnd(digits)}  ${'length'.padStart(lengths)}  ${'kind'.padEnd(KIND_WIDTH)}  what`
  for await (const span of spans) {
    const offset = span.offset.toString(16).padStart(digits, '0')
    const length = String(span.length).padStart(lengths)
    const rule = rules ? `  (${span.rule})` : ''
    yield `${offset}  ${length}  ${span.kind.padEnd(KIND_WIDTH)}  ${spanText(span)}${rule}`.trimEnd()
  }
  return undefined
}

/** The path of a span and what its bytes say, on one line. */
export function spanText(span: Span): string {
  const { fault, path, type, entries } = span
  if (fault !== undefined)
    return visible(`${path === '' ? '' : `${path}: `}${fault.code} at byte ${fault.byte}: ${fault.detail}`)
  const value = valueText(span.value)
  const what = value === '' && entries !== undefined ? `${entries} entries` : value
  return [visible(path), type === undefined ? '' : visible(shortened(type)), what]
    .filter((part) => part !== '')
    .join('  ')
}

function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return jsonString(shortened(value))
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'object':
      return value === null ? '' : listText(value)
    default:
      return ''
  }
}

/** Of bytes their first, of a list of numbers its first; of anything else nothing. */
function listText(value: object): string {
  if (value instanceof Uint8Array) {
    const hex = Array.from(value.subarray(0, FIRST_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
    return value.length > FIRST_BYTES ? `${hex} …` : hex
  }
  const { length, at } = value as { length?: unknown; at?: unknown }
  if (typeof length !== 'number' || typeof at !== 'function') return ''
  const shown = Array.from({ length: Math.min(length, 6) }, (_, i) => valueText(at.call(value, i)))
  return `[${shown.join(', ')}${length > 6 ? ', …' : ''}]`
}

function shortened(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}
