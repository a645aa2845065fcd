// Bytes allocated a message in steady state, by path. Needs --expose-gc, which `npm run bench` gives.
import {
  DirectoryReader, decode, encode, encodeDirectory, encodeInto, encodeParts, parseSchema, readDirectory, tensor, view,
} from '../../packages/kiln/dist/index.js'
import { allocatedBy } from '../lib/measure.mjs'
import { table } from '../lib/report.mjs'
import { prepare, SCHEMAS } from '../peers/kiln.mjs'
import { embedding, record, request } from '../workloads/values.mjs'

export function allocation() {
  if (globalThis.gc === undefined) {
    console.log('Bytes allocated a message: not measured, run with --expose-gc\n')
    return undefined
  }
  const Embedding = parseSchema(SCHEMAS.embedding)
  const Record = parseSchema(SCHEMAS.record)
  const Request = parseSchema(SCHEMAS.request)
  const vector = embedding(768)
  const one = record(1)
  const ask = prepare('request', request())
  const bytes = { vector: encode(Embedding, vector), one: encode(Record, one), ask: encode(Request, ask) }
  const block = encodeDirectory(Array.from({ length: 8 }, (_, i) => tensor(`t${i}`, 'f32', [256], new Float32Array(256))))
  const target = new Uint8Array(2 ** 20)
  const floats = new Float32Array(768)
  const reader = new DirectoryReader()
  const seen = view(Embedding, bytes.vector).vector
  const rows = [
    ['DirectoryReader.read, 8 tensors, one asked for', () => { const t = reader.read(block).at(3); return t.byteOffset + t.byteLength }],
    ['readDirectory, 8 tensors', () => readDirectory(block)],
    ['NumberList.load into an array', () => seen.load(floats)],
    ['view of an embedding', () => view(Embedding, bytes.vector)],
    ['decode of an embedding of 768 (3,072 bytes of it)', () => decode(Embedding, bytes.vector)],
    ['view of a request with two tensors', () => view(Request, bytes.ask)],
    ['encodeInto of an embedding', () => encodeInto(Embedding, vector, target)],
    ['encodeInto of a record', () => encodeInto(Record, one, target)],
    ['encode of an embedding of 768 (3,084 bytes of it)', () => encode(Embedding, vector)],
    ['encodeParts of a request', () => encodeParts(Request, ask)],
    ['decode of a record of 12 strings', () => decode(Record, bytes.one)],
  ].map(([name, run]) => ({ name, bytes: allocatedBy(run) }))
  console.log('Bytes allocated a message, in steady state\n')
  console.log(table(['', 'bytes'], rows.map(({ name, bytes: b }) => [name, b])))
  console.log()
  return rows
}
