import type { Schema } from 'kiln-format'
import type { LeafModel, TypeModel } from './model.js'

/** The model of a Kiln schema, which has no names for its structs and no comments. */
export function modelOfSchema(schema: Schema): TypeModel {
  switch (schema.kind) {
    case 'list':
      return { kind: 'list', element: modelOfSchema(schema.element) }
    case 'dict':
      return { kind: 'dict', key: { kind: schema.key.kind } satisfies LeafModel, value: modelOfSchema(schema.value) }
    case 'option':
      return { kind: 'option', some: modelOfSchema(schema.some), absent: true, nullable: true }
    case 'struct':
      return {
        kind: 'struct',
        fields: schema.names.map((name) => ({ name, type: modelOfSchema(schema.fields[name]!), docs: {} })),
        docs: {},
      }
    default:
      return { kind: schema.kind }
  }
}
