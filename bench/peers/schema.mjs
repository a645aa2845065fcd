// Peers with a schema of their own: avsc, borsh, kiwi, flatbuffers, Arrow, a safetensors reader.
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow'
import avro from 'avsc'
import * as borshLib from 'borsh'
import * as fb from 'flatbuffers'
import * as kiwiLib from 'kiwi-schema'
import { bytesOf } from '../workloads/values.mjs'

const avroTensor = {
  type: 'record', name: 'Tensor', fields: [
    { name: 'name', type: 'string' }, { name: 'dtype', type: 'string' }, { name: 'shape', type: { type: 'array', items: 'long' } },
    { name: 'data', type: 'bytes' },
  ],
}
const avroRecord = {
  type: 'record', name: 'Record', fields: [
    { name: 'id', type: 'long' }, { name: 'user', type: 'string' }, { name: 'email', type: 'string' }, { name: 'created', type: 'long' },
    { name: 'score', type: 'double' }, { name: 'active', type: 'boolean' }, { name: 'tags', type: { type: 'array', items: 'string' } },
    { name: 'attributes', type: { type: 'map', values: 'string' } },
  ],
}
const AVRO = {
  embedding: { type: 'record', name: 'Embedding', fields: [{ name: 'id', type: 'long' }, { name: 'vector', type: { type: 'array', items: 'float' } }] },
  record: avroRecord,
  records: { type: 'array', items: avroRecord },
  request: {
    type: 'record', name: 'Request', fields: [
      { name: 'id', type: 'long' }, { name: 'model', type: 'string' }, { name: 'temperature', type: 'float' },
      { name: 'tensors', type: { type: 'array', items: avroTensor } },
    ],
  },
  tensors: { type: 'array', items: avroTensor },
}

const record = (r, id) => ({ ...r, id: id(r.id), attributes: Object.fromEntries(r.attributes) })
const tensor = (t) => ({ ...t, data: Buffer.from(bytesOf(t.data)) })

function plain(workload, value, id = Number) {
  switch (workload) {
    case 'embedding':
      return { id: id(value.id), vector: Array.from(value.vector) }
    case 'record':
      return record(value, id)
    case 'records':
      return value.map((r) => record(r, id))
    case 'request':
      return { ...value, id: id(value.id), tensors: value.tensors.map(tensor) }
    default:
      return value.map(tensor)
  }
}

export const avsc = {
  name: 'avsc',
  make: (workload) => {
    const type = avro.Type.forSchema(AVRO[workload])
    return {
      prepare: (value) => plain(workload, value),
      encode: (value) => type.toBuffer(value),
      decode: (bytes) => type.fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    }
  },
}

const borshTensor = { struct: { name: 'string', dtype: 'string', shape: { array: { type: 'u64' } }, data: { array: { type: 'u8' } } } }
const borshRecord = {
  struct: {
    id: 'i64', user: 'string', email: 'string', created: 'u32', score: 'f64', active: 'bool', tags: { array: { type: 'string' } },
    attributes: { map: { key: 'string', value: 'string' } },
  },
}
const BORSH = {
  embedding: { struct: { id: 'i64', vector: { array: { type: 'f32' } } } },
  record: borshRecord,
  records: { array: { type: borshRecord } },
  request: { struct: { id: 'i64', model: 'string', temperature: 'f32', tensors: { array: { type: borshTensor } } } },
  tensors: { array: { type: borshTensor } },
}

export const borsh = {
  name: 'borsh',
  make: (workload) => {
    const withMaps = (value) => (workload === 'record' ? { ...plain(workload, value, BigInt), attributes: value.attributes }
      : workload === 'records' ? value.map((r) => ({ ...r })) : plain(workload, value, BigInt))
    return {
      prepare: withMaps,
      encode: (value) => borshLib.serialize(BORSH[workload], value, false),
      decode: (bytes) => borshLib.deserialize(BORSH[workload], bytes, false),
    }
  },
}

const KIWI = `
struct Pair { string key; string value; }
struct Embedding { int64 id; float[] vector; }
struct Record { int64 id; string user; string email; uint created; float score; bool active; string[] tags; Pair[] attributes; }
struct Records { Record[] items; }
struct Tensor { string name; string dtype; int64[] shape; byte[] data; }
struct Request { int64 id; string model; float temperature; Tensor[] tensors; }
struct Tensors { Tensor[] items; }
`
const kiwiSchema = kiwiLib.compileSchema(kiwiLib.parseSchema(KIWI))
const KIWI_NAME = { embedding: 'Embedding', record: 'Record', records: 'Records', request: 'Request', tensors: 'Tensors' }
const kiwiRecord = (r) => ({ ...r, attributes: Array.from(r.attributes, ([key, value]) => ({ key, value })) })
const kiwiTensor = (t) => ({ ...t, shape: t.shape.map(BigInt), data: bytesOf(t.data) })

export const kiwi = {
  name: 'kiwi-schema',
  make: (workload) => ({
    prepare: (value) => {
      switch (workload) {
        case 'embedding':
          return { id: value.id, vector: Array.from(value.vector) }
        case 'record':
          return kiwiRecord(value)
        case 'records':
          return { items: value.map(kiwiRecord) }
        case 'request':
          return { ...value, tensors: value.tensors.map(kiwiTensor) }
        default:
          return { items: value.map(kiwiTensor) }
      }
    },
    encode: (value) => kiwiSchema[`encode${KIWI_NAME[workload]}`](value),
    decode: (bytes) => kiwiSchema[`decode${KIWI_NAME[workload]}`](bytes),
  }),
}

// What flatc generates, written out: offsets are slots of a table, 4 + 2 × field.
function fbRecord(b, r) {
  const user = b.createString(r.user)
  const email = b.createString(r.email)
  const tags = r.tags.map((tag) => b.createString(tag))
  b.startVector(4, tags.length, 4)
  for (let i = tags.length - 1; i >= 0; i--) b.addOffset(tags[i])
  const tagVector = b.endVector()
  const pairs = Array.from(r.attributes, ([key, value]) => {
    const k = b.createString(key)
    const v = b.createString(value)
    b.startObject(2)
    b.addFieldOffset(0, k, 0)
    b.addFieldOffset(1, v, 0)
    return b.endObject()
  })
  b.startVector(4, pairs.length, 4)
  for (let i = pairs.length - 1; i >= 0; i--) b.addOffset(pairs[i])
  const pairVector = b.endVector()
  b.startObject(8)
  b.addFieldInt64(0, r.id, 0n)
  b.addFieldOffset(1, user, 0)
  b.addFieldOffset(2, email, 0)
  b.addFieldInt32(3, r.created, 0)
  b.addFieldFloat64(4, r.score, 0)
  b.addFieldInt8(5, r.active ? 1 : 0, 0)
  b.addFieldOffset(6, tagVector, 0)
  b.addFieldOffset(7, pairVector, 0)
  return b.endObject()
}

function fbTensor(b, t) {
  const name = b.createString(t.name)
  const dtype = b.createString(t.dtype)
  b.startVector(8, t.shape.length, 8)
  for (let i = t.shape.length - 1; i >= 0; i--) b.addInt64(BigInt(t.shape[i]))
  const shape = b.endVector()
  const data = b.createByteVector(bytesOf(t.data))
  b.startObject(4)
  b.addFieldOffset(0, name, 0)
  b.addFieldOffset(1, dtype, 0)
  b.addFieldOffset(2, shape, 0)
  b.addFieldOffset(3, data, 0)
  return b.endObject()
}

const fbVector = (b, offsets) => {
  b.startVector(4, offsets.length, 4)
  for (let i = offsets.length - 1; i >= 0; i--) b.addOffset(offsets[i])
  return b.endVector()
}

const field = (bb, table, slot) => bb.__offset(table, 4 + slot * 2)

function fbReadRecord(bb, at) {
  const at_ = (slot) => at + field(bb, at, slot)
  const tags = []
  const tagsAt = bb.__vector(at_(6))
  for (let i = 0, n = bb.__vector_len(at_(6)); i < n; i++) tags.push(bb.__string(tagsAt + i * 4))
  const attributes = new Map()
  const pairsAt = bb.__vector(at_(7))
  for (let i = 0, n = bb.__vector_len(at_(7)); i < n; i++) {
    const pair = bb.__indirect(pairsAt + i * 4)
    attributes.set(bb.__string(pair + field(bb, pair, 0)), bb.__string(pair + field(bb, pair, 1)))
  }
  return {
    id: bb.readInt64(at_(0)), user: bb.__string(at_(1)), email: bb.__string(at_(2)), created: bb.readUint32(at_(3)),
    score: bb.readFloat64(at_(4)), active: bb.readInt8(at_(5)) === 1, tags, attributes,
  }
}

function fbReadTensor(bb, at) {
  const at_ = (slot) => at + field(bb, at, slot)
  const shape = []
  const shapeAt = bb.__vector(at_(2))
  for (let i = 0, n = bb.__vector_len(at_(2)); i < n; i++) shape.push(Number(bb.readInt64(shapeAt + i * 8)))
  const start = bb.__vector(at_(3))
  return { name: bb.__string(at_(0)), dtype: bb.__string(at_(1)), shape, data: bb.bytes().subarray(start, start + bb.__vector_len(at_(3))) }
}

function fbList(bb, root, read) {
  const list = []
  const at = bb.__vector(root + field(bb, root, 0))
  for (let i = 0, n = bb.__vector_len(root + field(bb, root, 0)); i < n; i++) list.push(read(bb, bb.__indirect(at + i * 4)))
  return list
}

const FLAT = {
  embedding: {
    write: (b, v) => {
      b.startVector(4, v.vector.length, 4)
      for (let i = v.vector.length - 1; i >= 0; i--) b.addFloat32(v.vector[i])
      const vector = b.endVector()
      b.startObject(2)
      b.addFieldInt64(0, v.id, 0n)
      b.addFieldOffset(1, vector, 0)
      return b.endObject()
    },
    read: (bb, root) => {
      const at = root + field(bb, root, 1)
      const { buffer, byteOffset } = bb.bytes()
      return { id: bb.readInt64(root + field(bb, root, 0)), vector: new Float32Array(buffer, byteOffset + bb.__vector(at), bb.__vector_len(at)) }
    },
  },
  record: { write: fbRecord, read: fbReadRecord },
  records: {
    write: (b, list) => {
      const items = fbVector(b, list.map((r) => fbRecord(b, r)))
      b.startObject(1)
      b.addFieldOffset(0, items, 0)
      return b.endObject()
    },
    read: (bb, root) => fbList(bb, root, fbReadRecord),
  },
  request: {
    write: (b, v) => {
      const model = b.createString(v.model)
      const items = fbVector(b, v.tensors.map((t) => fbTensor(b, t)))
      b.startObject(4)
      b.addFieldInt64(0, v.id, 0n)
      b.addFieldOffset(1, model, 0)
      b.addFieldFloat32(2, v.temperature, 0)
      b.addFieldOffset(3, items, 0)
      return b.endObject()
    },
    read: (bb, root) => {
      const at = (slot) => root + field(bb, root, slot)
      const tensors = []
      const listAt = bb.__vector(at(3))
      for (let i = 0, n = bb.__vector_len(at(3)); i < n; i++) tensors.push(fbReadTensor(bb, bb.__indirect(listAt + i * 4)))
      return { id: bb.readInt64(at(0)), model: bb.__string(at(1)), temperature: bb.readFloat32(at(2)), tensors }
    },
  },
  tensors: {
    write: (b, list) => {
      const items = fbVector(b, list.map((t) => fbTensor(b, t)))
      b.startObject(1)
      b.addFieldOffset(0, items, 0)
      return b.endObject()
    },
    read: (bb, root) => fbList(bb, root, fbReadTensor),
  },
}

export const flatbuffers = {
  name: 'flatbuffers',
  make: (workload) => {
    const builder = new fb.Builder(1024)
    const { write, read } = FLAT[workload]
    return {
      prepare: (value) => value,
      encode: (value) => {
        builder.clear()
        builder.finish(write(builder, value))
        return builder.asUint8Array().slice()
      },
      decode: (bytes) => {
        const bb = new fb.ByteBuffer(bytes)
        return read(bb, bb.readInt32(bb.position()) + bb.position())
      },
    }
  },
}

export const arrow = {
  name: 'apache-arrow',
  make: (workload) => {
    if (workload !== 'embedding' && workload !== 'request') return undefined
    const columns = workload === 'embedding'
      ? (value) => ({ vector: value.vector })
      : (value) => Object.fromEntries(value.tensors.map((t) => [t.name, t.data]))
    return {
      prepare: (value) => value,
      encode: workload === 'embedding'
        ? (value) => tableToIPC(tableFromArrays(columns(value)))
        // Columns of one table have one length, so each tensor is a table of its own.
        : (value) => Buffer.concat(value.tensors.map((t) => tableToIPC(tableFromArrays({ [t.name]: t.data })))),
      decode: (bytes) => tableFromIPC(bytes),
    }
  },
}

export const safetensors = {
  name: 'safetensors (reader and writer)',
  make: (workload) => {
    if (workload !== 'tensors') return undefined
    const coder = new TextEncoder()
    const decoder = new TextDecoder()
    return {
      prepare: (value) => value.map((t) => ({ ...t, bytes: bytesOf(t.data) })),
      encode: (list) => {
        const header = {}
        let offset = 0
        for (const { name, shape, bytes } of list) {
          header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + bytes.length] }
          offset += bytes.length
        }
        const json = coder.encode(JSON.stringify(header))
        const padded = Math.ceil(json.length / 8) * 8
        const out = new Uint8Array(8 + padded + offset)
        new DataView(out.buffer).setBigUint64(0, BigInt(padded), true)
        out.fill(0x20, 8, 8 + padded)
        out.set(json, 8)
        let at = 8 + padded
        for (const { bytes } of list) {
          out.set(bytes, at)
          at += bytes.length
        }
        return out
      },
      decode: (bytes) => {
        const size = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
        const header = JSON.parse(decoder.decode(bytes.subarray(8, 8 + size)))
        const base = 8 + size
        return new Map(Object.entries(header).map(([name, { dtype, shape, data_offsets: [from, to] }]) => [
          name, { dtype, shape, data: bytes.subarray(base + from, base + to) },
        ]))
      },
    }
  },
}
