import { KilnError } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import { floatText, parseFloatText, shortened } from './float-text.js'
import { ARRAY_DEPTH, integerRanges, isValueType, numberArrays } from './value-types.js'
import type { GgufArray, GgufNumbers, GgufNumberType, GgufValue, GgufValueType } from './value-types.js'

/*
 * Values as text and back, type and bits kept.
 *
 * A string is itself. Integers are decimal, bools `true` and `false`, floats as in float-text.ts. An
 * array of type `T[]` is JSON: strings, bools and numbers of up to 32 bits are JSON's own; 64-bit
 * integers are JSON strings, and so are the floats that JSON has no number for. An item of `array[]`
 * is an object of one entry, its item type and its items: `[{"int32":[1,2]},{"string":["a"]}]`.
 */

/** The type as text: `uint32`, `string[]`, `array[]`. */
export function typeText(value: GgufValue): string {
  return value.type === 'array' ? `${value.value.itemType}[]` : value.type
}

export function valueText(value: GgufValue): string {
  switch (value.type) {
    case 'string':
      return value.value
    case 'array':
      return arrayText(value.value)
    case 'float32':
    case 'float64':
      return floatText(value.type, value.value, value.bits)
    default:
      return String(value.value)
  }
}

function arrayText(array: GgufArray): string {
  switch (array.itemType) {
    case 'bool':
    case 'string':
      return JSON.stringify(array.items)
    case 'array':
      return `[${array.items.map((item) => `{"${item.itemType}":${arrayText(item)}}`).join(',')}]`
    case 'uint64':
    case 'int64':
      return `[${Array.from(array.items as BigUint64Array | BigInt64Array, (item) => `"${item}"`).join(',')}]`
    case 'float32':
    case 'float64':
      return `[${floatItems(array.itemType, array.items as Float32Array | Float64Array).join(',')}]`
    default:
      return `[${array.items.join(',')}]`
  }
}

function floatItems(type: 'float32' | 'float64', items: Float32Array | Float64Array): string[] {
  const { buffer, byteOffset, length } = items
  const words =
    type === 'float32' ? new Uint32Array(buffer, byteOffset, length) : new BigUint64Array(buffer, byteOffset, length)
  return Array.from(items, (item, i) => {
    const text = floatText(type, item, Number.isNaN(item) ? BigInt(words[i]!) : undefined)
    return Number.isFinite(item) ? text : `"${text}"`
  })
}

/** The value that a type and a text stand for; `TYPE` if the text is none of the type. `what` names it. */
export function parseValue(type: string, text: string, what: string): GgufValue {
  if (type.endsWith('[]')) {
    const itemType = type.slice(0, -2)
    if (isValueType(itemType)) return { type: 'array', value: parseArray(itemType, parseJson(text, what), what, 1) }
  }
  if (!isValueType(type) || type === 'array') {
    throw new KilnError('TYPE', `${what} has the type ${quoted(type)}, which GGUF has not`)
  }
  return parseScalar(type, text, what)
}

function parseScalar(type: Exclude<GgufValueType, 'array'>, text: string, what: string): GgufValue {
  switch (type) {
    case 'string':
      return { type, value: text }
    case 'bool':
      if (text !== 'true' && text !== 'false') {
        throw new KilnError('TYPE', `${what} is ${quoted(text)}; a bool is true or false`)
      }
      return { type, value: text === 'true' }
    case 'float32':
    case 'float64':
      return parseFloatText(type, text, what)
    case 'uint64':
    case 'int64':
      return { type, value: parseInteger(type, text, what) }
    default:
      return { type, value: Number(parseInteger(type, text, what)) }
  }
}

function parseInteger(type: GgufValueType, text: string, what: string): bigint {
  const [least, greatest] = integerRanges.get(type)!
  // Twenty digits hold every 64-bit integer; longer text is not worth a bigint.
  const value = /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || value < least || value > greatest) {
    throw new KilnError('TYPE', `${what} is ${quoted(text)}; ${type} is an integer from ${least} to ${greatest}`)
  }
  return value
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new KilnError('TYPE', `${what} is of an array type, and its text is not JSON`, undefined, { cause })
  }
}

function parseArray(itemType: GgufValueType, items: unknown, what: string, depth: number): GgufArray {
  if (depth > ARRAY_DEPTH) throw new KilnError('LIMIT', `${what} nests arrays more than ${ARRAY_DEPTH} deep`)
  if (!Array.isArray(items)) throw new KilnError('TYPE', `${what} is of an array type, and its text is no JSON array`)
  const list: readonly unknown[] = items
  if (itemType === 'array') {
    return { itemType, items: list.map((item, i) => parseInner(item, `item ${i} of ${what}`, depth + 1)) }
  }
  const bad = (i: number): KilnError =>
    new KilnError('TYPE', `item ${i} of ${what} is ${shortened(JSON.stringify(list[i]))}, which is no ${itemType}`)
  if (itemType === 'string' || itemType === 'bool') {
    const jsType = itemType === 'string' ? 'string' : 'boolean'
    const at = list.findIndex((item) => typeof item !== jsType)
    if (at !== -1) throw bad(at)
    return { itemType, items: list } as GgufArray
  }
  return { itemType, items: parseNumbers(itemType, list, what, bad) }
}

function parseInner(item: unknown, what: string, depth: number): GgufArray {
  const entries = typeof item === 'object' && item !== null ? Object.entries(item) : []
  const [itemType, items] = entries[0] ?? ['', undefined]
  if (entries.length !== 1 || !isValueType(itemType)) {
    throw new KilnError('TYPE', `${what} is no array with its item type, such as {"int32":[1,2]}`)
  }
  return parseArray(itemType, items, what, depth)
}

function parseNumbers(
  type: GgufNumberType,
  list: readonly unknown[],
  what: string,
  bad: (i: number) => KilnError,
): GgufNumbers {
  const numbers = new numberArrays[type](list.length)
  // NaNs are put in by their bits: a number that passes through a float register may lose its payload.
  const words =
    type === 'float32'
      ? new Uint32Array(numbers.buffer)
      : type === 'float64'
        ? new BigUint64Array(numbers.buffer)
        : undefined
  for (let i = 0; i < list.length; i++) {
    const item = list[i]
    // As JSON has it, a number over 2^53 may have been rounded: it has to be text.
    const isFloat = words !== undefined
    if (typeof item !== 'string' && !(typeof item === 'number' && (isFloat || Number.isSafeInteger(item)))) throw bad(i)
    const value = parseScalar(type, Object.is(item, -0) ? '-0' : String(item), `item ${i} of ${what}`)
    const bits = 'bits' in value ? value.bits : undefined
    if (bits === undefined) numbers[i] = value.value as number & bigint
    else if (words instanceof Uint32Array) words[i] = Number(bits)
    else words![i] = bits
  }
  return numbers
}
