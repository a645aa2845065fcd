import { describe, expect, test } from 'vitest'
import { createContext, runInContext } from 'node:vm'
import { decode, encode, encodeInto, encodeParts, encodedSize, k, view, type Schema } from 'kiln-format'
import { checkNewKey } from '../../src/frozen/dict.js'
import { borrowedNumbers } from '../../src/frozen/number-list.js'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

const hex = (schema: Schema, value: unknown): string => hexOf(encode(schema, value as never))
const refused = (schema: Schema, value: unknown): ReturnType<typeof fault> => fault(() => encode(schema, value as never))

describe('scalars take exactly their range', () => {
  test.each<[Schema, unknown, string]>([
    [k.bool, true, '01'], [k.bool, false, '00'],
    [k.i8, -128, '80'], [k.i8, 127, '7f'], [k.u8, 255, 'ff'], [k.u8, -0, '00'],
    [k.i16, -32768, '0080'], [k.i16, 32767, 'ff7f'], [k.u16, 65535, 'ffff'],
    [k.i32, -(2 ** 31), '00000080'], [k.i32, 2 ** 31 - 1, 'ffffff7f'], [k.u32, 2 ** 32 - 1, 'ffffffff'],
    [k.i64, -(2n ** 63n), '0000000000000080'], [k.i64, 2n ** 63n - 1n, 'ffffffffffffff7f'], [k.i64, -1, 'ffffffffffffffff'],
    [k.i64, 2 ** 53 - 1, 'ffffffffffff1f00'], [k.u64, 2n ** 64n - 1n, 'ffffffffffffffff'], [k.u64, 0, '0000000000000000'],
    [k.f16, 0x3c00, '003c'], [k.bf16, 0xffff, 'ffff'],
    [k.f32, -0, '00000080'], [k.f32, Infinity, '0000807f'], [k.f32, 3.4028234663852886e38, 'ffff7f7f'], [k.f32, 0.1, 'cdcccc3d'],
    [k.f64, -0, '0000000000000080'], [k.f64, 5e-324, '0100000000000000'], [k.f64, -Infinity, '000000000000f0ff'],
  ])('%o takes %s', (schema, value, expected) => {
    expect(hex(schema, value)).toBe(expected)
  })

  test.each<[Schema, unknown, string]>([
    [k.bool, 1, 'bool takes true or false, got 1'],
    [k.bool, 'true', 'bool takes true or false, got "true"'],
    [k.i8, 128, 'i8 takes an integer from -128 to 127, got 128'],
    [k.i8, -129, 'i8 takes an integer from -128 to 127, got -129'],
    [k.u8, 256, 'u8 takes an integer from 0 to 255, got 256'],
    [k.u8, -1, 'u8 takes an integer from 0 to 255, got -1'],
    [k.u8, 1.5, 'u8 takes an integer from 0 to 255, got 1.5'],
    [k.u8, NaN, 'u8 takes an integer from 0 to 255, got NaN'],
    [k.u8, '1', 'u8 takes an integer from 0 to 255, got "1"'],
    [k.u8, 1n, 'u8 takes an integer from 0 to 255, got 1n'],
    [k.i16, 32768, 'i16 takes an integer from -32768 to 32767, got 32768'],
    [k.u16, 65536, 'u16 takes an integer from 0 to 65535, got 65536'],
    [k.i32, 2 ** 31, 'i32 takes an integer from -2147483648 to 2147483647, got 2147483648'],
    [k.u32, 2 ** 32, 'u32 takes an integer from 0 to 4294967295, got 4294967296'],
    [k.i64, 2n ** 63n, 'i64 takes a bigint from -9223372036854775808 to 9223372036854775807 or a safe integer, got 9223372036854775808n'],
    [k.i64, 2 ** 53, 'i64 takes a bigint from -9223372036854775808 to 9223372036854775807 or a safe integer, got 9007199254740992'],
    [k.i64, '7', 'i64 takes a bigint from -9223372036854775808 to 9223372036854775807 or a safe integer, got "7"'],
    [k.u64, -1, 'u64 takes a bigint from 0 to 18446744073709551615 or a safe integer, got -1'],
    [k.u64, -1n, 'u64 takes a bigint from 0 to 18446744073709551615 or a safe integer, got -1n'],
    [k.u64, 2n ** 64n, 'u64 takes a bigint from 0 to 18446744073709551615 or a safe integer, got 18446744073709551616n'],
    [k.f16, 1.5, 'f16 takes its 16-bit code, an integer from 0 to 65535, got 1.5; kiln-format/numeric narrows floats to codes'],
    [k.bf16, 65536, 'bf16 takes its 16-bit code, an integer from 0 to 65535, got 65536; kiln-format/numeric narrows floats to codes'],
    [k.bf16, null, 'bf16 takes its 16-bit code, an integer from 0 to 65535, got null'],
    [k.f32, 3.5e38, 'f32 takes a number within ±3.4028235e38, got 3.5e+38'],
    [k.f32, '1', 'f32 takes a number, got "1"'],
    [k.f64, 1n, 'f64 takes a number, got 1n'],
    [k.f64, undefined, 'f64 takes a number, got undefined'],
    [k.f64, new Date(0), 'f64 takes a number, got a Date (give getTime() or toISOString())'],
    [k.i64, new Date(NaN), 'i64 takes a bigint from -9223372036854775808 to 9223372036854775807 or a safe integer, got a Date (give getTime() or toISOString())'],
    [k.string, new Date(0), 'string takes a string, got a Date (give getTime() or toISOString())'],
    [k.string, undefined, 'string takes a string, got undefined'],
    [k.bytes, [1, 2], 'bytes takes a Uint8Array, another view or an ArrayBuffer, got an array of 2'],
    [k.bytes, 'ab', 'bytes takes a Uint8Array, another view or an ArrayBuffer, got "ab"'],
  ])('%o refuses %s', (schema, value, detail) => {
    expect(refused(schema, value)).toMatchObject({ code: 'TYPE', detail, path: '', offset: undefined })
  })

  test('a NaN is read as NaN, whatever its bits', () => {
    for (const bits of ['0000c07f', '0100a07f', '0000c0ff']) {
      expect(decode(k.f32, Buffer.from(bits, 'hex'))).toBeNaN()
    }
    expect(decode(k.f64, encode(k.f64, NaN))).toBeNaN()
  })
})

describe('lists', () => {
  test('of numbers take plain arrays, typed arrays, borrowed lists and bytes', () => {
    const list = k.list(k.f32)
    const want = '020000000000803f000000c0'
    expect(hex(list, [1, -2])).toBe(want)
    expect(hex(list, Float32Array.of(1, -2))).toBe(want)
    expect(hex(list, Float32Array.of(0, 1, -2, 0).subarray(1, 3))).toBe(want)
    expect(hex(list, view(list, encode(list, [1, -2])))).toBe(want)
    expect(hex(k.list(k.i64), [1, -1n])).toBe('020000000100000000000000ffffffffffffffff')
    expect(hex(k.list(k.i64), BigInt64Array.of(1n))).toBe('010000000100000000000000')
    expect(hex(k.list(k.f16), Uint16Array.of(0x3c00))).toBe('01000000003c')
    expect(hex(k.list(k.u8), new Uint8ClampedArray([1, 2]))).toBe('020000000102')
    expect(hex(k.list(k.u8), Buffer.from([1, 2]))).toBe('020000000102')
    const foreign = runInContext('new Float32Array([1, -2])', createContext({})) as Float32Array
    expect(hex(list, foreign)).toBe(want)
  })

  test('typed arrays of another kind are taken number by number', () => {
    expect(hex(k.list(k.f32), Float64Array.of(0.1))).toBe('01000000cdcccc3d')
    expect(hex(k.list(k.u8), Int8Array.of(1, 127))).toBe('02000000017f')
    expect(hex(k.list(k.i64), BigUint64Array.of(1n))).toBe('010000000100000000000000')
    expect(hex(k.list(k.i64), Int32Array.of(-1))).toBe('01000000ffffffffffffffff')
  })

  test('a NaN payload of a typed array is written as it is', () => {
    const array = new Float32Array(Uint32Array.of(0x7fa00001, 0xffc12345).buffer)
    expect(hex(k.list(k.f32), array)).toBe('020000000100a07f4523c1ff')
  })

  test.each<[Schema, unknown, string, string]>([
    [k.list(k.u8), [1, 256], '[1]', 'u8 takes an integer from 0 to 255, got 256'],
    [k.list(k.u8), new Array(4), '[0]', 'u8 takes an integer from 0 to 255, got undefined'],
    // eslint-disable-next-line no-sparse-arrays -- the hole is what is tested
    [k.list(k.u8), [1, , 3], '[1]', 'u8 takes an integer from 0 to 255, got undefined'],
    // eslint-disable-next-line no-sparse-arrays -- the hole is what is tested
    [k.list(k.string), ['a', , 'c'], '[1]', 'string takes a string, got undefined'],
    [k.list(k.bool), [true, 1], '[1]', 'bool takes true or false, got 1'],
    [k.list(k.list(k.u8)), [[1], [2, -1]], '[1][1]', 'u8 takes an integer from 0 to 255, got -1'],
    [k.list(k.struct({ a: k.u8 })), [{ a: 1 }, {}], '[1].a', 'u8 takes an integer from 0 to 255, got undefined'],
  ])('%o names the element that it refuses', (schema, value, path, detail) => {
    expect(refused(schema, value)).toMatchObject({ code: 'TYPE', path, detail })
  })

  test.each<[Schema, unknown]>([
    [k.list(k.f32), { length: 1e9 }], [k.list(k.f32), 'ab'], [k.list(k.f32), null],
    [k.list(k.u8), { length: 1e9 }], [k.list(k.bool), new Uint8Array(2)], [k.list(k.string), 'ab'], [k.list(k.string), { length: 2 }],
    [k.list(k.string), new Set(['a'])], [k.list(k.i64), new Float64Array([0.5])], [k.list(k.u8), Int8Array.of(-1)],
    [k.list(k.i64), BigUint64Array.of(2n ** 63n)], [k.list(k.u8), BigInt64Array.of(1n)], [k.list(k.f32), new DataView(new ArrayBuffer(4))],
    [k.list(k.f32), view(k.list(k.u8), encode(k.list(k.u8), [1]))],
  ])('%o refuses what is no list of its elements', (schema, value) => {
    expect(refused(schema, value).code).toBe('TYPE')
  })

  test('of bool are one byte an element', () => {
    expect(hex(k.list(k.bool), [true, false, true])).toBe('03000000010001')
  })

  test('large ones keep their order with small things around them', () => {
    const schema = k.struct({ a: k.u8, big: k.list(k.u8), b: k.u8, big2: k.bytes, c: k.u8 })
    const big = Uint8Array.from({ length: 5000 }, (_, i) => i % 251)
    const value = { a: 1, big, b: 2, big2: big.subarray(7, 2007), c: 3 }
    const bytes = encode(schema, value)
    expect(bytes.length).toBe(1 + 4 + 5000 + 1 + 4 + 2000 + 1)
    expect(decode(schema, bytes)).toEqual({ a: 1, big, b: 2, big2: big.slice(7, 2007), c: 3 })
  })
})

describe('dicts', () => {
  test('take a Map in its order, or an object for string keys', () => {
    const dict = k.dict(k.string, k.u8)
    expect(hex(dict, new Map([['b', 1], ['a', 2]]))).toBe('02000000' + '0100000062' + '01' + '0100000061' + '02')
    expect(hex(dict, { b: 1, a: 2 })).toBe('02000000' + '0100000062' + '01' + '0100000061' + '02')
    expect(hex(dict, Object.create(null))).toBe('00000000')
    expect(hex(dict, JSON.parse('{"__proto__":7,"constructor":8}'))).toBe(
      `02000000${'09000000'}${Buffer.from('__proto__').toString('hex')}07${'0b000000'}${Buffer.from('constructor').toString('hex')}08`,
    )
    const foreign = runInContext('new Map([["a", 1]])', createContext({})) as Map<string, number>
    expect(hex(dict, foreign)).toBe('01000000010000006101')
    expect(hex(dict, runInContext('new Map()', createContext({})))).toBe('00000000')
    expect(hex(k.dict(k.u8, k.u8), runInContext('new Map([[1, 2]])', createContext({})))).toBe('010000000102')
  })

  test('are read as a Map, keys of any kind and __proto__ included', () => {
    const dict = k.dict(k.string, k.u8)
    const back = decode(dict, encode(dict, new Map([['__proto__', 1], ['', 2], ['constructor', 3]])))
    expect(back).toEqual(new Map([['__proto__', 1], ['', 2], ['constructor', 3]]))
    expect([...decode(k.dict(k.bool, k.string), encode(k.dict(k.bool, k.string), new Map([[true, 'y'], [false, 'n']])))]).toEqual([
      [true, 'y'], [false, 'n'],
    ])
    expect([...decode(k.dict(k.i64, k.u8), encode(k.dict(k.i64, k.u8), new Map<bigint | number, number>([[-1, 1], [2n, 2]])))]).toEqual([
      [-1n, 1], [2n, 2],
    ])
  })

  test('name the key of what they refuse', () => {
    const dict = k.struct({ tags: k.dict(k.string, k.u8) })
    expect(refused(dict, { tags: { ok: 1, 'b c': 300 } })).toMatchObject({
      path: 'tags["b c"]', detail: 'u8 takes an integer from 0 to 255, got 300',
    })
    expect(refused(k.dict(k.u8, k.u8), new Map([[256, 1]]))).toMatchObject({ path: '["256"]', code: 'TYPE' })
    expect(refused(k.dict(k.i64, k.u8), new Map<bigint | number, number>([[1, 1], [1n, 2]]))).toMatchObject({
      path: '["1"]', detail: 'the key 1n stands twice',
    })
    expect(refused(k.dict(k.u8, k.u8), { 1: 1 })).toMatchObject({
      detail: 'dict<u8,…> takes a Map, got an object (Object)',
    })
    expect(refused(k.dict(k.string, k.u8), [['a', 1]])).toMatchObject({
      detail: 'dict<string,…> takes a Map or a plain object, got an array of 1',
    })
    expect(refused(k.dict(k.string, k.u8), null)).toMatchObject({ code: 'TYPE' })
    expect(refused(k.dict(k.string, k.u8), new Uint8Array(1))).toMatchObject({ code: 'TYPE' })
  })
})

describe('options and structs', () => {
  const schema = k.struct({ a: k.option(k.u8), b: k.u8 })
  test('undefined, null and missing are one thing: none', () => {
    for (const value of [{ b: 1 }, { a: undefined, b: 1 }, { a: null, b: 1 }]) {
      expect(hex(schema, value)).toBe('0001')
      expect(decode(schema, encode(schema, value))).toEqual({ a: undefined, b: 1 })
    }
    expect(hex(schema, { a: 0, b: 1 })).toBe('010001')
    expect(Object.keys(decode(schema, encode(schema, { b: 1 })))).toEqual(['a', 'b'])
  })

  test('a field that is required is asked for by name', () => {
    expect(refused(schema, { a: 1 })).toMatchObject({ code: 'TYPE', path: 'b', detail: 'u8 takes an integer from 0 to 255, got undefined' })
  })

  test('fields are own properties, never found on a prototype', () => {
    expect(refused(k.struct({ constructor: k.string }), {})).toMatchObject({ path: 'constructor' })
    expect(hex(k.struct({ constructor: k.option(k.u8), b: k.u8 }), { b: 1 })).toBe('0001')
    class Point {
      x = 1
      get y(): number {
        return 2
      }
    }
    expect(refused(k.struct({ x: k.u8, y: k.u8 }), new Point())).toMatchObject({ path: 'y' })
  })

  test.each<[unknown, string]>([
    [null, 'struct takes an object with a, b, got null'],
    [[1, 2], 'struct takes an object with a, b, got an array of 2'],
    ['ab', 'struct takes an object with a, b, got "ab"'],
    [new Uint8Array(2), 'struct takes an object with a, b, got a Uint8Array'],
  ])('%s is no struct', (value, detail) => {
    expect(refused(schema, value)).toMatchObject({ code: 'TYPE', detail })
  })

  test('a hostile field name comes back as an own field', () => {
    const hostile = k.struct([['toString', k.u8], ['0', k.u8], ['constructor', k.u8]])
    const back = decode(hostile, encode(hostile, { toString: 1, 0: 2, constructor: 3 } as never))
    expect(Object.entries(back)).toEqual([['0', 2], ['toString', 1], ['constructor', 3]])
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
  })
})

describe('where a value is written', () => {
  const schema = k.struct({ id: k.u32, name: k.string, data: k.list(k.f64) })
  const value = { id: 7, name: 'ab', data: Float64Array.from({ length: 300 }, (_, i) => i / 3) }
  const bytes = encode(schema, value)

  test('encode gives memory that holds the message and nothing else', () => {
    for (const small of [true, false]) {
      const own = small ? encode(k.u8, 1) : bytes
      expect([own.byteOffset, own.buffer.byteLength]).toEqual([0, own.length])
      expect(Object.getPrototypeOf(own)).toBe(Uint8Array.prototype)
    }
    const first = encode(k.string, 'first')
    for (let i = 0; i < 1000; i++) encode(k.string, `other ${i}`)
    expect(decode(k.string, first)).toBe('first')
  })

  test('encodedSize says the size, encodeParts gives the same bytes, large arrays by reference', () => {
    expect(encodedSize(schema, value)).toBe(bytes.length)
    const parts = encodeParts(schema, value)
    expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes))
    expect(parts.some((part) => part.buffer === value.data.buffer)).toBe(true)
    expect(encodeParts(k.u8, 5).map(hexOf)).toEqual(['05'])
    expect(encodeParts(k.bytes, new Uint8Array(1024)).map((part) => part.length)).toEqual([4, 1024])
    expect(encodeParts(k.bytes, new Uint8Array(1023)).map((part) => part.length)).toEqual([1027])
  })

  test('encodeInto touches its own range only, at any offset', () => {
    for (let offset = 0; offset < 9; offset++) {
      const target = new Uint8Array(bytes.length + 20).fill(0xee)
      expect(encodeInto(schema, value, target.subarray(offset, offset + bytes.length))).toBe(bytes.length)
      expect(target.subarray(offset, offset + bytes.length)).toEqual(bytes)
      expect(target.subarray(0, offset).every((b) => b === 0xee)).toBe(true)
      expect(target.subarray(offset + bytes.length).every((b) => b === 0xee)).toBe(true)
    }
  })

  test('a target of any smaller size is LIMIT and untouched', () => {
    for (let size = 0; size < bytes.length; size += size < 40 ? 1 : 97) {
      const target = new Uint8Array(bytes.length + 8).fill(0xee)
      expect(fault(() => encodeInto(schema, value, target.subarray(4, 4 + size)))).toMatchObject({
        code: 'LIMIT',
        detail: `the value takes ${bytes.length} bytes, the target holds ${size}; encodedSize tells before`,
      })
      expect(target.every((b) => b === 0xee)).toBe(true)
    }
    const exact = new Uint8Array(7)
    expect(encodeInto(k.string, 'héé'.slice(0, 2), exact)).toBe(7)
    expect(fault(() => encodeInto(k.string, 'hé', new Uint8Array(6))).code).toBe('LIMIT')
  })

  test.each([
    ['grows', '["c"]', (map: Map<string, unknown>) => map.set('c', { n: 3 })],
    ['shrinks', '', (map: Map<string, unknown>) => map.delete('z')],
  ])('a Map that %s while it is written is TYPE, and nothing is written', (_, path, change) => {
    const schema = k.dict(k.string, k.struct({ n: k.u8 }))
    const map = new Map<string, unknown>()
    map.set('a', { get n() { change(map); return 1 } })
    map.set('z', { n: 2 })
    const target = new Uint8Array(64).fill(0xee)
    expect(fault(() => encodeInto(schema, map as never, target))).toMatchObject({
      code: 'TYPE', path, detail: 'the Map changed its size while it was encoded',
    })
    expect(target.every((b) => b === 0xee)).toBe(true)
  })

  test('a getter that encodes something itself does not disturb the value around it', () => {
    const inner = k.struct({ n: k.u32, text: k.string })
    const outer = k.struct({ a: k.string, b: k.bytes, c: k.string })
    const sly = {
      a: 'first',
      get b() {
        return encode(inner, { n: 7, text: 'x'.repeat(3000) })
      },
      c: 'last',
    }
    const plain = { a: 'first', b: encode(inner, { n: 7, text: 'x'.repeat(3000) }), c: 'last' }
    expect(hex(outer, sly)).toBe(hex(outer, plain))
    expect(() => encode(outer, { a: 'x', get b(): Uint8Array { throw new RangeError('mine') }, c: '' })).toThrow(RangeError)
    expect(hex(outer, plain)).toBe(hex(outer, sly))
  })

  test('an array that is resized or detached while it is being written is TYPE', () => {
    const list = new Uint8Array(5000)
    const schema2 = k.struct({ a: k.bytes, b: k.u8 })
    const sly = {
      a: list,
      get b() {
        structuredClone(list.buffer, { transfer: [list.buffer] })
        return 1
      },
    }
    expect(fault(() => encode(schema2, sly))).toMatchObject({
      code: 'TYPE', detail: 'an array of 5000 bytes was resized or detached while it was being encoded',
    })
  })
})

test('what is no schema is SCHEMA', () => {
  expect(fault(() => encode('u8' as never, 1 as never))).toMatchObject({
    code: 'SCHEMA', detail: 'a schema expected, such as k.struct({…}); got "u8"',
  })
  expect(fault(() => decode(undefined as never, new Uint8Array(1))).code).toBe('SCHEMA')
})

describe('texts too long for the scratch', () => {
  test.each([4096, 4097, 20_000])('%d units, of any width', (length) => {
    for (const unit of ['a', 'é', '名']) {
      const utf8 = new TextEncoder().encode(unit.repeat(length))
      const bytes = encode(k.struct({ text: k.string, z: k.u8 }), { text: unit.repeat(length), z: 7 })
      expect([new DataView(bytes.buffer).getUint32(0, true), bytes.length, bytes[bytes.length - 1]]).toEqual([utf8.length, utf8.length + 5, 7])
      expect(Buffer.compare(bytes.subarray(4, -1), utf8)).toBe(0)
    }
    expect(refused(k.string, `${'a'.repeat(length - 1)}\ud800`)).toMatchObject({ code: 'UTF8' })
  })
})

test('what is neither a Map nor an object is no dict', () => {
  for (const [value, shown] of [['ab', '"ab"'], [5, '5'], [undefined, 'undefined'], [true, 'true']] as const) {
    expect(refused(k.dict(k.string, k.string), value)).toMatchObject({ code: 'TYPE', detail: `dict<string,…> takes a Map or a plain object, got ${shown}` })
  }
})

test('a key that stood before is TYPE, with its place', () => {
  expect(fault(() => checkNewKey(new Set(['a']), 'a', 5))).toMatchObject({ code: 'TYPE', offset: 5, detail: 'the key "a" stands twice' })
  checkNewKey(new Set(['a']), 'b', 5)
})

test('a borrowed list that is made of a place in some bytes', () => {
  const bytes = Uint8Array.of(9, 1, 0, 2, 0)
  const list = borrowedNumbers('u16', bytes, new DataView(bytes.buffer), 1, 2)
  expect([list.type, list.length, ...list]).toEqual(['u16', 2, 1, 2])
})

describe('what is no record', () => {
  const Options = k.struct({ a: k.option(k.u8), b: k.option(k.string) })
  const Needed = k.struct({ a: k.option(k.u8), b: k.string })
  const others: readonly (readonly [string, object])[] = [
    ['Map', new Map([['a', 1]])], ['Set', new Set([1])], ['Promise', Promise.resolve({ a: 1 })], ['Date', new Date(0)], ['Error', new Error('a')],
    ['Headers', new Headers({ a: '1' })], ['Number', Object(1) as object],
  ]

  test.each(others)('a %s is no struct, whether or not a field has to be there', (_, other) => {
    for (const schema of [Options, Needed]) {
      expect(fault(() => encode(schema, other as never))).toMatchObject({ code: 'TYPE', path: '' })
      expect(fault(() => encode(schema, other as never)).detail).toMatch(/^struct takes an object with a, b, got /)
    }
  })

  test.each(others.slice(1))('a %s is no dict', (_, other) => {
    expect(fault(() => encode(k.dict(k.string, k.u8), other as never)).detail).toMatch(/^dict<string,…> takes a Map or a plain object, got /)
  })

  test('what only says that it is a Map is none', () => {
    const pretended = { [Symbol.toStringTag]: 'Map', size: 1, [Symbol.iterator]: () => [null][Symbol.iterator]() }
    expect(fault(() => encode(k.dict(k.string, k.u8), pretended as never)).detail).toBe('dict<string,…> takes a Map or a plain object, got an object (Map)')
  })

  test('an object of a class, without a prototype or of something else with the fields of its own, is one', () => {
    class Fields { a = 1 }
    const bare = Object.assign(Object.create(null) as object, { a: 1 })
    for (const value of [new Fields(), bare, Object.assign(new Error('x'), { a: 1 })]) {
      expect([...encode(Options, value as never)]).toEqual([1, 1, 0])
    }
    expect([...encode(k.dict(k.string, k.u8), new Fields() as never)]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 97, 1])
  })
})
