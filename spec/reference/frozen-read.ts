import { type Cursor, available, cursorOver, readUint, take, toHex } from './bytes.js'
import type { ReadRules } from './caps.js'
import type { CaseValue } from './case-values.js'
import { caseTensors, readDirectory } from './directory-read.js'
import { must } from './error.js'
import { type Schema, type Word, minSize, numberWidth } from './schema-tree.js'
import { decodeUtf8 } from './utf8.js'

/** A value that stands alone (FORMAT §2): what is left over is `TRAILING`. */
export function readFrozen(schema: Schema, bytes: Uint8Array, rules: ReadRules): CaseValue {
  const cursor = cursorOver(bytes)
  const value = readValue(schema, cursor, rules)
  must(available(cursor) === 0n, 'TRAILING', `${available(cursor)} bytes after the value`)
  return value
}

/** The next value of this type. */
export function readValue(schema: Schema, cursor: Cursor, rules: ReadRules): CaseValue {
  switch (schema.kind) {
    case 'word':
      return readWord(schema.word, cursor, rules)
    case 'list':
      return readList(schema.element, cursor, rules)
    case 'dict':
      return readDict(schema.key, schema.value, cursor, rules)
    case 'option':
      return readFlag(cursor, 'an option tag') ? readValue(schema.inner, cursor, rules) : null
    case 'struct': {
      const value: Record<string, CaseValue> = {}
      for (const field of schema.fields) value[field.name] = readValue(field.type, cursor, rules)
      return value
    }
  }
}

/** A count, checked in the order of FORMAT §2: there, under the cap, its elements available. */
function readCount(cursor: Cursor, cap: bigint, size: bigint): bigint {
  const count = readUint(cursor, 4)
  must(count <= cap, 'LIMIT', `a count of ${count} over the cap of ${cap}`)
  must(count * size <= available(cursor), 'EOF', `${count} elements of at least ${size} bytes`)
  return count
}

function readFlag(cursor: Cursor, what: string): boolean {
  const byte = readUint(cursor, 1)
  must(byte <= 1n, 'TYPE', `${what} is 0 or 1`)
  return byte === 1n
}

function signed(value: bigint, width: number): bigint {
  const half = 2n ** BigInt(8 * width - 1)
  return value < half ? value : value - 2n * half
}

function readWord(word: Word, cursor: Cursor, rules: ReadRules): CaseValue {
  switch (word) {
    case 'bool':
      return readFlag(cursor, 'a bool')
    case 'u8':
      return Number(readUint(cursor, 1))
    case 'u16':
    case 'f16':
    case 'bf16':
      return Number(readUint(cursor, 2))
    case 'u32':
      return Number(readUint(cursor, 4))
    case 'u64':
      return readUint(cursor, 8).toString()
    case 'i8':
      return Number(signed(readUint(cursor, 1), 1))
    case 'i16':
      return Number(signed(readUint(cursor, 2), 2))
    case 'i32':
      return Number(signed(readUint(cursor, 4), 4))
    case 'i64':
      return signed(readUint(cursor, 8), 8).toString()
    case 'f32':
      return { bits: readUint(cursor, 4).toString(16).padStart(8, '0') }
    case 'f64':
      return { bits: readUint(cursor, 8).toString(16).padStart(16, '0') }
    case 'string': {
      const length = readCount(cursor, rules.caps.string, 1n)
      return decodeUtf8(take(cursor, length))
    }
    case 'bytes':
      return { hex: toHex(take(cursor, readUint(cursor, 4))) }
    case 'tensors':
      return caseTensors(readDirectory(cursor, rules))
  }
}

function readList(element: Schema, cursor: Cursor, rules: ReadRules): CaseValue {
  const width = numberWidth(element)
  if (width !== undefined) {
    const count = readCount(cursor, rules.caps.numbers, BigInt(width))
    return { count: Number(count), hex: toHex(take(cursor, count * BigInt(width))) }
  }
  const count = readCount(cursor, rules.caps.count, minSize(element))
  const values: CaseValue[] = []
  for (let i = 0n; i < count; i++) values.push(readValue(element, cursor, rules))
  return values
}

function readDict(key: Schema, value: Schema, cursor: Cursor, rules: ReadRules): CaseValue {
  const count = readCount(cursor, rules.caps.count, minSize(key) + minSize(value))
  const entries: CaseValue[] = []
  const seen = new Set<CaseValue>()
  for (let i = 0n; i < count; i++) {
    const k = readValue(key, cursor, rules)
    must(!seen.has(k), 'TYPE', 'a key stands twice')
    seen.add(k)
    entries.push([k, readValue(value, cursor, rules)])
  }
  return entries
}
