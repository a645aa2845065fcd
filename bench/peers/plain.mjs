// Peers that take JavaScript values as they are: JSON, v8, and the self-describing binary formats.
import { createRequire } from 'node:module'
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

// Some registries and platforms have no compiled addon, and then these two read strings in JavaScript.
const addon = (name) => {
  try {
    createRequire(import.meta.url)(name)
    return ', native addon'
  } catch {
    return ''
  }
}

// These two have typed arrays of their own, so an embedding is given to them as it is.
const typed = (workload) => (workload === 'embedding' ? (value) => value : binary)

// What has bytes only leaves it to the program to make floats of them: a view where they are aligned, else a copy.
const withFloats = (workload, decode) => (workload !== 'embedding' ? decode : (bytes) => {
  const value = decode(bytes)
  const { vector } = value
  value.vector = vector.byteOffset % 4 === 0
    ? new Float32Array(vector.buffer, vector.byteOffset, vector.byteLength / 4)
    : new Float32Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength))
  return value
})

export const msgpackr = {
  name: `msgpackr (records${addon('msgpackr-extract')})`,
  make: (workload) => {
    const packr = new Packr({ structures: [], moreTypes: true, int64AsType: 'bigint', mapsAsObjects: true, copyBuffers: false })
    return { prepare: typed(workload), encode: (value) => packr.pack(value), decode: (bytes) => packr.unpack(bytes) }
  },
}

export const cborx = {
  name: `cbor-x (records${addon('cbor-extract')})`,
  make: (workload) => {
    const options = { structures: [], useRecords: true, mapsAsObjects: true, tagUint8Array: false }
    const encoder = new CborEncoder(options)
    const decoder = new CborDecoder(options)
    return { prepare: typed(workload), encode: (value) => encoder.encode(value), decode: (bytes) => decoder.decode(bytes) }
  },
}

export const msgpack = {
  name: '@msgpack/msgpack',
  make: (workload) => ({
    prepare: binary,
    encode: (value) => msgpackEncode(value, { useBigInt64: true }),
    decode: withFloats(workload, (bytes) => msgpackDecode(bytes, { useBigInt64: true })),
  }),
}

export const bson = {
  name: 'bson',
  make: (workload) => ({
    prepare: (value) => binary(Array.isArray(value) ? { items: value } : value),
    encode: (value) => BSON.serialize(value),
    decode: withFloats(workload, (bytes) => BSON.deserialize(bytes, { useBigInt64: true, promoteBuffers: true })),
  }),
}

export const binaryOf = bytesOf
