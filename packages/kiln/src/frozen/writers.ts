import { isNumberName } from '../bytes/elements.js'
import type { Schema } from '../schema/types.js'
import { bySchema } from './by-schema.js'
import type { Write } from './codec.js'
import { dictWriter } from './dict.js'
import { listWriter } from './list.js'
import { numbersWriter } from './numbers.js'
import { optionWriter } from './option.js'
import { scalarWrites } from './scalar-write.js'
import { structWriter } from './struct.js'
import { writeTensors } from './tensors.js'
import { writeBytes, writeString } from './text.js'

/** The writer of a schema. `SCHEMA` for what is no schema. */
export const writerOf: (schema: Schema) => Write = /* @__PURE__ */ bySchema(make)

function make(schema: Schema): Write {
  switch (schema.kind) {
    case 'string':
      return writeString
    case 'bytes':
      return writeBytes
    case 'tensors':
      return writeTensors
    case 'list':
      return isNumberName(schema.element.kind) ? numbersWriter(schema.element.kind) : listWriter(writerOf(schema.element))
    case 'dict':
      return dictWriter(schema.key.kind, writerOf(schema.key), writerOf(schema.value))
    case 'option':
      return optionWriter(writerOf(schema.some))
    case 'struct':
      return structWriter(schema.names, schema.names.map((name) => writerOf(schema.fields[name]!)))
    default:
      return scalarWrites[schema.kind]
  }
}
