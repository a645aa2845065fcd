import { isNumberName } from '../bytes/elements.js'
import type { Schema } from '../schema/types.js'
import { bySchema } from './by-schema.js'
import { readersFrom, type Read, type Readers } from './codec.js'
import { dictReader } from './dict.js'
import { listReader } from './list.js'
import { numbersReaders } from './numbers.js'
import { optionReader } from './option.js'
import { scalarReads } from './scalar-read.js'
import { minSizeOf } from './sizes.js'
import { structReader } from './struct.js'
import { readTensors, viewTensors } from './tensors.js'
import { readBytes, readString, viewBytes } from './text.js'

/**
 * The readers of a schema. They know nothing of writing, so that a program which only reads is bundled without it.
 * `SCHEMA` for what is no schema.
 */
export const readersOf: (schema: Schema) => Readers = /* @__PURE__ */ bySchema(make)

function make(schema: Schema): Readers {
  switch (schema.kind) {
    case 'string':
      return { read: readString, view: readString }
    case 'bytes':
      return { read: readBytes, view: viewBytes }
    case 'tensors':
      return { read: readTensors, view: viewTensors }
    case 'list': {
      const { element } = schema
      if (isNumberName(element.kind)) return numbersReaders(element.kind)
      const minSize = minSizeOf(element)
      return readersFrom([readersOf(element)], ([read]) => listReader(read!, minSize))
    }
    case 'dict': {
      const minSize = minSizeOf(schema.key) + minSizeOf(schema.value)
      return readersFrom([readersOf(schema.key), readersOf(schema.value)], ([key, value]) => dictReader(key!, value!, minSize))
    }
    case 'option':
      return readersFrom([readersOf(schema.some)], ([some]) => optionReader(some!))
    case 'struct': {
      const { names, fields } = schema
      return fieldsReaders(names, names.map((name) => fields[name]!))
    }
    default: {
      const read: Read = scalarReads[schema.kind]
      return { read, view: read }
    }
  }
}

/** Reads fields that stand one behind the other, as a struct's. */
export function fieldsReaders(names: readonly string[], schemas: readonly Schema[]): Readers {
  return readersFrom(schemas.map(readersOf), (reads) => structReader(names, reads))
}
