import { expect, test } from 'vitest'
import { encode, k, parseSchema, tensor, type Schema } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { generate, type GenerateOptions } from '../../src/gen/generate.js'
import { outcome, plain } from './support/compare.js'
import { loadModule } from './support/load-module.js'
import { typeErrors } from './support/type-check.js'

type Read = (bytes: Uint8Array, options?: object) => unknown

function projectionsOf(schema: string, projections: Readonly<Record<string, string[]>>, more: Partial<GenerateOptions> = {}) {
  const list = Object.entries(projections).map(([name, paths]) => ({ name, paths }))
  const { code, notes } = generate(schema, { source: 'x.kiln', name: 'Root', ...more, projections: list })
  const exports = loadModule(code!)
  return { code: code!, notes, exports, read: (name: string) => exports[name] as Read }
}

const text = `list<struct{id: i64, flags: struct{a: bool, b: u16}, name: string, vector: list<f32>,
  tags: dict<string, list<string>>, user: option<struct{name: string, age: u8, dotted.name: u8}>,
  pairs: list<struct{x: u8, y: u16}>, switches: list<bool>, batch: tensors, blob: bytes, score: f64}>`
const schema: Schema = parseSchema(text)
const row = (id: number): object => ({
  id,
  flags: { a: true, b: id },
  name: `row ${id}`,
  vector: [id, id / 2],
  tags: { a: ['x', 'yy'], b: [] },
  user: id % 2 === 0 ? { name: `u${id}`, age: id, 'dotted.name': 7 } : undefined,
  pairs: [
    { x: 1, y: 2 },
    { x: 3, y: id },
  ],
  switches: [true, false],
  batch: [tensor('w', 'f32', [2], [id, 1])],
  blob: Uint8Array.of(id),
  score: id * 1.5,
})
const bytes = encode(schema, [1, 2, 3].map(row) as never)

test('fields by name, through lists, options and dicts', () => {
  const { read } = projectionsOf(text, {
    Scores: ['id', 'score'],
    Users: ['user.name', 'pairs.y', 'user.dotted.name'],
    Flags: ['flags.b', 'switches'],
    Tags: ['tags'],
    Vectors: ['vector', 'blob'],
  })
  expect(read('projectScores')(bytes)).toEqual([
    { id: 1n, score: 1.5 },
    { id: 2n, score: 3 },
    { id: 3n, score: 4.5 },
  ])
  expect(read('projectUsers')(bytes)).toEqual([
    { user: undefined, pairs: [{ y: 2 }, { y: 1 }] },
    { user: { name: 'u2', 'dotted.name': 7 }, pairs: [{ y: 2 }, { y: 2 }] },
    { user: undefined, pairs: [{ y: 2 }, { y: 3 }] },
  ])
  expect((read('projectFlags')(bytes) as unknown[])[2]).toEqual({ flags: { b: 3 }, switches: [true, false] })
  expect((read('projectTags')(bytes) as unknown[])[0]).toEqual({
    tags: new Map([
      ['a', ['x', 'yy']],
      ['b', []],
    ]),
  })
  expect([...(read('iterateScores')(bytes) as Iterable<unknown>)]).toEqual(read('projectScores')(bytes))
  expect(Object.keys((read('projectUsers')(bytes) as object[])[0]!)).toEqual(['user', 'pairs'])
})

test('a borrowed reader stands beside it only where something is borrowed', () => {
  const { read, exports } = projectionsOf(text, { Scores: ['id', 'score'], Vectors: ['vector', 'blob'] })
  expect(Object.keys(exports).filter((name) => /Scores|Vectors/.test(name)).sort()).toEqual([
    'iterateScores',
    'iterateVectors',
    'iterateVectorsView',
    'projectScores',
    'projectVectors',
    'projectVectorsView',
  ])
  const [first] = read('projectVectorsView')(bytes) as { vector: { at(i: number): number }; blob: Uint8Array }[]
  expect([first!.vector.at(1), first!.blob.buffer === bytes.buffer]).toEqual([0.5, true])
  const [owned] = read('projectVectors')(bytes) as { vector: Float32Array; blob: Uint8Array }[]
  expect([owned!.vector, owned!.blob.buffer === bytes.buffer]).toEqual([Float32Array.of(1, 0.5), false])
  expect(plain([...(read('iterateVectorsView')(bytes) as Iterable<unknown>)])).toEqual(plain(read('projectVectorsView')(bytes)))
})

test('integers as numbers are checked where they are read, and not where they are passed over', () => {
  const { read } = projectionsOf('struct{a:u64,b:i64,c:u8}', { A: ['a', 'c'], B: ['b'] }, { int64: 'number' })
  const big = encode(k.struct({ a: k.u64, b: k.i64, c: k.u8 }), { a: 2n ** 60n, b: -5n, c: 9 })
  expect(read('projectB')(big)).toEqual({ b: -5 })
  expect(outcome(() => read('projectA')(big))).toMatchObject({ error: ['TYPE', 'a', 0, expect.any(String)] })
  // Before the fault of what comes after it.
  expect(outcome(() => read('projectA')(big.subarray(0, 9)))).toMatchObject({ error: ['TYPE', 'a', 0, expect.any(String)] })
  expect(outcome(() => read('projectB')(big.subarray(0, 9)))).toMatchObject({ error: ['EOF', 'b', 8, expect.any(String)] })
})

test('values that are passed over are not looked at; those that are read are', () => {
  const { read } = projectionsOf('struct{flag:bool,text:string,z:u8,end:bool}', { Z: ['z'], Flag: ['flag', 'end'] })
  const bad = Uint8Array.of(2, 1, 0, 0, 0, 0xff, 7, 3)
  expect(read('projectZ')(bad)).toEqual({ z: 7 })
  expect(outcome(() => read('projectFlag')(bad))).toEqual({ error: ['TYPE', 'flag', 0, 'bool is 0 or 1, not 2'] })
  bad[0] = 1
  expect(outcome(() => read('projectFlag')(bad))).toEqual({ error: ['TYPE', 'end', 7, 'bool is 0 or 1, not 3'] })
})

test('faults of what is passed over have the place and the text of the engine', () => {
  const { read } = projectionsOf('struct{in:struct{a:list<string>,n:u16},l:list<u8>,s:string,t:tensors,z:u8}', { Z: ['z'] })
  const z = read('projectZ')
  const good = encode(parseSchema('struct{in:struct{a:list<string>,n:u16},l:list<u8>,s:string,t:tensors,z:u8}'), {
    in: { a: ['x', 'yy'], n: 1 },
    l: [1, 2],
    s: 'abc',
    t: [],
    z: 9,
  })
  expect(z(good)).toEqual({ z: 9 })
  expect(outcome(() => z(good.subarray(0, 14)))).toEqual({ error: ['EOF', 'in.a[1]', 9, '2 bytes of string announced, 1 left'] })
  expect(outcome(() => z(good.subarray(0, 16)))).toEqual({ error: ['EOF', 'in.n', 15, '2 bytes of u16 announced, 1 left'] })
  expect(outcome(() => z(new Uint8Array([...good, 0])))).toMatchObject({ error: ['TRAILING', '', good.length, expect.any(String)] })
  for (const [cap, path] of [['count', 'in.a'], ['numbers', 'l'], ['string', 's']]) {
    const limits = { [cap!]: cap === 'string' ? 2 : 1 }
    expect(outcome(() => z(good, { limits }))).toMatchObject({ error: ['LIMIT', path, expect.any(Number), expect.any(String)] })
  }
  good[good.length - 65] = 0
  expect(outcome(() => z(good))).toMatchObject({ error: ['FRAME', 't', good.length - 65, expect.any(String)] })
})

test('nothing is allocated for what is passed over', () => {
  const source = 'struct{a:list<f64>,b:list<string>,c:dict<u8,u8>,z:u8}'
  const { read } = projectionsOf(source, { Z: ['z'] })
  const input = encode(parseSchema(source) as Schema, { a: [1, 2, 3], b: ['x'], c: new Map([[1, 2]]), z: 1 } as never)
  resetAllocations()
  read('projectZ')(input)
  expect(allocations()).toEqual({ elements: 0, descriptors: 0 })
})

test('names that are taken are told apart, and that is said', () => {
  const { code, notes } = projectionsOf('struct{id:u8,item:struct{x:u8,y:u8}}', {
    Root: ['id'],
    RootItem: ['item.x'],
    'object': ['id'],
    'pass fault': ['id'],
    'byte reader': ['item.y'],
  })
  expect(notes).toEqual([
    'the name Root is taken; that type is called Root2',
    'the name RootItem is taken; that type is called RootItem2',
    'the name Object is taken; that type is called ObjectType',
    'the name ByteReader is taken; that type is called ByteReader2',
  ])
  for (const name of ['Root2', 'RootItem2', 'ObjectType', 'PassFault', 'ByteReader2'])
    expect(code).toContain(`export function project${name}(bytes: ByteInput, options?: ReadOptions): ${name} {`)
  expect(typeErrors(new Map([['x.ts', code]]))).toEqual([])
})

test('hostile names of projections and fields become no code', () => {
  const names = ['*/ export', "it's", '${x}', '__proto__', 'constructor', 'a\u2028b', '\u202eabc', 'class', 'View', '7up']
  const words = 'r n pos end view left maxCount field error start at value count list class'.split(' ')
  const fields = [...words, "it's", '*/', '`$(x)`', '\\u0027', '//']
  const source = `list<struct{${fields.map((field) => `${field}:string,${field}2:list<list<u8>>,${field}3:u16,`).join('')}}>`
  const paths = fields.flatMap((field) => [field, `${field}3`])
  const { code, read } = projectionsOf(source, Object.fromEntries(names.map((name) => [`${name} `, paths])))
  expect(typeErrors(new Map([['x.ts', code]]))).toEqual([])
  const value = Object.fromEntries(
    fields.flatMap((field, i) => [
      [field, field],
      [`${field}2`, [[i]]],
      [`${field}3`, i],
    ]),
  )
  const bytes = encode(parseSchema(source) as Schema, [value] as never)
  const wanted = Object.fromEntries(paths.map((path) => [path, value[path]]))
  for (const name of ['Export', 'ItS', 'X', 'Proto', 'Constructor', 'AB', 'Abc', 'Class', 'View', 'Type7up'])
    expect(read(`project${name}`)(bytes)).toEqual([wanted])
})

test('a path that leads nowhere is SCHEMA, and names the option', () => {
  expect(outcome(() => projectionsOf(text, { Some: ['id', 'nope'] }))).toEqual({
    error: [
      'SCHEMA',
      '',
      undefined,
      '--project Some: the path "nope" leads to no field; there are id, flags, name, vector, tags, user, pairs, switches, …',
    ],
  })
  expect(outcome(() => projectionsOf('list<f32>', { Some: ['a'] }))).toEqual({
    error: ['SCHEMA', '', undefined, '--project Some: the path "a" goes into list<f32>, which has no fields'],
  })
})

test('projections of a JSON Schema take its types and comments', () => {
  const document = {
    type: 'object',
    required: ['id', 'address'],
    properties: {
      id: { type: 'integer', description: 'Never used twice.' },
      note: { type: 'string' },
      address: { $ref: '#/$defs/address' },
    },
    $defs: { address: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } } },
  }
  const { code } = projectionsOf(JSON.stringify(document), { Place: ['id', 'address.city'], Whole: ['address'] })
  expect(code).toContain(`/** Some fields of {@link Root}. */
export interface Place {
  /** Never used twice. */
  id: bigint
  address: PlaceAddress
}

/** Some fields of {@link Address}. */
export interface PlaceAddress {
  city: string | undefined
}
`)
  expect(code).toContain('export interface Whole {\n  address: Address\n}')
})
