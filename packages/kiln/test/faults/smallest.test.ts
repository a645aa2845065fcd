// The smallest inputs of faults that users of neighbouring formats have met, where no other test has them. `rows.ts` lists all.
import {
  decode, decodeFrame, decodePrefix, defaultLimits, encode, encodeDirectory, encodeFrame, k, open, parseSchema, project, readDirectory, tensor, view,
  type Schema,
} from 'kiln-format'
import { describe, expect, test } from 'vitest'
import { fault } from '../support/fault.js'
import { bytesOf, hexOf } from '../support/hex.js'

const back = (schema: Schema, value: unknown): unknown => decode(schema, encode(schema, value as never))

describe('counts are as wide as the format says', () => {
  test.each([65_535, 65_536, 70_000])('a dict of %i keys comes back', (count) => {
    const value = new Map(Array.from({ length: count }, (_, i) => [`k${i}`, i % 256]))
    expect(back(k.dict(k.string, k.u8), value)).toEqual(value)
  })

  test('long texts and lists overflow no stack', () => {
    const text = 'é'.repeat(300_000)
    expect(back(k.string, text)).toBe(text)
    const list = Array.from({ length: 300_000 }, (_, i) => `${i}`)
    expect(back(k.list(k.string), list)).toEqual(list)
    const map = new Map(list.map((item, i) => [item, i]))
    expect(back(k.dict(k.string, k.u32), map)).toEqual(map)
  })

  test('a cap names itself, and what it stops is read when it is raised', () => {
    const block = encodeDirectory(['a', 'b', 'c'].map((name) => tensor(name, 'u8', [1], [1])))
    const error = fault(() => readDirectory(block, { limits: { tensors: 2 } }))
    expect(error).toMatchObject({ code: 'LIMIT', offset: 16 })
    expect(error.detail).toContain('limits.tensors')
    expect(readDirectory(block, { limits: { tensors: 3 } }).length).toBe(3)
    expect(defaultLimits.tensors).toBe(2 ** 20)
  })
})

describe('64-bit integers', () => {
  test.each([
    [k.u64, '0000008002000000', 10_737_418_240n],
    [k.u64, 'ffffffffffffffff', 2n ** 64n - 1n],
    [k.i64, 'ffffffffffffffff', -1n],
    [k.i64, '00dc01aefdfdffff', -2_208_988_800_000n],
    [k.i64, '00000080ffffffff', -(2n ** 31n)],
    [k.i64, '00000000ffffffff', -(2n ** 32n)],
    [k.i64, '0000000000000080', -(2n ** 63n)],
    [k.i64, '0100000000002000', 9_007_199_254_740_993n],
  ] as const)('%s', (schema, hex, value) => {
    const bytes = bytesOf(hex)
    expect(decode(schema, bytes)).toBe(value)
    expect(view(schema, bytes)).toBe(value)
    expect(hexOf(encode(schema, value as never))).toBe(hex)
    const inStruct = k.struct({ a: k.u8, n: schema })
    expect(project(inStruct, ['n'])(Uint8Array.of(7, ...bytes))).toEqual({ n: value })
    expect(decodePrefix(schema, Uint8Array.of(...bytes, 1))).toEqual({ value, length: 8 })
  })

  test('the type follows from the schema, not from the value', () => {
    for (const n of [0n, 1n, 2n ** 53n, 2n ** 60n]) expect(typeof back(k.u64, n)).toBe('bigint')
    for (const list of [[], [1n], [2n ** 60n]]) expect(back(k.list(k.u64), list)).toBeInstanceOf(BigUint64Array)
    expect(readDirectory(encodeDirectory([tensor('t', 'i64', [0], [])])).at(0).copy()).toEqual(new BigInt64Array(0))
  })

  test('safe numbers are taken, others refused with their place', () => {
    const schema = k.struct({ n: k.u64 })
    expect(back(schema, { n: 1 })).toEqual({ n: 1n })
    for (const n of [1.5, 2 ** 53, -1, NaN, Infinity, '5', null, 2n ** 64n]) {
      expect(fault(() => encode(schema, { n } as never))).toMatchObject({ code: 'TYPE', path: 'n' })
    }
  })
})

test.each<[Schema, readonly unknown[]]>([
  [k.u8, [256, -1, 1.5, 1n]],
  [k.i8, [128, -129]],
  [k.u32, [2 ** 32]],
  [k.i32, [NaN, Infinity, '5', null]],
  [k.f16, [65_536, -1, 0.5]],
  [k.list(k.u8), [[1, 300], Uint16Array.of(300)]],
])('%o takes no number that it would change', (schema, values) => {
  for (const value of values) expect(fault(() => encode(schema, value as never)).code).toBe('TYPE')
})

test('a value that is falsy is there', () => {
  for (const [schema, value] of [[k.u64, 0n], [k.string, ''], [k.bool, false], [k.f64, NaN], [k.f64, -0], [k.u8, 0]] as const) {
    expect(Object.is(back(k.option(schema), value), value)).toBe(true)
  }
})

test.each([new Date(NaN), new Date(0)])('a Date is no number and no text', (date) => {
  for (const schema of [k.i64, k.f64, k.string]) expect(fault(() => encode(schema, date as never)).code).toBe('TYPE')
})

describe('zeros and ones alone', () => {
  test.each<[Schema, string, number]>([
    [k.bool, '02', 0],
    [k.option(k.u8), '0200', 0],
    [k.list(k.bool), '030000000001ff', 6],
  ])('%o %s', (schema, hex, offset) => {
    for (const read of [decode, view]) expect(fault(() => read(schema, bytesOf(hex)))).toMatchObject({ code: 'TYPE', offset })
  })
})

test('fields that take no room stand anywhere', () => {
  const none = k.option(k.u8)
  const schema = k.struct({ first: none, a: k.u8, empty: k.tensors, b: k.string, last: none })
  const value = { a: 1, empty: [], b: 'x' }
  const read = decode(schema, encode(schema, value))
  expect([read.first, read.a, read.empty.length, read.b, read.last]).toEqual([undefined, 1, 0, 'x', undefined])
  expect(fault(() => parseSchema('struct{a:u8,e:struct{},}')).code).toBe('SCHEMA')
  for (const zero of [0, 1, 2]) {
    const tensors = [0, 1, 2].map((i) => tensor(`t${i}`, 'f32', [i === zero ? 0 : 1], i === zero ? [] : [i]))
    expect([...readDirectory(encodeDirectory(tensors))].map((t) => [...t.copy('f32')])).toEqual([0, 1, 2].map((i) => (i === zero ? [] : [i])))
  }
})

describe('names of tensors', () => {
  test('a name twice is refused, other normal forms are other names', () => {
    expect(fault(() => encodeDirectory([tensor('w', 'u8', [0], []), tensor('w', 'u8', [0], [])]))).toMatchObject({ code: 'TYPE', path: 'w' })
    const names = ['\u00e9', 'e\u0301', '\ufeffw', 'w', '__proto__', 'constructor']
    const block = encodeDirectory(names.map((name, i) => tensor(name, 'u8', [1], [i])))
    names.forEach((name, i) => expect(readDirectory(block).get(name).copy('u8')).toEqual(Uint8Array.of(i)))
  })

  test.each([63, 64, 65, 200, 70_000])('a name of %i bytes is whole, and differs by its last byte', async (length) => {
    const names = ['a', 'b'].map((end) => 'x'.repeat(length - 1) + end)
    const block = encodeDirectory(names.map((name, i) => tensor(name, 'u8', [1], [i])))
    const model = await open(block)
    expect(model.names).toEqual(names)
    for (const [i, name] of names.entries()) expect((await model.load(name)).bytes).toEqual(Uint8Array.of(i))
  })
})

test('a schema text with names of JavaScript changes no prototype', () => {
  for (const name of ['constructor', 'hasOwnProperty', 'toString']) {
    const schema = parseSchema(`struct{${name}:struct{${name}:u8,},}`) as Schema
    expect(back(schema, { [name]: { [name]: 5 } })).toEqual({ [name]: { [name]: 5 } })
  }
  expect(fault(() => parseSchema('struct{__proto__:u8,}')).code).toBe('SCHEMA')
  expect(fault(() => parseSchema('struct{A(){};globalThis.p=1;//:u8,}')).code).toBe('SCHEMA')
  expect(['polluted', 'p'].map((name) => (globalThis as Record<string, unknown>)[name])).toEqual([undefined, undefined])
  expect(fault(() => encode(k.struct({ x: k.u8 }), JSON.parse('{"__proto__":{"x":1}}') as never))).toMatchObject({ code: 'TYPE', path: 'x' })
})

test('no code is made at run time: 100 values decode after Function is gone', () => {
  const own = globalThis.Function
  const schema = k.list(k.struct({ a: k.u8, b: k.string, c: k.option(k.f64) }))
  const values = Array.from({ length: 100 }, (_, i) => ({ a: i, b: `${i}`, c: i / 2 }))
  globalThis.Function = (() => {
    throw new Error('forbidden')
  }) as unknown as FunctionConstructor
  try {
    expect(back(schema, values)).toEqual(values)
  } finally {
    globalThis.Function = own
  }
})

describe('memory', () => {
  test('a small value of a large frame keeps none of it', () => {
    const schema = k.struct({ small: k.bytes, large: k.bytes })
    const frame = encodeFrame(schema, { small: Uint8Array.of(1, 2, 3, 4), large: new Uint8Array(4_000_000) })
    expect(decodeFrame(frame, schema).value.small.buffer.byteLength).toBe(4)
  })

  test('a thousand results are independent', () => {
    const results = Array.from({ length: 1000 }, (_, i) => encode(k.struct({ a: k.u32, b: k.string }), { a: i, b: `${i}` }))
    results.forEach((bytes, i) => {
      expect(bytes.buffer.byteLength).toBe(bytes.length)
      expect(decode(k.struct({ a: k.u32, b: k.string }), bytes)).toEqual({ a: i, b: `${i}` })
    })
  })
})
