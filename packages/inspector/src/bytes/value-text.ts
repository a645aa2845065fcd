import type { Span } from 'kiln-format/walk'
import { countText, hexText, numberText, shortened } from '../ui/format.js'

const FIRST_BYTES = 16
const FIRST_NUMBERS = 8

/** What the bytes of a span say, in about so many characters; empty where they say nothing by themselves. */
export function valueText(span: Pick<Span, 'value' | 'type' | 'entries'>, most = 200): string {
  const { value, type = '', entries } = span
  const single = type === 'f32' || type === 'list<f32>'
  if (value === undefined && entries !== undefined)
    return `${countText(entries)} ${entries === 1 ? 'entry' : 'entries'}`
  return shortened(textOf(value, single), most)
}

function textOf(value: unknown, single: boolean): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return numberText(value, single)
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? '' : listText(value, single)
    default:
      return ''
  }
}

function listText(value: object, single: boolean): string {
  if (value instanceof Uint8Array) {
    const hex = Array.from(value.subarray(0, FIRST_BYTES), (byte) => hexText(byte)).join(' ')
    return value.length > FIRST_BYTES ? `${hex} …` : hex
  }
  const { length, at } = value as { readonly length?: unknown; readonly at?: unknown }
  if (typeof length !== 'number' || typeof at !== 'function') return ''
  const some = Array.from({ length: Math.min(length, FIRST_NUMBERS) }, (_, i) => textOf(at.call(value, i), single))
  return `[${some.join(', ')}${length > FIRST_NUMBERS ? ', …' : ''}]`
}
