import { align64, available, cursorOver, isAllZero, readUint, take } from './bytes.js'
import { type ReadRules, TEXT_CAP } from './caps.js'
import type { CaseValue } from './case-values.js'
import { crc32 } from './crc32.js'
import { must } from './error.js'
import { readFrozen } from './frozen-read.js'
import { canonicalText, hashOf } from './schema-hash.js'
import { parseSchemaBytes } from './schema-text.js'
import type { Schema } from './schema-tree.js'

/** What a frame holds. */
export interface Frame {
  readonly schema: Schema
  readonly value: CaseValue
  readonly flags: number
}

/** One frame that stands alone (FORMAT §6). `caller` is undefined where no schema is given. */
export function readFrame(bytes: Uint8Array, caller: Schema | undefined, rules: ReadRules): Frame {
  const cursor = cursorOver(bytes)
  // Step 1
  must(available(cursor) >= 32n, 'EOF', 'a frame begins with 32 bytes')
  must(String.fromCharCode(...take(cursor, 4n)) === 'KILF', 'FRAME', 'magic')
  must(readUint(cursor, 1) === 1n, 'FRAME', 'version')
  const flags = readUint(cursor, 1)
  must(flags <= 3n, 'FRAME', 'unknown flags')
  const withSchema = flags === 1n || flags === 3n
  const withChecksum = flags === 2n || flags === 3n
  must(readUint(cursor, 2) === 0n, 'FRAME', 'reserved')
  const headerSize = readUint(cursor, 4)
  if (withSchema) must(headerSize % 64n === 0n && headerSize >= 64n, 'FRAME', 'header_size with a schema')
  else must(headerSize === 32n, 'FRAME', 'header_size without a schema')
  const checksum = readUint(cursor, 4)
  must(withChecksum || checksum === 0n, 'FRAME', 'a checksum without its flag')
  const hash = readUint(cursor, 8)
  const bodyLength = readUint(cursor, 8)
  must(headerSize <= align64(32n + BigInt(TEXT_CAP)), 'LIMIT', 'header_size')
  const rest = take(cursor, headerSize - 32n)

  // Step 2
  const own = withSchema ? ownSchema(rest) : undefined
  must(own === undefined || hashOf(own) === hash, 'FRAME', "the hash is not the schema's")

  // Step 3
  if (caller !== undefined) {
    must(hashOf(caller) === hash, 'FRAME', "another schema than the caller's")
    must(own === undefined || canonicalText(own) === canonicalText(caller), 'FRAME', 'a schema of equal hash')
  }
  const schema = own ?? caller
  must(schema !== undefined, 'SCHEMA', 'no schema')

  // Step 4
  must(rules.caps.body === undefined || bodyLength <= rules.caps.body, 'LIMIT', 'body_length')
  const body = take(cursor, bodyLength)
  must(!withChecksum || crc32(body) === checksum, 'CHECKSUM', 'the body')

  // Step 5
  const value = readFrozen(schema, body, rules)
  must(available(cursor) === 0n, 'TRAILING', 'bytes after the frame')
  return { schema, value, flags: Number(flags) }
}

/** The schema in a header, from the bytes behind the first 32. */
function ownSchema(rest: Uint8Array): Schema {
  const zero = rest.indexOf(0)
  const length = zero === -1 ? rest.length : zero
  const padding = rest.slice(length)
  must(isAllZero(padding), 'FRAME', 'a byte behind the schema text')
  must(padding.length < 64, 'FRAME', '64 zeros or more behind the schema text')
  const text = rest.slice(0, length)
  const schema = parseSchemaBytes(text)
  must(String.fromCharCode(...text) === canonicalText(schema), 'SCHEMA', 'the text is not canonical')
  return schema
}
