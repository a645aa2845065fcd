import { k } from '../schema/build.js'
import type { Schema } from '../schema/types.js'
import type { TensorTable } from '../tensors/table.js'
import { SourceDirectory, type LazyDirectory } from './directory.js'
import type { Fields } from './fields.js'
import type { PayloadReader } from './payloads.js'

/** The schema of a model file (FORMAT §7). */
export const modelSchema = k.struct({ tensors: k.tensors, metadata: k.dict(k.string, k.string) })

/** A file of tensors: a model file, another frame that begins with tensors, or a bare directory. */
export interface LazyModel extends LazyDirectory {
  /** The frame's schema; undefined for a bare directory. */
  readonly schema: Schema | undefined
  /** The texts of a `metadata: dict<string,string>`, as model files have it; else empty. */
  readonly metadata: ReadonlyMap<string, string>
  /** The values of the fields behind the tensors, `metadata` too, as `decode` gives them. */
  readonly fields: Fields
}

export class SourceModel extends SourceDirectory implements LazyModel {
  readonly schema: Schema | undefined
  readonly metadata: ReadonlyMap<string, string>
  readonly fields: Fields

  constructor(
    table: TensorTable,
    reader: PayloadReader,
    keepOpen: boolean,
    schema: Schema | undefined,
    fields: Fields,
  ) {
    super(table, reader, keepOpen)
    this.schema = schema
    this.fields = fields
    this.metadata = metadataOf(schema, fields)
  }
}

function metadataOf(schema: Schema | undefined, fields: Fields): ReadonlyMap<string, string> {
  const field =
    schema?.kind === 'struct' && Object.hasOwn(schema.fields, 'metadata') ? schema.fields['metadata'] : undefined
  return field?.text === 'dict<string,string>' && fields['metadata'] instanceof Map
    ? (fields['metadata'] as Map<string, string>)
    : new Map()
}
