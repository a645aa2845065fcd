import { numberOf } from 'kiln-format/numeric'
import type { Span } from 'kiln-format/walk'
import { countText, hexText, numberText, shortened } from '../ui/format.js'

const FIRST_BYTES = 16
const FIRST_NUMBERS = 8

type FloatType = 'f32' | 'f16' | 'bf16'

/** The float that a type is, or is a list or an option of, where its numbers are not shown as they come. */
const FLOAT = /^(?:(?:list|option)<)*(f32|f16|bf16)>*$/

/** What the bytes of a span say, in about so many characters; empty where they say nothing by themselves. */
export function valueText(span: Pick<Span, 'value' | 'type' | 'entries'>, most = 200): string {
  const { value, type = '', entries } = span
  const float = FLOAT.exec(type)?.[1] as FloatType | undefined
  if (value === undefined && entries !== undefined)
    return `${countText(entries)} ${entries === 1 ? 'entry' : 'entries'}`
  // Of one code the bits are told too; a list of them is its numbers.
  const code = float !== undefined && float !== 'f32' && typeof value === 'number' ? ` (0x${hexText(value, 4)})` : ''
  return shortened(textOf(value, float) + code, most)
}

function textOf(value: unknown, float: FloatType | undefined): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return float === undefined || float === 'f32' ? numberText(value, float === 'f32') : numberText(numberOf(float, value))
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? '' : listText(value, float)
    default:
      return ''
  }
}

function listText(value: object, float: FloatType | undefined): string {
  if (value instanceof Uint8Array) {
    const hex = Array.from(value.subarray(0, FIRST_BYTES), (byte) => hexText(byte)).join(' ')
    return value.length > FIRST_BYTES ? `${hex} …` : hex
  }
  const { length, at } = value as { readonly length?: unknown; readonly at?: unknown }
  if (typeof length !== 'number' || typeof at !== 'function') return ''
  const some = Array.from({ length: Math.min(length, FIRST_NUMBERS) }, (_, i) => textOf(at.call(value, i), float))
  return `[${some.join(', ')}${length > FIRST_NUMBERS ? ', …' : ''}]`
}
