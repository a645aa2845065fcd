import { elementType, isNumberName } from '../bytes/elements.js'
import { checkMemory, toBytes } from '../bytes/input.js'
import { byteReader, checkEnd, takeCount, type ByteReader } from '../bytes/reader.js'
import { KilnError, within } from '../errors/kiln-error.js'
import { resolveSettings, type DecodeOptions, type Int64 } from '../limits/limits.js'
import type { Infer, Viewed } from '../schema/infer.js'
import { checkSchema } from '../schema/is-schema.js'
import type { List, Schema } from '../schema/types.js'
import type { Read } from './codec.js'
import type { ByteInput } from './decode.js'
import { readersOf } from './readers.js'
import { minSizeOf } from './sizes.js'

/**
 * Goes through a list without building the array: `for (const row of iterate(k.list(Row), bytes))`. Each element is
 * owned, as by `decode`, and read when it is asked for. The count is checked at the first element and the end of the
 * input after the last (`TRAILING`), so elements before a fault are given; leaving the loop early looks at nothing more.
 */
export function iterate<E extends Schema, const I extends Int64 = 'bigint'>(
  schema: List<E>,
  bytes: ByteInput,
  options?: DecodeOptions<I>,
): Generator<Infer<E, I>, undefined> {
  return elements(schema, bytes, options, 'read') as Generator<Infer<E, I>, undefined>
}

/** As {@link iterate}; lists of numbers and bytes in an element point into the input, as by `view`. */
export function iterateView<E extends Schema, const I extends Int64 = 'bigint'>(
  schema: List<E>,
  bytes: ByteInput,
  options?: DecodeOptions<I>,
): Generator<Viewed<E, I>, undefined> {
  return elements(schema, bytes, options, 'view') as Generator<Viewed<E, I>, undefined>
}

function elements(schema: List, bytes: ByteInput, options: DecodeOptions | undefined, how: 'read' | 'view'): Generator<unknown, undefined> {
  checkSchema(schema)
  if (schema.kind !== 'list') throw new KilnError('SCHEMA', `iterate goes through a list, the schema is ${(schema as Schema).text}`)
  const r = byteReader(toBytes(bytes), resolveSettings(options))
  const { element } = schema
  return eachElement(r, element, readersOf(element)[how])
}

// Not within the function above: a generator that is made anew for each call takes a microsecond.
function* eachElement(r: ByteReader, element: Schema, read: Read): Generator<unknown, undefined> {
  checkMemory(r.bytes, r.end)
  const count = isNumberName(element.kind)
    ? takeCount(r, elementType(element.kind).width, 'numbers')
    : takeCount(r, minSizeOf(element), 'count')
  for (let i = 0; i < count; i++) {
    let value: unknown
    try {
      value = read(r)
    } catch (error) {
      throw within(error, i)
    }
    yield value
    // Whose loop this is may have sent the bytes to a Worker meanwhile.
    checkMemory(r.bytes, r.end)
  }
  checkEnd(r, 'list')
  return undefined
}
