// Peers that take JavaScript values as they are: JSON, v8, and the self-describing binary formats.
import { deserialize, serialize } from 'node:v8'
import { decode as msgpackDecode, encode as msgpackEncode } from '@msgpack/msgpack'
import { BSON } from 'bson'
import { Decoder as CborDecoder, Encoder as CborEncoder } from 'cbor-x'
import { Packr } from 'msgpackr'
import { bytesOf } from '../workloads/values.mjs'

const text = new TextEncoder()
const reader = new TextDecoder()

const jsonReplacer = (_, value) => {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Map) return Object.fromEntries(value)
  if (ArrayBuffer.isView(value)) return Array.from(value, (item) => (typeof item === 'bigint' ? item.toString() : item))
  return value
}

export const json = {
  name: 'JSON (bytes)',
  make: () => ({
    prepare: (value) => value,
    encode: (value) => text.encode(JSON.stringify(value, jsonReplacer)),
    decode: (bytes) => JSON.parse(reader.decode(bytes)),
  }),
}

export const v8 = {
  name: 'v8.serialize',
  make: () => ({ prepare: (value) => value, encode: (value) => serialize(value), decode: (bytes) => deserialize(bytes) }),
}

// Typed arrays and tensors' payloads go as binary, which is the best that each of these has.
const binary = (value) => {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Map) return Object.fromEntries(value)
  if (Array.isArray(value)) return value.map(binary)
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, binary(inner)]))
  return value
}

export const msgpackr = {
  name: 'msgpackr (records, native addon)',
  make: () => {
    const packr = new Packr({ structures: [], moreTypes: true, int64AsType: 'bigint', mapsAsObjects: true, copyBuffers: false })
    return { prepare: binary, encode: (value) => packr.pack(value), decode: (bytes) => packr.unpack(bytes) }
  },
}

export const cborx = {
  name: 'cbor-x (records, native addon)',
  make: () => {
    const options = { structures: [], useRecords: true, mapsAsObjects: true, tagUint8Array: false }
    const encoder = new CborEncoder(options)
    const decoder = new CborDecoder(options)
    return { prepare: binary, encode: (value) => encoder.encode(value), decode: (bytes) => decoder.decode(bytes) }
  },
}

export const msgpack = {
  name: '@msgpack/msgpack',
  make: () => ({
    prepare: binary,
    encode: (value) => msgpackEncode(value, { useBigInt64: true }),
    decode: (bytes) => msgpackDecode(bytes, { useBigInt64: true }),
  }),
}

export const bson = {
  name: 'bson',
  make: () => ({
    prepare: (value) => binary(Array.isArray(value) ? { items: value } : value),
    encode: (value) => BSON.serialize(value),
    decode: (bytes) => BSON.deserialize(bytes, { useBigInt64: true, promoteBuffers: true }),
  }),
}

export const binaryOf = bytesOf
