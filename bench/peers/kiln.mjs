// Kiln itself: the dynamic engine, and code from `kiln gen` for the same schemas.
import { mkdirSync, writeFileSync } from 'node:fs'
import { transform } from 'esbuild'
import { generate } from '../../packages/cli/dist/gen/generate.js'
import { DirectoryReader, encode, encodeInto, encodeParts, iterate, MessageWriter, parseSchema, placeFor, project, tensor, view, decode } from '../../packages/kiln/dist/index.js'

export const SCHEMAS = {
  embedding: 'struct{id:i64,vector:list<f32>,}',
  record: 'struct{id:i64,user:string,email:string,created:u32,score:f64,active:bool,tags:list<string>,attributes:dict<string,string>,}',
  records: 'list<struct{id:i64,user:string,email:string,created:u32,score:f64,active:bool,tags:list<string>,attributes:dict<string,string>,}>',
  request: 'struct{tensors:tensors,id:i64,model:string,temperature:f32,}',
  tensors: 'tensors',
}

const parsed = Object.fromEntries(Object.entries(SCHEMAS).map(([name, text]) => [name, parseSchema(text)]))

const inputs = (list) => list.map((t) => tensor(t.name, t.dtype, t.shape, t.data))

export function prepare(workload, value) {
  if (workload === 'request') return { ...value, tensors: inputs(value.tensors) }
  if (workload === 'tensors') return inputs(value)
  return value
}

/** What a program does with a message that it has opened: it takes the array that it wants. */
function opening(workload, view) {
  switch (workload) {
    case 'embedding':
      return (bytes) => {
        const { id, vector } = view(bytes)
        return { id, vector: vector.borrow() }
      }
    case 'request':
      return (bytes) => {
        const request = view(bytes)
        request.tensors.get('embeds')
        return request
      }
    default:
      return view
  }
}

/** A function that writes all of its messages by one writer. */
function reusing(encodeBy) {
  const writer = new MessageWriter()
  return (value) => encodeBy(writer, value)
}

export const kiln = {
  name: 'Kiln, dynamic',
  make: (workload) => {
    const schema = parsed[workload]
    return {
      prepare: (value) => prepare(workload, value),
      encode: (value) => encode(schema, value),
      decode: opening(workload, (bytes) => view(schema, bytes)),
      view: (bytes) => view(schema, bytes),
      copy: (bytes) => decode(schema, bytes),
      into: (value, target) => encodeInto(schema, value, target),
      parts: (value) => encodeParts(schema, value),
      reused: reusing((writer, value) => writer.encode(schema, value)),
      iterate: (bytes) => {
        let last
        for (const row of iterate(schema, bytes)) last = row
        return last
      },
      projectOf: (paths) => project(schema, paths),
      place: (bytes) => placeFor(schema, bytes),
      reader: () => new DirectoryReader(),
    }
  },
}

/** What records are read in part for; a generated module has a function for each. */
const PROJECTIONS = [
  { name: 'Numbers', paths: ['id', 'score'] },
  { name: 'Some', paths: ['id', 'score', 'user'] },
]

/** The module that `kiln gen` writes for a schema, compiled as a user's build would. */
async function generatedModule(workload) {
  const projections = workload === 'records' ? PROJECTIONS : []
  const { code } = generate(SCHEMAS[workload], { source: `${workload}.kiln`, name: 'Message', projections })
  const { code: js } = await transform(code, { loader: 'ts', format: 'esm' })
  const folder = new URL('../.generated/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const file = new URL(`${workload}.mjs`, folder)
  writeFileSync(file, js)
  return import(file.href)
}

const modules = Object.fromEntries(await Promise.all(Object.keys(SCHEMAS).map(async (name) => [name, await generatedModule(name)])))

export const generated = {
  name: 'Kiln, generated',
  make: (workload) => {
    const m = modules[workload]
    return {
      prepare: (value) => prepare(workload, value),
      encode: m.encodeMessage,
      decode: opening(workload, m.viewMessage),
      view: m.viewMessage,
      copy: m.decodeMessage,
      into: m.encodeMessageInto,
      parts: m.encodeMessageParts,
      reused: reusing(m.encodeMessageWith),
      iterate: m.iterateMessage && ((bytes) => {
        let last
        for (const row of m.iterateMessage(bytes)) last = row
        return last
      }),
      projectOf: workload === 'records'
        ? (paths) => m[`project${PROJECTIONS.find((known) => known.paths.join() === paths.join()).name}`]
        : undefined,
      place: m.placeMessage,
    }
  },
}

/**
 * Generated code that writes into memory which the next message takes again, as msgpackr and cbor-x do with theirs until
 * it is full: beside these, the comparison that leaves out the price of memory.
 */
export const generatedReusing = {
  name: 'Kiln, generated, one writer',
  make: (workload) => {
    const codec = generated.make(workload)
    return { ...codec, encode: codec.reused }
  },
}

/** The engines, the one that ratios refer to first. */
export const engines = [generated, kiln]
