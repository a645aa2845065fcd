import { bson, cborx, json, msgpack, msgpackr, v8 } from '../peers/plain.mjs'
import { pbf, protobufEs, protobufJs } from '../peers/proto.mjs'
import { arrow, avsc, borsh, flatbuffers, kiwi, safetensors } from '../peers/schema.mjs'

/** The peers, in the order of the tables. */
export const peers = [json, v8, msgpackr, cborx, msgpack, bson, protobufEs, protobufJs, pbf, avsc, kiwi, flatbuffers, borsh, arrow, safetensors]
