import { k, type KeySchema, type Schema } from 'kiln-format'
import type { TypeModel } from './model.js'

/**
 * The Kiln schema of a model. A type that is used in many places is made once: documents whose references fan
 * out at every level stay cheap.
 */
export function schemaOfModel(model: TypeModel, made: Map<TypeModel, Schema> = new Map()): Schema {
  const known = made.get(model)
  if (known !== undefined) return known
  const schema = build(model, made)
  made.set(model, schema)
  return schema
}

function build(model: TypeModel, made: Map<TypeModel, Schema>): Schema {
  switch (model.kind) {
    case 'list':
      return k.list(schemaOfModel(model.element, made))
    case 'dict':
      return k.dict(schemaOfModel(model.key, made) as KeySchema, schemaOfModel(model.value, made))
    case 'option':
      return k.option(schemaOfModel(model.some, made))
    case 'struct':
      return k.struct(model.fields.map((field) => [field.name, schemaOfModel(field.type, made)] as const))
    default:
      return k[model.kind]
  }
}
