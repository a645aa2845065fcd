import { expect, test } from 'vitest'
import { encodeWith, entriesOf, grant, numbers, numbersWriter, objectPrototype, openReader, ownFields, writeTag } from 'kiln-format/runtime'
import type { ByteWriter } from 'kiln-format/runtime'
import { fault } from '../support/fault.js'

const names = ['id', 'note']

test('a plain object is read as it is', () => {
  const value = { id: 1 }
  expect(ownFields(value, names, false)).toBe(value)
  const bare = Object.assign(Object.create(null) as object, { id: 1 })
  expect(ownFields(bare, names, true)).toBe(bare)
})

test('of anything else only its own fields are seen', () => {
  class Base {
    note = 'own'
    get id(): number {
      return 5
    }
  }
  // Compared with its prototype: a field that is inherited is none.
  const bare = (fields: object): object => Object.assign(Object.create(null) as object, fields)
  expect(ownFields(new Base(), names, false)).toStrictEqual(bare({ note: 'own' }))
  expect(ownFields(Object.create({ id: 1 }) as object, names, false)).toStrictEqual(bare({}))
  expect(ownFields({ id: 1, more: 2 }, names, true)).toEqual({ id: 1 })
  expect(Object.getPrototypeOf(ownFields({ id: 1 }, names, true))).toBeNull()
  expect(objectPrototype).toBe(Object.prototype)
})

test.each([null, undefined, 'text', 5, [], new Uint8Array(2), () => 1])('%j is no struct', (value) => {
  expect(fault(() => ownFields(value as never, names, false))).toMatchObject({ code: 'TYPE' })
})

test.each([['Map', new Map([['a', 1]])], ['Promise', Promise.resolve(1)]] as const)('a %s without a field of its own is no struct', (name, value) => {
  expect(fault(() => ownFields(value, ['a', 'b'], false))).toMatchObject({ code: 'TYPE', detail: `struct takes an object with a, b, got an object (${name})` })
  const own = Object.assign(value, { b: 2 })
  expect({ ...ownFields(own, ['a', 'b'], false) }).toEqual({ b: 2 })
})

test('room that grows keeps what is written', () => {
  const bytes = encodeWith((w: ByteWriter, count: number) => {
    for (let i = 0; i < count; i++) w.bytes[grant(w, 1)] = i % 256
  }, 5000)
  expect(bytes.length).toBe(5000)
  expect(bytes.every((byte, i) => byte === i % 256)).toBe(true)
})

test.each([
  [undefined, 0],
  [null, 0],
  [0, 1],
  ['', 1],
  [false, 1],
])('the tag of %j is %i', (value, tag) => {
  const said: boolean[] = []
  const bytes = encodeWith((w: ByteWriter, given: unknown) => said.push(writeTag(w, given)), value as unknown)
  expect([...bytes, ...said]).toEqual([tag, tag === 1])
})

test('entries of a dict', () => {
  const map = new Map([['a', 1]])
  expect(entriesOf(map, 'string')).toBe(map)
  expect(entriesOf({ b: 2, a: 1 }, 'string')).toEqual([['b', 2], ['a', 1]])
  expect([...entriesOf(new Map([[1n, 1]]), 'u64')]).toEqual([[1n, 1]])
  expect(fault(() => entriesOf({ a: 1 } as never, 'u64')).code).toBe('TYPE')
  expect(fault(() => entriesOf([['a', 1]] as never, 'string')).code).toBe('TYPE')
})

test('a list of numbers is written, copied and pointed at', () => {
  const { read, view } = numbers('u16')
  const bytes = encodeWith(numbersWriter('u16'), [1, 0x203] as unknown)
  expect([...bytes]).toEqual([2, 0, 0, 0, 1, 0, 3, 2])
  const r = openReader(bytes, undefined, 'bigint')
  expect(read(r)).toEqual(Uint16Array.of(1, 0x203))
  r.pos = 0
  const list = view(r)
  expect([list.length, [...list.bytes], list.bytes.byteOffset - bytes.byteOffset]).toEqual([2, [1, 0, 3, 2], 4])
})
