import { viewOf } from '../bytes/view-of.js'
import { FLAG_CHECKSUM, FLAG_SCHEMA, headerSizeFor, writeFixedHeader } from '../frame/header.js'
import * as frameFields from '../frame/frame-fields.js'
import { modelSchema } from '../lazy/model.js'

/** The header of a model file's frame (FORMAT §6), with its schema's text. */
export function modelHead(bodyLength: number, checksum: number | undefined): Uint8Array {
  const { text, hash } = modelSchema
  const headerSize = headerSizeFor(text)
  const bytes = new Uint8Array(headerSize)
  writeFixedHeader(viewOf(bytes), {
    flags: FLAG_SCHEMA + (checksum === undefined ? 0 : FLAG_CHECKSUM),
    headerSize,
    checksum: checksum ?? 0,
    hash,
    bodyLength,
  })
  for (let i = 0; i < text.length; i++) bytes[frameFields.text + i] = text.charCodeAt(i)
  return bytes
}
