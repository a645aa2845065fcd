import { describe, expect, test } from 'vitest'
import { encode, formatHash, isSchema, k, parseSchema, type Schema } from 'kiln-format'
import { fault } from '../support/fault.js'

describe('builders', () => {
  test('a schema is a frozen plain object with its text, hash and depth', () => {
    const schema = k.struct({ id: k.i64, batch: k.tensors })
    expect(Object.isFrozen(schema)).toBe(true)
    expect(Object.isFrozen(schema.fields)).toBe(true)
    expect(Object.isFrozen(schema.names)).toBe(true)
    expect([schema.kind, schema.text, schema.hash, schema.depth]).toEqual([
      'struct', 'struct{id:i64,batch:tensors,}', 0xe58aadc7552f0d82n, 1,
    ])
    expect(formatHash(schema.hash)).toBe('0xe58aadc7552f0d82')
    expect(formatHash(1n)).toBe('0x0000000000000001')
  })

  test('every type prints itself', () => {
    const all = k.struct({
      a: k.bool, b: k.i8, c: k.u8, d: k.i16, e: k.u16, f: k.i32, g: k.u32, h: k.i64, i: k.u64, j: k.f16, k: k.bf16, l: k.f32,
      m: k.f64, n: k.string, o: k.bytes, p: k.tensors, q: k.list(k.bool), r: k.dict(k.u8, k.list(k.f16)), s: k.option(k.bytes),
    })
    expect(all.text).toBe(
      'struct{a:bool,b:i8,c:u8,d:i16,e:u16,f:i32,g:u32,h:i64,i:u64,j:f16,k:bf16,l:f32,m:f64,n:string,o:bytes,p:tensors,' +
        'q:list<bool>,r:dict<u8,list<f16>>,s:option<bytes>,}',
    )
    expect(all.depth).toBe(3)
    expect(parseSchema(all.text).hash).toBe(all.hash)
  })

  test('two that print alike are interchangeable', () => {
    const a = k.list(k.struct({ x: k.u8 }))
    const b = parseSchema('list<struct{x:u8,}>')
    expect(encode(a, [{ x: 1 }])).toEqual(encode(b, [{ x: 1 }]))
    expect(a.hash).toBe(b.hash)
  })

  test('integer names keep their order in the form of a list', () => {
    const schema = k.struct([['b', k.u8], ['1', k.u16], ['0', k.u8]])
    expect(schema.text).toBe('struct{b:u8,1:u16,0:u8,}')
    expect([...encode(schema, { b: 1, 1: 2, 0: 3 })]).toEqual([1, 2, 0, 3])
    expect(fault(() => k.struct({ b: k.u8, 1: k.u8 }))).toMatchObject({
      code: 'SCHEMA',
      detail: `JavaScript moves the field "1" to the front of an object; give the fields as a list: struct([['a', k.u8], …])`,
    })
    expect(fault(() => k.struct({ b: k.u8, 10: k.u8 })).detail).toContain('moves the field "10"')
    expect(k.struct({ b: k.u8, '1x': k.u8 }).text).toBe('struct{b:u8,1x:u8,}')
    expect(k.struct({ 1: k.u8 }).text).toBe('struct{1:u8,}')
    expect(k.struct({ '01': k.u8, a: k.u8 }).text).toBe('struct{01:u8,a:u8,}')
  })

  test('names that stand on Object.prototype are fields like others', () => {
    const schema = k.struct({ constructor: k.u8, toString: k.u8, hasOwnProperty: k.u8, valueOf: k.u8 })
    expect(schema.names).toEqual(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])
    expect(Object.getPrototypeOf(schema.fields)).toBe(null)
  })

  const bad = (schema: unknown): Schema => schema as Schema
  test.each<[string, () => unknown, string]>([
    ['list of no schema', () => k.list(bad('u8')), `a list's element must be a schema, such as k.u8 or k.list(k.f32); got "u8"`],
    ['list of undefined', () => k.list(bad(undefined)), `a list's element must be a schema, such as k.u8 or k.list(k.f32); got undefined`],
    ['look-alike that is not frozen', () => k.list(bad({ ...k.u8 })), `a list's element must be a schema, such as k.u8 or k.list(k.f32); got an object (Object)`],
    ['dict with a key of f32', () => k.dict(bad(k.f32) as typeof k.u8, k.u8), `a dict's key is string, bool or an integer type, not f32`],
    ['dict with a key of f16', () => k.dict(bad(k.f16) as typeof k.u8, k.u8), `a dict's key is string, bool or an integer type, not f16`],
    ['dict with a key of bytes', () => k.dict(bad(k.bytes) as typeof k.u8, k.u8), `a dict's key is string, bool or an integer type, not bytes`],
    ['dict with no key', () => k.dict(bad(null) as typeof k.u8, k.u8), `a dict's key must be a schema, such as k.u8 or k.list(k.f32); got null`],
    ['dict with no value', () => k.dict(k.u8, bad(1)), `a dict's value must be a schema, such as k.u8 or k.list(k.f32); got 1`],
    ['option in option', () => k.option(k.option(k.u8)), `an option directly in an option can't be told from it; put a struct between`],
    ['option of nothing', () => k.option(bad(undefined)), `an option's type must be a schema, such as k.u8 or k.list(k.f32); got undefined`],
    ['struct of nothing', () => k.struct({}), 'a struct has at least one field'],
    ['struct of null', () => k.struct(null as never), 'struct takes its fields as an object or a list, got null'],
    ['struct of a text', () => k.struct('ab' as never), 'struct takes its fields as an object or a list, got "ab"'],
    ['struct with a number for a name', () => k.struct([[1, k.u8]] as never), `a field's name must be a string, got 1`],
    ['struct with a field of no schema', () => k.struct({ 'a b': 7 as never, }), `"a b" can't be a field's name: 1 to 255 characters of printable ASCII without { } < > : ,`],
    ['struct with a wrong field', () => k.struct({ ab: 7 as never }), `the field "ab" must be a schema, such as k.u8 or k.list(k.f32); got 7`],
    ['a name twice', () => k.struct([['a', k.u8], ['a', k.u8]]), 'the field "a" stands twice in one struct'],
    ['__proto__', () => k.struct([['__proto__', k.u8]]), `a field can't be named "__proto__"; rename it`],
    ['an empty name', () => k.struct([['', k.u8]]), `"" can't be a field's name: 1 to 255 characters of printable ASCII without { } < > : ,`],
    ['a name of 256', () => k.struct([['x'.repeat(256), k.u8]]), `"${'x'.repeat(60)}..." can't be a field's name: 1 to 255 characters of printable ASCII without { } < > : ,`],
    ['a name of 60 with é', () => k.struct([['é'.repeat(60), k.u8]]), `"${'é'.repeat(60)}" can't be a field's name: 1 to 255 characters of printable ASCII without { } < > : ,`],
    ['a name with é', () => k.struct([['é', k.u8]]), `"é" can't be a field's name: 1 to 255 characters of printable ASCII without { } < > : ,`],
  ])('%s is SCHEMA', (_, build, detail) => {
    expect(fault(build)).toMatchObject({ code: 'SCHEMA', detail })
  })

  test('a name of 255 characters, and every allowed character, is one', () => {
    const name = Array.from({ length: 0x7f - 0x21 }, (_, i) => String.fromCharCode(0x21 + i)).join('').replace(/[{}<>:,]/g, '')
    expect(k.struct([['x'.repeat(255), k.u8], [name, k.u8]]).names).toEqual(['x'.repeat(255), name])
    expect(parseSchema(`struct{${name}:u8,}` as string).text).toBe(`struct{${name}:u8,}`)
    for (const mark of '{}<>:, \t\n\u007f\u0000') {
      expect(fault(() => k.struct([[`a${mark}b`, k.u8]])).code).toBe('SCHEMA')
    }
  })

  test('64 levels are possible, 65 are LIMIT, in text too', () => {
    let schema: Schema = k.u8
    for (let i = 0; i < 64; i++) schema = k.list(schema)
    expect(schema.depth).toBe(64)
    expect(fault(() => k.list(schema))).toMatchObject({ code: 'LIMIT', detail: 'schemas nest at most 64 levels deep; flatten it' })
    expect(fault(() => k.dict(k.u8, schema)).code).toBe('LIMIT')
    expect(fault(() => k.option(schema)).code).toBe('LIMIT')
    expect(fault(() => k.struct({ a: schema })).code).toBe('LIMIT')
    expect(parseSchema(schema.text).text).toBe(schema.text)
  })

  test('a field in a list that is no pair is told', () => {
    for (const [entry, shown] of [['ab', '"ab"'], [7, '7'], [null, 'null'], [{ a: k.u8 }, 'an object (Object)']] as const) {
      expect(fault(() => k.struct([entry] as never))).toMatchObject({
        code: 'SCHEMA', detail: `a field in a list is its name and its schema, such as ['a', k.u8]; got ${shown}`,
      })
    }
  })

  test('a hash is a bigint of 64 bits', () => {
    expect([formatHash(0n), formatHash(2n ** 64n - 1n)]).toEqual(['0x0000000000000000', '0xffffffffffffffff'])
    for (const [given, shown] of [[-1n, '-1n'], [2n ** 64n, '18446744073709551616n'], [1, '1'], ['0x1', '"0x1"']] as const) {
      expect(fault(() => formatHash(given as never))).toMatchObject({ code: 'TYPE', detail: `a hash is a bigint from 0 to 2^64 - 1, got ${shown}` })
    }
  })

  test('isSchema knows schemas from other things', () => {
    for (const schema of [k.u8, k.string, k.list(k.u8), parseSchema('bytes')]) expect(isSchema(schema)).toBe(true)
    for (const other of [undefined, null, 'u8', Object.freeze({ kind: 'u8' }), Object.freeze({ kind: 'u8', text: 'u8' }), {}]) {
      expect(isSchema(other)).toBe(false)
    }
    const facts = { kind: 'u8', text: 'u8', depth: 0 }
    expect(isSchema(Object.freeze({ ...facts }))).toBe(true)
    for (const name of Object.keys(facts)) expect([name, isSchema(Object.freeze({ ...facts, [name]: undefined }))]).toEqual([name, false])
  })

  test('the same type builds the same text once its schema is used as a part of several', () => {
    const shared = k.struct({ a: k.u8 })
    expect(k.struct({ x: shared, y: k.list(shared) }).text).toBe('struct{x:struct{a:u8,},y:list<struct{a:u8,}>,}')
  })
})
