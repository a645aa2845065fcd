import { checkSchema } from '../schema/is-schema.js'
import type { Schema } from '../schema/types.js'

/**
 * What is made of a schema once, when it is first asked for, and kept as long as the schema: by identity of objects that
 * can't change, so that nothing that a call does can spoil it. `SCHEMA` for what is no schema.
 */
export function bySchema<T extends object>(make: (schema: Schema) => T): (schema: Schema) => T {
  const made = new WeakMap<Schema, T>()
  return (schema) => {
    const known = made.get(schema)
    if (known !== undefined) return known
    checkSchema(schema)
    const value = make(schema)
    made.set(schema, value)
    return value
  }
}
