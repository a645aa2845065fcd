// The protobuf family, from one .proto text.
import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { PbfReader, PbfWriter } from 'pbf'
import { compile } from 'pbf/compile'
import parseProto from 'protocol-buffers-schema'
import protobufjs from 'protobufjs'
import { bytesOf } from '../workloads/values.mjs'

export const PROTO = `syntax = "proto3";
message Embedding { int64 id = 1; repeated float vector = 2 [packed = true]; }
message Record {
  int64 id = 1; string user = 2; string email = 3; uint32 created = 4; double score = 5; bool active = 6;
  repeated string tags = 7; map<string, string> attributes = 8;
}
message Records { repeated Record items = 1; }
message Tensor { string name = 1; string dtype = 2; repeated int64 shape = 3 [packed = true]; bytes data = 4; }
message Request { int64 id = 1; string model = 2; float temperature = 3; repeated Tensor tensors = 4; }
message Tensors { repeated Tensor items = 1; }
`

const MESSAGE = { embedding: 'Embedding', record: 'Record', records: 'Records', request: 'Request', tensors: 'Tensors' }

const plainRecord = (r, id) => ({ ...r, id: id(r.id), attributes: Object.fromEntries(r.attributes) })
const plainTensor = (t, id) => ({ ...t, shape: t.shape.map((d) => id(BigInt(d))), data: bytesOf(t.data) })

/** A workload's value as the family takes it; `id` says how 64-bit integers are given. */
function plain(workload, value, id) {
  switch (workload) {
    case 'embedding':
      return { id: id(value.id), vector: Array.from(value.vector) }
    case 'record':
      return plainRecord(value, id)
    case 'records':
      return { items: value.map((r) => plainRecord(r, id)) }
    case 'request':
      return { ...value, id: id(value.id), tensors: value.tensors.map((t) => plainTensor(t, id)) }
    default:
      return { items: value.map((t) => plainTensor(t, id)) }
  }
}

const root = protobufjs.parse(PROTO, { keepCase: true }).root

export const protobufJs = {
  name: 'protobufjs',
  make: (workload) => {
    const type = root.lookupType(MESSAGE[workload])
    const long = (value) => (protobufjs.util.Long === null ? Number(value) : protobufjs.util.Long.fromBigInt?.(value) ?? Number(value))
    return {
      prepare: (value) => type.fromObject(plain(workload, value, long)),
      encode: (value) => type.encode(value).finish(),
      decode: (bytes) => type.decode(bytes),
    }
  },
}

const parsed = parseProto(PROTO)
const pbfCode = compile(parsed)

export const pbf = {
  name: 'pbf',
  make: (workload) => {
    const write = pbfCode[`write${MESSAGE[workload]}`]
    const read = pbfCode[`read${MESSAGE[workload]}`]
    return {
      prepare: (value) => plain(workload, value, Number),
      encode: (value) => {
        const out = new PbfWriter()
        write(value, out)
        return out.finish()
      },
      decode: (bytes) => read(new PbfReader(bytes)),
    }
  },
}

const TYPE = { double: 1, float: 2, int64: 3, bool: 8, string: 9, message: 11, bytes: 12, uint32: 13 }

function descriptor() {
  const field = ({ name, tag, type, repeated, map }, parent) => {
    const base = { name, number: tag, label: repeated || map ? 3 : 1, jsonName: name }
    if (map) return { ...base, type: TYPE.message, typeName: `.${parent}.${name[0].toUpperCase()}${name.slice(1)}Entry` }
    if (TYPE[type] !== undefined) return { ...base, type: TYPE[type] }
    return { ...base, type: TYPE.message, typeName: `.${type}` }
  }
  const messageType = parsed.messages.map((message) => ({
    name: message.name,
    field: message.fields.map((f) => field(f, message.name)),
    nestedType: message.fields.filter((f) => f.map).map((f) => ({
      name: `${f.name[0].toUpperCase()}${f.name.slice(1)}Entry`,
      field: [
        { name: 'key', number: 1, label: 1, type: TYPE[f.map.from], jsonName: 'key' },
        { name: 'value', number: 2, label: 1, type: TYPE[f.map.to], jsonName: 'value' },
      ],
      options: { mapEntry: true },
    })),
  }))
  const file = create(FileDescriptorProtoSchema, { name: 'bench.proto', syntax: 'proto3', messageType })
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }))
}

const registry = descriptor()

export const protobufEs = {
  name: 'protobuf-es',
  make: (workload) => {
    const schema = registry.getMessage(MESSAGE[workload])
    return {
      prepare: (value) => create(schema, plain(workload, value, (id) => id)),
      encode: (value) => toBinary(schema, value),
      decode: (bytes) => fromBinary(schema, bytes),
    }
  },
}
