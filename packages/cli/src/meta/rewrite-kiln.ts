import { crc32, encode, k, KilnError, view, type ByteSink, type LazyModel, type Schema } from 'kiln-format'
import { bitsSchema } from '../notation/bits.js'

const PIECE = 2 ** 20
const CHECKSUM_AT = 12
const BODY_LENGTH_AT = 24
const FLAG_CHECKSUM = 2

/** A sink that can go back, as that of a file can. */
export type PatchableSink = ByteSink & { patch(offset: number, bytes: Uint8Array): Promise<void> }

/**
 * Writes a model file again with other metadata. The head, the whole tensor block (gaps too) and all other fields are
 * copied bit for bit; only the metadata, the body's length and its checksum are new.
 */
export async function rewriteKiln(model: LazyModel, metadata: ReadonlyMap<string, string>, sink: PatchableSink): Promise<number> {
  const { schema, source, offset } = model
  if (schema?.kind !== 'struct' || schema.fields['metadata']?.text !== 'dict<string,string>') {
    throw new KilnError('SCHEMA', 'this file has no field metadata:dict<string,string>; kiln convert makes a model file of it, which has')
  }
  const head = (await source.read(0, offset)).slice()
  const rest = await restOfBody(model, schema, metadata)
  const headView = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const checked = head[5]! >= FLAG_CHECKSUM
  headView.setBigUint64(BODY_LENGTH_AT, BigInt(model.byteLength + rest.length), true)
  await sink.write(head)
  let checksum = 0
  for (let at = 0; at < model.byteLength; at += PIECE) {
    const piece = await source.read(offset + at, Math.min(PIECE, model.byteLength - at))
    if (checked) checksum = crc32(piece, checksum)
    await sink.write(piece)
  }
  await sink.write(rest)
  if (checked) {
    const word = new Uint8Array(4)
    new DataView(word.buffer).setUint32(0, crc32(rest, checksum), true)
    await sink.patch(CHECKSUM_AT, word)
  }
  return head.length + model.byteLength + rest.length
}

/** The fields behind the tensors, as they were but for the metadata. */
async function restOfBody(model: LazyModel, schema: Extract<Schema, { kind: 'struct' }>, metadata: ReadonlyMap<string, string>): Promise<Uint8Array> {
  const fields = k.struct(schema.names.slice(1).map((name) => [name, bitsSchema(schema.fields[name]!)] as const))
  const start = model.offset + model.byteLength
  const bytes = await model.source.read(start, model.source.size - start)
  const value = view(fields, bytes) as Record<string, unknown>
  return encode(fields, { ...value, metadata })
}
