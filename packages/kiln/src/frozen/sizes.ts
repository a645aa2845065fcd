import { elementType, isNumberName } from '../bytes/elements.js'
import type { Schema } from '../schema/types.js'
import { HEADER_SIZE } from '../tensors/header.js'

/** The fewest bytes that a value of a schema takes (FORMAT §2), without a codec made for it. */
export function minSizeOf(schema: Schema): number {
  switch (schema.kind) {
    case 'string':
    case 'bytes':
    case 'list':
    case 'dict':
      return 4
    case 'tensors':
      return HEADER_SIZE
    case 'option':
      return 1
    case 'struct':
      return schema.names.reduce((sum, name) => sum + minSizeOf(schema.fields[name]!), 0)
    default:
      return fixedSizeOf(schema)!
  }
}

/** Bytes of every value of a schema, or undefined if they differ from value to value. */
export function fixedSizeOf(schema: Schema): number | undefined {
  switch (schema.kind) {
    case 'bool':
      return 1
    case 'struct': {
      let sum = 0
      for (const name of schema.names) {
        const size = fixedSizeOf(schema.fields[name]!)
        if (size === undefined) return undefined
        sum += size
      }
      return sum
    }
    default:
      return isNumberName(schema.kind) ? elementType(schema.kind).width : undefined
  }
}
