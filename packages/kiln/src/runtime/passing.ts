import type { ByteReader } from '../bytes/reader.js'
import { KilnError } from '../errors/kiln-error.js'
import { seekTensors } from '../frozen/seek.js'
import { skipperOf } from '../frozen/skip.js'
import { parseSchema } from '../schema/parse.js'
import type { Schema } from '../schema/types.js'

// Texts are constants of generated modules, so this grows with the code and not with the input. Parsing one takes
// longer than most messages do, and a sender of bad ones should not be able to ask for it each time.
const schemas = new Map<string, Schema>()

/**
 * Why values from the cursor on can't be passed over, where generated code found one of its comparisons to fail. They
 * are gone through again, with the checks in their order; `text` is the schema of them all, fields of one struct.
 */
export function passFault(r: ByteReader, text: string): unknown {
  return faultOf(r, () => skipperOf(schemaOf(text))(r))
}

/** As {@link passFault}, on the way to the first directory. */
export function seekFault(r: ByteReader, text: string): unknown {
  return faultOf(r, () => seekTensors(schemaOf(text), r))
}

function schemaOf(text: string): Schema {
  let schema = schemas.get(text)
  if (schema === undefined) {
    schema = parseSchema(text)
    schemas.set(text, schema)
  }
  return schema
}

function faultOf(r: ByteReader, walk: () => unknown): unknown {
  const at = r.pos
  try {
    walk()
  } catch (error) {
    return error
  }
  // Another thread can write to shared memory; what was wrong with it is no longer known.
  return new KilnError('EOF', 'the bytes have changed while they were read', at)
}
