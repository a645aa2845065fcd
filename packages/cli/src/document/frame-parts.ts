import { encodeFrameParts, type Schema } from 'kiln-format'
import { bitsSchema } from '../notation/bits.js'

const HASH_AT = 16
const TEXT_AT = 32

/**
 * A frame of a value whose scalar floats are given as their bits. The body is written by the schema of bits, and its
 * header then gets the schema's own hash and text, which is as long.
 */
export function framePartsOfBits(schema: Schema, bits: unknown, flags: number): Uint8Array[] {
  const embedded = flags % 2 === 1
  const parts = encodeFrameParts(bitsSchema(schema), bits, { schema: embedded, checksum: flags >= 2 })
  const header = parts[0]!
  new DataView(header.buffer, header.byteOffset, header.byteLength).setBigUint64(HASH_AT, schema.hash, true)
  if (embedded) for (let i = 0; i < schema.text.length; i++) header[TEXT_AT + i] = schema.text.charCodeAt(i)
  return parts
}
