import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { Schema } from './types.js'

/** Whether a value is a schema, of this copy of the library or of another. */
export function isSchema(value: unknown): value is Schema {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return false
  const { kind, text, depth } = value as Partial<Schema>
  return typeof kind === 'string' && typeof text === 'string' && typeof depth === 'number'
}

/** Throws `SCHEMA` for what is none. */
export function checkSchema(value: unknown): asserts value is Schema {
  if (!isSchema(value)) throw new KilnError('SCHEMA', `a schema expected, such as k.struct({…}); got ${describe(value)}`)
}
