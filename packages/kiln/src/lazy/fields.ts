import { byteReader, checkEnd } from '../bytes/reader.js'
import { KilnError, moved, within } from '../errors/kiln-error.js'
import { fieldsReaders } from '../frozen/readers.js'
import type { Settings } from '../limits/limits.js'
import type { Schema, Struct } from '../schema/types.js'
import type { TensorTable } from '../tensors/table.js'
import type { FrameHead } from './frame-head.js'
import { openTable } from './open-table.js'
import type { SourceWindow } from './window.js'

/** The fields behind the first one, in order. */
export type Fields = Readonly<Record<string, unknown>>

/** The directory that a frame's body begins with, and what follows it. */
export interface TensorsAndFields {
  readonly table: TensorTable
  readonly fields: Fields
  /** The fields' bytes, and where they begin in the source. */
  readonly bytes: Uint8Array
  readonly start: number
}

/** Whether a body of this schema begins with a directory: `tensors` itself, or a struct whose first field it is. */
export function beginsWithTensors(schema: Schema): boolean {
  return schema.kind === 'tensors' || (schema.kind === 'struct' && firstField(schema).kind === 'tensors')
}

function firstField(schema: Struct): Schema {
  return schema.fields[schema.names[0]!]!
}

/**
 * Reads the body of a frame that begins with a directory, without its payloads: the table, then the other fields, all
 * at once; those that take over `limit` bytes are `LIMIT`.
 */
export async function readTensorsAndFields(
  window: SourceWindow,
  head: FrameHead,
  settings: Settings,
  limit: number,
): Promise<TensorsAndFields> {
  const { schema, bodyStart, end } = head
  const table = await openTable(window, bodyStart, end - bodyStart, settings).catch((error: unknown) => {
    throw schema.kind === 'struct' ? within(error, schema.names[0]!) : error
  })
  const start = bodyStart + table.totalSize
  const rest = schema.kind === 'struct' ? schema.names.slice(1) : []
  if (end - start > limit && rest.length > 0) {
    throw new KilnError(
      'LIMIT',
      `the fields behind the tensors take ${end - start} bytes, over ${limit}; raise fieldsLimit if that is meant`,
      start,
    )
  }
  const bytes = await window.take(start, rest.length > 0 ? end - start : 0)
  const r = byteReader(bytes, settings)
  try {
    const fields = fieldsReaders(rest, rest.map((name) => (schema as Struct).fields[name]!)).read(r)
    // Not the bytes that are here: without further fields none were read.
    r.end = end - start
    checkEnd(r, 'body of the frame')
    return { table, fields: Object.freeze(fields as Fields), bytes, start }
  } catch (error) {
    throw moved(error, start)
  }
}
