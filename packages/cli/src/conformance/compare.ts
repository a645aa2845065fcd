import { k, type Schema } from 'kiln-format'

/** Where two values of the notation differ first. */
export interface Difference {
  readonly path: string
  readonly expected: unknown
  readonly came: unknown
}

type Found = Difference | undefined

/**
 * The first difference between two values of the notation, read by their schema: struct fields in any order, hex
 * digits in either case, and a scalar NaN equal to any other. Undefined if there is none.
 */
export function differenceOf(schema: Schema, expected: unknown, came: unknown, path = ''): Found {
  switch (schema.kind) {
    case 'f32':
    case 'f64':
      return isNaNBits(schema.kind, expected) && isNaNBits(schema.kind, came) ? undefined : plainDifference(expected, came, path)
    case 'list':
      if (!Array.isArray(expected) || !Array.isArray(came)) return plainDifference(expected, came, path)
      return lengthDifference(expected, came, path) ??
        first(expected, (item, i) => differenceOf(schema.element, item, came[i], `${path}[${i}]`))
    case 'dict':
      if (!isPairs(expected) || !isPairs(came)) return plainDifference(expected, came, path)
      return lengthDifference(expected, came, path) ??
        first(expected, ([key, item], i) =>
          differenceOf(schema.key, key, came[i]![0], `${path}[${i}][0]`) ?? differenceOf(schema.value, item, came[i]![1], `${path}[${i}][1]`))
    case 'option':
      if (expected === null || came === null) return plainDifference(expected, came, path)
      return differenceOf(schema.some, expected, came, path)
    case 'struct':
      return structDifference(schema, expected, came, path)
    default:
      return plainDifference(expected, came, path)
  }
}

function structDifference(schema: Extract<Schema, { kind: 'struct' }>, expected: unknown, came: unknown, path: string): Found {
  if (!isObject(expected) || !isObject(came) || Object.keys(expected).length !== Object.keys(came).length) {
    return plainDifference(expected, came, path)
  }
  return first(schema.names, (name) => differenceOf(schema.fields[name] ?? k.bool, expected[name], came[name], path === '' ? name : `${path}.${name}`))
}

/** The first difference of JSON values; strings that are hex digits are the same in either case. */
export function plainDifference(expected: unknown, came: unknown, path = ''): Found {
  if (Array.isArray(expected) && Array.isArray(came)) {
    return lengthDifference(expected, came, path) ?? first(expected, (item, i) => plainDifference(item, came[i], `${path}[${i}]`))
  }
  if (isObject(expected) && isObject(came)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(came)])]
    return first(names, (name) => {
      const inner = `${path}${path === '' ? '' : '.'}${name}`
      const isHex = (name === 'hex' || name === 'data' || name === 'bits') && typeof expected[name] === 'string'
      return plainDifference(isHex ? (expected[name] as string).toLowerCase() : expected[name], came[name], inner)
    })
  }
  return Object.is(expected, came) ? undefined : { path, expected, came }
}

function first<T>(items: readonly T[], differ: (item: T, index: number) => Found): Found {
  for (let i = 0; i < items.length; i++) {
    const found = differ(items[i]!, i)
    if (found !== undefined) return found
  }
  return undefined
}

function lengthDifference(expected: readonly unknown[], came: readonly unknown[], path: string): Found {
  return expected.length === came.length ? undefined : { path: `${path}.length`, expected: expected.length, came: came.length }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPairs(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)
}

/** Whether `{"bits": …}` are those of a NaN: the exponent all ones, the mantissa not zero. */
function isNaNBits(kind: 'f32' | 'f64', value: unknown): boolean {
  if (!isObject(value) || typeof value['bits'] !== 'string' || !/^[0-9a-f]+$/i.test(value['bits'])) return false
  const [signless, infinity] = kind === 'f32' ? [2n ** 31n, 0x7f80_0000n] : [2n ** 63n, 0x7ff0_0000_0000_0000n]
  return BigInt(`0x${value['bits']}`) % signless > infinity
}
