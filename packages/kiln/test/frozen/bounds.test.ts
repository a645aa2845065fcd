import { decode, encode, iterate, k, project, type Schema } from 'kiln-format'
import { expect, test } from 'vitest'
import { ByteWriter } from '../../src/bytes/writer.js'
import { codecOf } from '../../src/frozen/compile.js'
import { fault, type Fault } from '../support/fault.js'

const scalars = ['bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'bf16', 'f32', 'f64'] as const
const widths: Record<(typeof scalars)[number], number> = { bool: 1, i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, i64: 8, u64: 8, f16: 2, bf16: 2, f32: 4, f64: 8 }
const one = (name: (typeof scalars)[number]): unknown => (name === 'bool' ? true : name === 'i64' || name === 'u64' ? 1n : 1)

/** Writes with memory that begins small, whatever has been written before. */
function written(schema: Schema, value: unknown): Uint8Array {
  const w = new ByteWriter()
  codecOf(schema).write(w, value)
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

test.each(kinds.map(([schema, value]) => [schema.text, schema, value] as const))('%s: who passes over it fails where who reads it does, and takes what just fits', (_, schema, value) => {
  const As = k.struct({ first: k.u8, a: schema, b: schema, last: k.u8 })
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
