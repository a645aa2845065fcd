import { open, type ByteSource, type LazyModel, type LazyTensor, type Schema } from 'kiln-format'
import type { Omission } from 'kiln-convert'
import type { SourceFile } from 'kiln-format/node'
import type { AnyModel, AnyTensor } from './model.js'

/** A Kiln file as a model, and what only a Kiln file has. */
export interface KilnModel extends AnyModel {
  readonly format: 'kiln'
  readonly lazy: LazyModel
}

/**
 * A Kiln file that is a bare directory, or one frame whose value begins with tensors, as a model. Only its table is
 * read. The model closes the source.
 */
export async function openKilnModel(input: string, source: ByteSource, files: readonly SourceFile[], schema?: Schema): Promise<KilnModel> {
  const lazy = await open(source, { schemas: schema })
  return {
    input,
    format: 'kiln',
    size: source.size,
    tensors: Array.from(lazy, (tensor) => anyTensor(tensor, lazy.offset)),
    metadata: lazy.metadata,
    omitted: fieldsBeyond(lazy),
    files,
    lazy,
    close: () => lazy.close(),
  }
}

function anyTensor(tensor: LazyTensor, start: number): AnyTensor {
  const { name, dtype, shape, byteLength, scheme, axis, groupSize, checksum, scale, outer } = tensor
  return {
    name,
    dtype,
    shape,
    byteLength,
    ...(scale === undefined ? {} : { scale: scale.index, axis, groupSize }),
    ...(outer === undefined ? {} : { outer: outer.index }),
    ...(checksum === undefined ? {} : { checksum: true }),
    chunks: (options) => tensor.chunks(options),
    kiln: { scheme, axis, groupSize, checksum, offset: start + tensor.byteOffset },
  }
}

/** Fields of a frame that are neither its tensors nor a model file's metadata. */
function fieldsBeyond({ schema, fields }: LazyModel): Omission[] {
  if (schema?.kind !== 'struct') return []
  return Object.keys(fields)
    .filter((name) => name !== 'metadata' || schema.fields[name]?.text !== 'dict<string,string>')
    .map((name) => ({ name, reason: `a field of the frame (${schema.fields[name]?.text}); kiln decode shows it` }))
}
