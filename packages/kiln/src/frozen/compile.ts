import { isNumberName } from '../bytes/elements.js'
import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { isSchema } from '../schema/build.js'
import type { Schema } from '../schema/types.js'
import type { TypeCodec } from './codec.js'
import { dictCodec } from './dict.js'
import { listCodec } from './list.js'
import { numbersCodec } from './numbers.js'
import { optionCodec } from './option.js'
import { scalarCodecs } from './scalar.js'
import { structCodec } from './struct.js'
import { tensorsCodec } from './tensors.js'
import { bytesCodec, stringCodec } from './text.js'

// A cache by identity of objects that can't change: nothing that a call does can spoil it.
const compiled = new WeakMap<Schema, TypeCodec>()

/** The readers and the writer of a schema, made when they are first asked for and kept as long as the schema. */
export function codecOf(schema: Schema): TypeCodec {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  if (!isSchema(schema)) throw new KilnError('SCHEMA', `a schema expected, such as k.struct({…}); got ${describe(schema)}`)
  const codec = make(schema)
  compiled.set(schema, codec)
  return codec
}

function make(schema: Schema): TypeCodec {
  switch (schema.kind) {
    case 'string':
      return stringCodec
    case 'bytes':
      return bytesCodec
    case 'tensors':
      return tensorsCodec
    case 'list':
      return isNumberName(schema.element.kind) ? numbersCodec(schema.element.kind) : listCodec(codecOf(schema.element))
    case 'dict':
      return dictCodec(schema.key, codecOf(schema.key), codecOf(schema.value))
    case 'option':
      return optionCodec(codecOf(schema.some))
    case 'struct':
      return structCodec(schema.names.map((name) => ({ name, codec: codecOf(schema.fields[name]!), optional: schema.fields[name]!.kind === 'option' })))
    default:
      return scalarCodecs[schema.kind]
  }
}
