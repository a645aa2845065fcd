import { compile, decode, decodePrefix, encode, iterate, k, parseSchema, project, view, type Schema, type Struct } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { expect, test } from 'vitest'
import { ByteWriter } from '../../src/bytes/writer.js'
import { writerOf } from '../../src/frozen/writers.js'
import { fault, type Fault } from '../support/fault.js'

const scalars = ['bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'bf16', 'f32', 'f64'] as const
const widths: Record<(typeof scalars)[number], number> = { bool: 1, i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, i64: 8, u64: 8, f16: 2, bf16: 2, f32: 4, f64: 8 }
const one = (name: (typeof scalars)[number]): unknown => (name === 'bool' ? true : name === 'i64' || name === 'u64' ? 1n : 1)

/** Writes with memory that begins small, whatever has been written before. */
function written(schema: Schema, value: unknown): Uint8Array {
  const w = new ByteWriter()
  writerOf(schema)(w, value)
  return w.finish()
}

test.each(scalars)('%s: as many as there are, over every growth of the memory, at every place', (name) => {
  const Row = k.struct({ a: k[name] })
  const Rows = k.struct({ pad: k.bytes, rows: k.list(Row as Schema) })
  for (const pad of widths[name] === 1 ? [0] : [0, 1]) {
    const bytes = written(Rows, { pad: new Uint8Array(pad), rows: Array.from({ length: 9000 / widths[name] }, () => ({ a: one(name) })) })
    expect(bytes.length).toBe(8 + pad + Math.floor(9000 / widths[name]) * widths[name])
    const last = encode(Row as Schema, { a: one(name) } as never)
    for (let at = 8 + pad; at < bytes.length; at += widths[name]) {
      if (last.some((byte, i) => bytes[at + i] !== byte)) throw new Error(`${name} at ${at} is another`)
    }
  }
})

test('tags, lengths and counts over every growth of the memory', () => {
  const many: readonly (readonly [Schema, unknown, number])[] = [
    [k.option(k.u8), undefined, 1], [k.option(k.u8), 7, 2], [k.string, '', 4], [k.string, 'é', 6], [k.bytes, new Uint8Array(0), 4], [k.list(k.u8), [], 4],
    [k.list(k.bool), [], 4], [k.dict(k.u8, k.u8), new Map(), 4],
  ]
  for (const [schema, value, size] of many) {
    for (const lead of [0, 3]) {
      const As = k.struct({ lead: k.bytes, all: k.list(schema) })
      const bytes = written(As, { lead: new Uint8Array(lead), all: Array.from({ length: 3000 }, () => value) })
      expect([schema.text, bytes.length]).toEqual([schema.text, 8 + lead + 3000 * size])
      expect(Buffer.compare(written(As, decode(As, bytes)), bytes)).toBe(0)
    }
  }
})

test.each(scalars)('%s is named where the input ends before it', (name) => {
  const width = widths[name]
  for (let there = 0; there < width; there++) {
    expect(fault(() => decode(k[name], new Uint8Array(there)))).toMatchObject({
      code: 'EOF', offset: 0, detail: fault(() => decode(k.u8, new Uint8Array(0))).detail.replace('u8', name).replace('1', String(width)).replace('0', String(there)),
    })
  }
})

const kinds: readonly (readonly [Schema, unknown])[] = [
  ...scalars.map((name) => [k[name], one(name)] as const),
  [k.string, 'abc'], [k.bytes, Uint8Array.of(1, 2)], [k.list(k.u16), [1, 2]], [k.list(k.bool), [true, false]], [k.list(k.string), ['a', '', 'b']],
  [k.list(k.struct({ x: k.u8, y: k.u16 })), [{ x: 1, y: 2 }, { x: 3, y: 4 }]], [k.list(k.struct({ x: k.u8, y: k.string })), [{ x: 1, y: 'b' }, { x: 2, y: '' }]],
  [k.list(k.list(k.u8)), [[1], [], [2, 3]]], [k.dict(k.string, k.u8), new Map([['a', 1], ['', 2]])], [k.dict(k.u8, k.string), new Map([[1, 'a'], [2, '']])],
  [k.dict(k.i64, k.list(k.u8)), new Map([[1n, [1]], [2n, []]])], [k.option(k.u32), 5], [k.option(k.string), undefined], [k.option(k.list(k.string)), ['a']],
  [k.struct({ a: k.u8, b: k.f64, c: k.string, d: k.u8 }), { a: 1, b: 2, c: 'c', d: 4 }], [k.tensors, []], [k.list(k.tensors), [[], []]],
]

test.each(kinds.map(([schema, value]) => [schema.text, schema, value] as const))('%s: who passes over it fails where who reads it does, and takes what just fits', (text, schema, value) => {
  // A type of its own each time: what is made of a schema is kept by the schema.
  const As = parseSchema(`struct{first:u8,a:${text},b:${text},last:u8}`) as Struct
  const bytes = encode(As, { first: 1, a: value, b: value, last: 9 } as never)
  const last = project(As, ['last'] as never)
  expect(last(bytes)).toEqual({ last: 9 })
  for (let length = 0; length < bytes.length; length++) {
    const cut = bytes.subarray(0, length)
    // Who passes over a dict's value has not looked at its key, and says which entry it is.
    const told = ({ code, offset, detail, path }: Fault): unknown => [length, code, offset, detail, schema.kind === 'dict' ? path.replace(/\[.*/, '') : path]
    const want = fault(() => decode(As, cut))
    expect(want.code).toBe('EOF')
    expect(told(fault(() => last(cut)))).toEqual(told(want))
  }
})

/** Whether each list of numbers and each bytes value of what was seen points into the input. */
function pointsInto(schema: Schema, value: unknown, input: Uint8Array): boolean {
  switch (schema.kind) {
    case 'bytes':
      return (value as Uint8Array).buffer === input.buffer
    case 'list':
      if (Array.isArray(value)) return value.every((item) => pointsInto(schema.element, item, input))
      return typeof (value as { borrow?: unknown }).borrow === 'function'
    case 'dict':
      return [...(value as Map<unknown, unknown>).values()].every((item) => pointsInto(schema.value, item, input))
    case 'option':
      return value === undefined || pointsInto(schema.some, value, input)
    case 'struct':
      return schema.names.every((name) => pointsInto(schema.fields[name]!, (value as Record<string, unknown>)[name], input))
    default:
      return true
  }
}

test('what is seen points into the input at every depth, what is read does not', () => {
  const around = ['', 'list<', 'dict<u8,', 'option<', 'struct{x:u8,a:', 'list<option<', 'dict<string,list<', 'option<struct{a:u8,b:']
  const values: readonly ((inner: unknown) => unknown)[] = [
    (v) => v, (v) => [v, v], (v) => new Map([[1, v]]), (v) => v, (v) => ({ x: 1, a: v }), (v) => [v, undefined], (v) => new Map([['a', [v]]]), (v) => ({ a: 1, b: v }),
  ]
  const ends = ['', '>', '>', '>', ',}', '>>', '>>', ',}>']
  for (const [inner, value] of [['list<u16>', [1, 2]], ['bytes', Uint8Array.of(1)]] as const) {
    around.forEach((open, i) => {
      const schema: Schema = parseSchema(`${open}${inner}${ends[i]!}` as string)
      const bytes = encode(schema, values[i]!(value) as never)
      expect([schema.text, pointsInto(schema, view(schema, bytes), bytes), pointsInto(schema, decode(schema, bytes), bytes)]).toEqual([schema.text, true, false])
    })
  }
})

test('caps hold to their last number, for readers and for those who pass over', () => {
  const cases: readonly (readonly [Schema, unknown, string, number])[] = [
    [k.string, 'abc', 'string', 3], [k.list(k.string), ['a', 'b'], 'count', 2], [k.list(k.string), ['abc'], 'string', 3], [k.list(k.u16), [1, 2], 'numbers', 2],
    [k.list(k.bool), [true], 'count', 1], [k.list(k.struct({ x: k.u8 })), [{ x: 1 }, { x: 2 }], 'count', 2], [k.dict(k.string, k.u8), new Map([['ab', 1]]), 'string', 2],
    [k.dict(k.u8, k.u8), new Map([[1, 1], [2, 2]]), 'count', 2], [k.option(k.string), 'ab', 'string', 2],
  ]
  for (const [schema, value, cap, most] of cases) {
    const As = k.struct({ a: schema, b: schema, last: k.u8 })
    const bytes = encode(As, { a: value, b: value, last: 9 } as never)
    const last = project(As, ['last'] as never)
    for (const options of [{ limits: { [cap]: most } }, { limits: { [cap]: most - 1 } }]) {
      const at = options.limits[cap] === most
      if (at) expect([schema.text, decode(As, bytes, options) !== undefined, last(bytes, options)]).toEqual([schema.text, true, { last: 9 }])
      else {
        const want = fault(() => decode(As, bytes, options))
        expect([schema.text, want.code, fault(() => last(bytes, options))]).toEqual([schema.text, 'LIMIT', want])
        if (schema.kind !== 'list') continue
        const list = encode(schema, value as never)
        if (fault(() => decode(schema, list, options)).path === '') {
          expect(fault(() => [...(iterate(schema as never, list, options) as Iterable<unknown>)])).toEqual(fault(() => decode(schema, list, options)))
        }
      }
    }
  }
})

test('what changes while it is written is TYPE', () => {
  for (const by of [1, -1]) {
    const list = ['a', 'b', 'c']
    Object.defineProperty(list, 0, { get: () => ((list.length = 3 + by), 'a'), configurable: true })
    expect(fault(() => encode(k.list(k.string), list)).code).toBe('TYPE')
  }
})

test('a count is held against the least that all parts of its entries take', () => {
  const pair = k.struct({ x: k.u8, y: k.u16 })
  // Two entries take 6 bytes, and 5 are there.
  expect(fault(() => decode(k.list(pair), Uint8Array.of(2, 0, 0, 0, 1, 2, 0, 3, 4)))).toMatchObject({ code: 'EOF', path: '', offset: 0 })
  const by = k.dict(k.u16, k.struct({ a: pair, b: k.u8 }))
  const cut = Uint8Array.of(1, 0, 0, 0, 1, 0, 1, 2, 0)
  expect(fault(() => decode(by, cut))).toMatchObject({ code: 'EOF', path: '', offset: 0 })
  expect(fault(() => project(by, ['b'] as never)(cut))).toMatchObject({ code: 'EOF', path: '', offset: 0 })
  resetAllocations()
  decode(k.dict(k.u8, k.u8), Uint8Array.of(2, 0, 0, 0, 1, 1, 2, 2))
  expect(allocations().elements).toBe(2)
})

test('what is left over is told by who finds it', () => {
  const more = Uint8Array.of(1, 0, 0, 0, 7, 9)
  expect(fault(() => project(k.list(k.struct({ a: k.u8 })), ['a'] as never)(more)).detail).toBe(fault(() => decode(k.list(k.u8), more)).detail)
  expect(fault(() => [...iterate(k.list(k.u8), more)]).detail).toBe(fault(() => decode(k.list(k.u8), more)).detail.replace('value', 'list'))
  expect(fault(() => iterate(k.u8 as never, more)).code).toBe('SCHEMA')
  expect(fault(() => decodePrefix(k.string, Uint8Array.of(9, 0, 0, 0, 7)))).toMatchObject({ code: 'EOF', offset: 0 })
})

test('what is no struct, no key and no number is told as it is', () => {
  const six = k.struct(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, k.u8])))
  expect(fault(() => encode(six, 5 as never)).detail).toBe('struct takes an object with a, b, c, d, e, …, got 5')
  for (const key of [{}, () => 0, Symbol.iterator]) {
    const error = fault(() => encode(k.dict(k.u8, k.u8), new Map([[key as never, 1]])))
    expect([error.code, error.path]).toEqual(['TYPE', `[${JSON.stringify(typeof key === 'symbol' ? String(key) : /got (.*)$/.exec(error.detail)![1])}]`])
  }
  for (const kind of [k.i64, k.u64] as const) {
    expect(fault(() => encode(k.dict(kind, k.u8), new Map<number | bigint, number>([[1, 1], [1n, 2]]) as never))).toMatchObject({ code: 'TYPE', detail: expect.stringContaining('stands twice') as string })
    expect(encode(k.dict(kind, k.u8), new Map<number | bigint, number>([[1, 1], [2n, 2]]) as never).length).toBe(22)
  }
  expect([compile(six)['~standard'].vendor, compile(six)['~standard'].version]).toEqual(['kiln-format', 1])
  expect(compile(k.dict(k.string, k.u8))['~standard'].validate({ a: 256 })).toMatchObject({ issues: [{ path: [{ key: 'a' }] }] })
})
