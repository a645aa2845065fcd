import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  decode, encode, iterate, iterateView, k, parseSchema, project, projectView, tensor, view,
  type NumberList,
} from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { fault } from '../support/fault.js'
import { bytesOf } from '../support/hex.js'

const Row = k.struct({
  id: k.i64,
  flags: k.struct({ a: k.bool, b: k.u16 }),
  name: k.string,
  vector: k.list(k.f32),
  tags: k.dict(k.string, k.list(k.string)),
  user: k.option(k.struct({ name: k.string, age: k.u8, 'dotted.name': k.u8 })),
  pairs: k.list(k.struct({ x: k.u8, y: k.u16 })),
  switches: k.list(k.bool),
  batch: k.tensors,
  blob: k.bytes,
  score: k.f64,
})
const row = (id: number) => ({
  id,
  flags: { a: true, b: id },
  name: `row ${id}`,
  vector: [id, id / 2],
  tags: { a: ['x', 'yy'], b: [] },
  user: id % 2 === 0 ? { name: `u${id}`, age: id, 'dotted.name': 7 } : undefined,
  pairs: [{ x: 1, y: 2 }, { x: 3, y: id }],
  switches: [true, false],
  batch: [tensor('w', 'f32', [2], [id, 1])],
  blob: Uint8Array.of(id),
  score: id * 1.5,
})
const Rows = k.list(Row)
const bytes = encode(Rows, [1, 2, 3].map(row))

describe('project', () => {
  test('reads the fields that are named, and passes over the rest', () => {
    const read = project(Rows, ['id', 'score'])
    expect(read(bytes)).toEqual([{ id: 1n, score: 1.5 }, { id: 2n, score: 3 }, { id: 3n, score: 4.5 }])
    expect(read(bytes, { int64: 'number' })).toEqual([{ id: 1, score: 1.5 }, { id: 2, score: 3 }, { id: 3, score: 4.5 }])
    expectTypeOf(read(bytes)).toEqualTypeOf<{ id: bigint; score: number }[]>()
    expect(project(Row, ['score'])(encode(Row, row(5)))).toEqual({ score: 7.5 })
  })

  test('every single field, as decode gives it', () => {
    const all = decode(Rows, bytes)
    for (const name of Row.names) {
      const some = project(Rows, [name as 'id'])(bytes) as unknown as Record<string, unknown>[]
      expect(some.map((part) => Object.keys(part))).toEqual([[name], [name], [name]])
      const plain = (value: unknown): unknown => (name === 'batch' ? [...(value as Iterable<{ name: string }>)].map((t) => t.name) : value)
      expect(some.map((part) => plain(part[name]))).toEqual(all.map((part) => plain((part as Record<string, unknown>)[name])))
    }
  })

  test('paths go through lists, options, dicts and dotted names', () => {
    const read = project(Rows, ['user.name', 'pairs.y', 'user.dotted.name'])
    expect(read(bytes)[0]).toEqual({ user: undefined, pairs: [{ y: 2 }, { y: 1 }] })
    expect(read(bytes)[1]).toEqual({ user: { name: 'u2', 'dotted.name': 7 }, pairs: [{ y: 2 }, { y: 2 }] })
    const Dict = k.dict(k.u8, k.struct({ a: k.u8, b: k.string }))
    expect(project(Dict, ['b'])(encode(Dict, new Map([[1, { a: 2, b: 'x' }]])))).toEqual(new Map([[1, { b: 'x' }]]))
    expect(project(Row, ['user', 'user.name'])(encode(Row, row(2))).user).toEqual({ name: 'u2', age: 2, 'dotted.name': 7 })
    expect(project(Row, ['user.name', 'user'])(encode(Row, row(2))).user).toEqual({ name: 'u2', age: 2, 'dotted.name': 7 })
  })

  test('a dotted field and a path of the same text: the longest name is meant', () => {
    const schema = k.struct({ a: k.struct({ b: k.u8 }), 'a.b': k.u16 })
    expect(project(schema, ['a.b'] as never)(encode(schema, { a: { b: 1 }, 'a.b': 2 }))).toEqual({ 'a.b': 2 })
  })

  test('borrowed', () => {
    const [first] = projectView(Rows, ['vector', 'blob'])(bytes)
    expectTypeOf(first!.vector).toEqualTypeOf<NumberList<'f32'>>()
    expect(first!.vector.at(1)).toBe(0.5)
    expect(first!.blob.buffer).toBe(bytes.buffer)
  })

  test.each<[string[], string]>([
    [['nope'], 'the path "nope" leads to no field; there are id, flags, name, vector, tags, user, pairs, switches, …'],
    [['idx'], 'the path "idx" leads to no field; there are id, flags, name, vector, tags, user, pairs, switches, …'],
    [['.id'], 'the path ".id" leads to no field; there are id, flags, name, vector, tags, user, pairs, switches, …'],
    [['user.nope'], 'the path "user.nope" leads to no field; there are name, age, dotted.name'],
    [['id.x'], 'the path "id.x" goes into i64, which has no fields'],
    [['constructor'], 'the path "constructor" leads to no field; there are id, flags, name, vector, tags, user, pairs, switches, …'],
    [[''], 'the path "" leads to no field; there are id, flags, name, vector, tags, user, pairs, switches, …'],
    [[], `project takes the paths of some fields, such as ['id', 'user.name']; got an array of 0`],
    [[7 as never], `a path is a string such as 'user.name', got 7`],
  ])('%j leads nowhere', (paths, detail) => {
    expect(fault(() => project(Rows, paths as never))).toMatchObject({ code: 'SCHEMA', detail })
  })

  test('the checks of structure are those of decode, with the same place', () => {
    const Small = k.struct({ a: k.list(k.string), b: k.option(k.u16), c: k.struct({ d: k.u32, e: k.u32 }), f: k.dict(k.u8, k.string), z: k.u8 })
    const good = encode(Small, { a: ['x', 'yy'], b: 3, c: { d: 1, e: 2 }, f: new Map([[1, 'v']]), z: 9 })
    const read = project(Small, ['z'])
    expect(read(good)).toEqual({ z: 9 })
    for (let length = 0; length < good.length; length++) {
      const cut = good.subarray(0, length)
      expect(fault(() => read(cut)).code).toBe('EOF')
      expect(fault(() => read(cut)).offset).toBe(fault(() => decode(Small, cut)).offset)
    }
    expect(fault(() => read(new Uint8Array([...good, 0])))).toMatchObject({ code: 'TRAILING', offset: good.length })
    for (let at = 0; at < good.length; at++) {
      for (const to of [0xff, 0x02]) {
        const bad = good.slice()
        bad[at] = to
        let want: unknown
        try {
          want = { z: decode(Small, bad).z }
        } catch (error) {
          want = error
        }
        if (want instanceof Error) {
          // Values that are passed over are not looked at: text that is not UTF-8.
          if ((want as { code?: string }).code === 'UTF8') continue
          const { code, offset } = want as unknown as { code: string; offset: number }
          expect(fault(() => read(bad))).toMatchObject({ code, offset })
        } else expect(read(bad)).toEqual(want)
      }
    }
  })

  test('a fault behind a field that is read, in what is passed over', () => {
    const schema = k.struct({ a: k.string, b: k.u8, c: k.string, d: k.u16 })
    const good = encode(schema, { a: 'x', b: 7, c: 'yz', d: 3 })
    const read = project(schema, ['b'])
    expect(read(good)).toEqual({ b: 7 })
    expect(fault(() => read(good.subarray(0, 11)))).toMatchObject({ code: 'EOF', path: 'c', offset: 6, detail: '2 bytes of string announced, 1 left' })
    expect(fault(() => read(good.subarray(0, 13)))).toMatchObject({ code: 'EOF', path: 'd', offset: 12 })
  })

  test('what is no schema is SCHEMA, before anything is read', () => {
    const lookalike = { kind: 'list', element: { kind: 'u8', text: 'u8' }, text: 'list<u8>' }
    for (const none of [undefined, null, 'list<u8>', {}, lookalike] as never[]) {
      for (const use of [() => project(none, ['a'] as never), () => projectView(none, ['a'] as never), () => iterate(none, bytes), () => iterateView(none, bytes)]) {
        expect(fault(use).code).toBe('SCHEMA')
      }
    }
  })

  test('caps hold for what is passed over', () => {
    const schema = parseSchema('struct{a:list<u8>,b:list<bool>,c:string,d:tensors,z:u8}')
    const value = encode(schema, { a: [1, 2], b: [true, false], c: 'xy', d: [tensor('', 'u8', [1], [1])], z: 5 })
    const read = project(schema, ['z'])
    expect(read(value)).toEqual({ z: 5 })
    expect(fault(() => read(value, { limits: { numbers: 1 } }))).toMatchObject({ code: 'LIMIT', path: 'a' })
    expect(fault(() => read(value, { limits: { count: 1 } }))).toMatchObject({ code: 'LIMIT', path: 'b' })
    expect(fault(() => read(value, { limits: { string: 1 } }))).toMatchObject({ code: 'LIMIT', path: 'c' })
    expect(fault(() => read(value, { limits: { tensors: 0 } }))).toMatchObject({ code: 'LIMIT', path: 'd' })
  })

  test('values that are passed over are not looked at', () => {
    const schema = k.struct({ flag: k.bool, text: k.string, z: k.u8 })
    expect(project(schema, ['z'])(bytesOf('02 01000000ff 07'))).toEqual({ z: 7 })
    expect(fault(() => project(schema, ['flag'])(bytesOf('02 01000000ff 07'))).code).toBe('TYPE')
  })

  test('nothing is allocated for what is passed over', () => {
    resetAllocations()
    project(k.struct({ a: k.list(k.f64), b: k.list(k.string), z: k.u8 }), ['z'])(
      encode(k.struct({ a: k.list(k.f64), b: k.list(k.string), z: k.u8 }), { a: [1, 2, 3], b: ['x'], z: 1 }),
    )
    expect(allocations()).toEqual({ elements: 0, descriptors: 0 })
  })
})

describe('iterate', () => {
  test('gives one element after the other', () => {
    const seen = [...iterate(Rows, bytes)]
    expect(seen.map(({ id, name }) => [id, name])).toEqual([[1n, 'row 1'], [2n, 'row 2'], [3n, 'row 3']])
    expect([...iterate(Rows, bytes, { int64: 'number' })].map(({ id }) => id)).toEqual([1, 2, 3])
    expect([...iterate(k.list(k.u16), encode(k.list(k.u16), [1, 2]))]).toEqual([1, 2])
    expect([...iterate(k.list(k.bool), encode(k.list(k.bool), []))]).toEqual([])
    const [first] = iterateView(Rows, bytes)
    expect(first!.vector.borrow).toBeTypeOf('function')
    expect(view(Rows, bytes)[0]!.vector.at(0)).toBe(first!.vector.at(0))
  })

  test('elements before a fault come, and then the fault with its index', () => {
    const rows = iterate(Rows, bytes.subarray(0, bytes.length - 1))
    expect(rows.next().value?.id).toBe(1n)
    expect(rows.next().value?.id).toBe(2n)
    expect(fault(() => rows.next())).toMatchObject({ code: 'EOF', path: '[2].score' })
  })

  test('the count is checked first, the end last', () => {
    expect(fault(() => iterate(k.list(k.string), bytesOf('05000000 00000000')).next())).toMatchObject({ code: 'EOF', offset: 0 })
    const two = iterate(k.list(k.u8), bytesOf('01000000 07 08'))
    expect(two.next().value).toBe(7)
    expect(fault(() => two.next())).toMatchObject({ code: 'TRAILING', offset: 5 })
    expect(fault(() => iterate(k.u8 as never, bytesOf('00'))).detail).toBe('iterate goes through a list, the schema is u8')
  })

  test('no array is built', () => {
    resetAllocations()
    for (const _ of iterate(k.list(k.u8), encode(k.list(k.u8), [1, 2, 3]))) expect(allocations()).toEqual({ elements: 0, descriptors: 0 })
  })
})
