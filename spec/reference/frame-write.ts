import { align64, joined, uintBytes } from './bytes.js'
import { TEXT_CAP } from './caps.js'
import type { CaseValue } from './case-values.js'
import { crc32 } from './crc32.js'
import { must } from './error.js'
import { writeFrozen } from './frozen-write.js'
import { canonicalText, hashOf } from './schema-hash.js'
import type { Schema } from './schema-tree.js'
import { encodeUtf8 } from './utf8.js'

/** A frame (FORMAT §6). `flags` says whether it holds its schema (1) and a checksum (2). */
export function writeFrame(schema: Schema, value: CaseValue, flags: number): Uint8Array {
  const withSchema = flags % 2 === 1
  const withChecksum = flags >= 2
  const body = writeFrozen(schema, value)
  const text = withSchema ? encodeUtf8(canonicalText(schema)) : new Uint8Array(0)
  must(text.length <= TEXT_CAP, 'LIMIT', 'the schema text')
  const headerSize = withSchema ? align64(32n + BigInt(text.length)) : 32n
  return joined([
    encodeUtf8('KILF'),
    uintBytes(1n, 1),
    uintBytes(BigInt(flags), 1),
    uintBytes(0n, 2),
    uintBytes(headerSize, 4),
    uintBytes(withChecksum ? crc32(body) : 0n, 4),
    uintBytes(hashOf(schema), 8),
    uintBytes(BigInt(body.length), 8),
    text,
    new Uint8Array(Number(headerSize) - 32 - text.length),
    body,
  ])
}
