import type { ScalarName } from 'kiln-format'
import { textOf, type JsonObject } from '../json/json-tree.js'
import { pointerTo } from '../json/pointer.js'
import type { LeafModel } from '../model/model.js'
import { checkConstraints, type Range } from './constraints.js'
import type { Place, SchemaReader } from './reader.js'

/** The `format` of each integer type; none, or one that is not known, is `int64`. */
export const INTEGER_FORMATS: ReadonlyMap<string, ScalarName> = new Map([
  ['int8', 'i8'],
  ['int16', 'i16'],
  ['int32', 'i32'],
  ['int64', 'i64'],
  ['uint8', 'u8'],
  ['uint16', 'u16'],
  ['uint32', 'u32'],
  ['uint64', 'u64'],
])

/** The `format` of each float type; none, or one that is not known, is `double`. */
export const NUMBER_FORMATS: ReadonlyMap<string, ScalarName> = new Map([
  ['float', 'f32'],
  ['double', 'f64'],
  ['float16', 'f16'],
  ['bfloat16', 'bf16'],
])

export const INTEGER_RANGES: Readonly<Partial<Record<ScalarName, Range>>> = {
  i8: [-128, 127],
  i16: [-32768, 32767],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u8: [0, 255],
  u16: [0, 65535],
  u32: [0, 2 ** 32 - 1],
  u64: [0, 2n ** 64n - 1n],
}

export function readInteger(reader: SchemaReader, place: Place, node: JsonObject): LeafModel | undefined {
  const format = textOf(node, 'format')
  if (format !== undefined && NUMBER_FORMATS.has(format)) {
    return reader.refuse(
      pointerTo(place.pointer, 'format'),
      `"${format}" is a format of numbers; say "type": "number", or a format such as int64`,
    )
  }
  const kind = INTEGER_FORMATS.get(format ?? 'int64') ?? 'i64'
  checkConstraints(reader, place, node, 'number', INTEGER_RANGES[kind])
  return { kind }
}

export function readNumber(reader: SchemaReader, place: Place, node: JsonObject): LeafModel | undefined {
  const format = textOf(node, 'format')
  if (format !== undefined && INTEGER_FORMATS.has(format)) {
    return reader.refuse(
      pointerTo(place.pointer, 'format'),
      `"${format}" is a format of integers; say "type": "integer", or a format such as double`,
    )
  }
  checkConstraints(reader, place, node, 'number')
  return { kind: NUMBER_FORMATS.get(format ?? 'double') ?? 'f64' }
}

/** Text, or bytes where the text is base64 of them; formats such as `date-time` are comments on text. */
export function readString(reader: SchemaReader, place: Place, node: JsonObject): LeafModel | undefined {
  checkConstraints(reader, place, node, 'string')
  const encoding = textOf(node, 'contentEncoding')
  const format = textOf(node, 'format')
  if (encoding !== undefined && encoding.toLowerCase() !== 'base64') {
    return reader.refuse(
      pointerTo(place.pointer, 'contentEncoding'),
      `only base64 becomes bytes, not ${JSON.stringify(encoding)}; say base64, or remove it to keep the text as it is`,
    )
  }
  if (format === 'binary') {
    return reader.refuse(
      pointerTo(place.pointer, 'format'),
      'JSON holds no binary; say "format": "byte" or "contentEncoding": "base64" for bytes',
    )
  }
  return { kind: encoding !== undefined || format === 'byte' ? 'bytes' : 'string' }
}
