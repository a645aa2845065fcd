import { takeCount, type ByteReader } from '../bytes/reader.js'
import { within, type PathStep } from '../errors/kiln-error.js'
import type { Schema } from '../schema/types.js'
import { readFlag } from './scalar-read.js'
import { minSizeOf } from './sizes.js'
import { skipperOf } from './skip.js'

/**
 * Moves the cursor to the first directory in a value and says true, or past a value that has none and says false.
 * Passes over what stands before by its lengths, as `skipperOf` does.
 */
export function seekTensors(schema: Schema, r: ByteReader): boolean {
  if (!hasTensors(schema)) {
    skipperOf(schema)(r)
    return false
  }
  switch (schema.kind) {
    case 'tensors':
      return true
    case 'option':
      return readFlag(r, 'option tag') && seekTensors(schema.some, r)
    case 'list':
      return seekElements([schema.element], r)
    case 'dict':
      return seekElements([schema.key, schema.value], r)
    case 'struct':
      return schema.names.some((name) => seekIn(name, schema.fields[name]!, r))
    default:
      return false
  }
}

/** A count, and so many elements of these parts. */
function seekElements(parts: readonly Schema[], r: ByteReader): boolean {
  const minSize = parts.reduce((sum, part) => sum + minSizeOf(part), 0)
  const count = takeCount(r, minSize, 'count')
  for (let i = 0; i < count; i++) if (parts.some((part) => seekIn(i, part, r))) return true
  return false
}

function seekIn(step: PathStep, schema: Schema, r: ByteReader): boolean {
  try {
    return seekTensors(schema, r)
  } catch (error) {
    throw within(error, step)
  }
}

/** Whether values of the schema can have a directory. */
export function hasTensors(schema: Schema): boolean {
  switch (schema.kind) {
    case 'tensors':
      return true
    case 'option':
      return hasTensors(schema.some)
    case 'list':
      return hasTensors(schema.element)
    case 'dict':
      return hasTensors(schema.value)
    case 'struct':
      return schema.names.some((name) => hasTensors(schema.fields[name]!))
    default:
      return false
  }
}
