import { takeCount, type ByteReader } from '../bytes/reader.js'
import type { Schema } from '../schema/types.js'
import { codecOf } from './compile.js'
import { readFlag } from './scalar-read.js'
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
    case 'list': {
      const count = takeCount(r, codecOf(schema.element).minSize, 'count')
      for (let i = 0; i < count; i++) if (seekTensors(schema.element, r)) return true
      return false
    }
    case 'dict': {
      const skipKey = skipperOf(schema.key)
      const count = takeCount(r, codecOf(schema.key).minSize + codecOf(schema.value).minSize, 'count')
      for (let i = 0; i < count; i++) {
        skipKey(r)
        if (seekTensors(schema.value, r)) return true
      }
      return false
    }
    case 'struct':
      return schema.names.some((name) => seekTensors(schema.fields[name]!, r))
    default:
      return false
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
