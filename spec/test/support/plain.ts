import { canonicalText } from '../../reference/schema-hash.js'
import { parseSchemaText } from '../../reference/schema-text.js'
import type { CaseValue } from '../../reference/case-values.js'
import type { Schema } from '../../reference/schema-tree.js'

type Object = { readonly [key: string]: CaseValue }

/** A value in which every scalar NaN is the same, since scalar NaNs compare as "is a NaN". */
export function plain(schema: string, value: CaseValue): CaseValue {
  return plainOf(parseSchemaText(schema), value)
}

export function plainOf(schema: Schema, value: CaseValue): CaseValue {
  switch (schema.kind) {
    case 'word': {
      if (schema.word !== 'f32' && schema.word !== 'f64') return value
      const bits = BigInt(`0x${(value as Object)['bits'] as string}`)
      const [width, infinity] = schema.word === 'f32' ? [32n, 0x7f800000n] : [64n, 0x7ff0000000000000n]
      return bits % 2n ** (width - 1n) > infinity ? { bits: 'nan' } : value
    }
    case 'list':
      return Array.isArray(value) ? (value as CaseValue[]).map((item) => plainOf(schema.element, item)) : value
    case 'dict':
      return (value as [CaseValue, CaseValue][]).map(([k, v]) => [k, plainOf(schema.value, v)])
    case 'option':
      return value === null ? null : plainOf(schema.inner, value)
    case 'struct':
      return Object.fromEntries(schema.fields.map(({ name, type }) => [name, plainOf(type, (value as Object)[name]!)]))
  }
}

/** A schema tree of the reference, as the text that the library takes. */
export function textOf(schema: Schema): string {
  return canonicalText(schema)
}
