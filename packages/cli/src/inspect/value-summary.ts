import { k, view, type Directory, type Schema } from 'kiln-format'
import { numberOf } from 'kiln-format/numeric'
import { isNumberSchema } from '../notation/number-kind.js'
import { brief } from '../terminal/shape-text.js'
import { counted, sizeText } from '../terminal/units.js'

/** A field of a frame's struct. */
export interface FieldRow {
  readonly name: string
  readonly type: string
  /** What is in it, in a few words. */
  readonly value?: string
}

/** The fields of a frame's schema; of a body that was read, with what is in them. A body that is no struct is one row. */
export function fieldRows(schema: Schema, body: Uint8Array | undefined): FieldRow[] {
  const value: unknown = body === undefined ? undefined : view(schema, body)
  const row = (name: string, type: Schema, of: (value: unknown) => unknown): FieldRow =>
    ({ name, type: type.text, ...(body === undefined ? {} : { value: summaryOf(type, of(value)) }) })
  if (schema.kind !== 'struct') return [row('', schema, (whole) => whole)]
  return schema.names.map((name) => row(name, schema.fields[name] ?? k.bool, (whole) => (whole as Record<string, unknown>)[name]))
}

function summaryOf(schema: Schema, value: unknown): string {
  switch (schema.kind) {
    case 'string':
      return brief(JSON.stringify(value))
    case 'bytes':
      return sizeText((value as Uint8Array).length)
    case 'tensors':
      return `${counted((value as Directory).length, 'tensor')}, ${sizeText((value as Directory).byteLength)}`
    case 'list':
      return counted((value as { length: number }).length, isNumberSchema(schema.element) ? 'number' : 'element')
    case 'dict':
      return counted((value as Map<unknown, unknown>).size, 'pair')
    case 'option':
      return value === undefined ? 'none' : summaryOf(schema.some, value)
    case 'struct':
      return counted(schema.names.length, 'field')
    case 'f16':
    case 'bf16':
      // A reader gives the code; what it stands for is what people look for.
      return `${numberText(numberOf(schema.kind, value as number))} (0x${(value as number).toString(16).padStart(4, '0')})`
    default:
      return numberText(value)
  }
}

function numberText(value: unknown): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
