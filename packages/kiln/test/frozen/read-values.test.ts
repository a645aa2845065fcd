import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import {
  compile, decode, decodePrefix, encode, encodeDirectory, k, readDirectory, tensor, view, type Directory, type Schema,
} from 'kiln-format'
import { fault } from '../support/fault.js'
import { bytesOf } from '../support/hex.js'

const Everything = k.struct({
  flag: k.bool,
  small: k.i8,
  id: k.i64,
  vector: k.list(k.f32),
  big: k.list(k.u64),
  name: k.string,
  long: k.string,
  blob: k.bytes,
  bools: k.list(k.bool),
  tags: k.dict(k.string, k.list(k.u16)),
  seed: k.option(k.u32),
  none: k.option(k.string),
  batch: k.tensors,
  last: k.f64,
})
const value = {
  flag: true,
  small: -3,
  id: -(2n ** 60n),
  vector: Float32Array.of(1.5, -2, 0.1),
  big: BigUint64Array.of(1n, 2n ** 63n),
  name: 'né',
  long: 'x'.repeat(300),
  blob: Uint8Array.of(1, 2, 3),
  bools: [true, false],
  tags: new Map([['b', Uint16Array.of(7)], ['a', Uint16Array.of(8, 9)]]),
  seed: 5,
  none: undefined,
  batch: [tensor('w', 'f32', [2], [1, -2]), tensor('', 'u8', [3], Uint8Array.of(1, 2, 3))],
  last: -0,
}
const bytes = encode(Everything, value)

/** The value with the parts that are views turned into what `decode` gives, to compare. */
function plain(seen: { readonly [name: string]: unknown }): unknown {
  const { batch, ...rest } = seen
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, copied(part)])),
    batch: [...(batch as Directory)].map((t) => [t.name, t.dtype, t.shape, [...t.bytes]]),
  }
}

function copied(part: unknown): unknown {
  if (part instanceof Map) return new Map([...part].map(([key, inner]) => [key, copied(inner)]))
  if (typeof part === 'object' && part !== null && 'copy' in part) return (part as { copy(): unknown }).copy()
  return part
}

const expected = plain(decode(Everything, bytes))

test('what was written comes back, with the types that the schema promises', () => {
  expect(expected).toEqual({
    flag: true, small: -3, id: -(2n ** 60n), vector: value.vector, big: value.big, name: 'né', long: value.long, blob: value.blob,
    bools: [true, false], tags: value.tags, seed: 5, none: undefined, last: -0,
    batch: [['w', 'f32', [2], [0, 0, 128, 63, 0, 0, 0, 192]], ['', 'u8', [3], [1, 2, 3]]],
  })
})

describe('the result does not depend on where the bytes lie', () => {
  test('at all 64 offsets, owned and borrowed', () => {
    for (let offset = 0; offset < 64; offset++) {
      const room = new Uint8Array(bytes.length + 128).fill(0xa5)
      room.set(bytes, offset)
      const input = room.subarray(offset, offset + bytes.length)
      expect(plain(decode(Everything, input))).toEqual(expected)
      expect(plain(view(Everything, input))).toEqual(expected)
      expect(decodePrefix(Everything, room.subarray(offset)).length).toBe(bytes.length)
    }
  })

  const Resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer
  test.each<[string, () => ArrayBufferView | ArrayBufferLike]>([
    ['a Node Buffer of the pool', () => Buffer.from(bytes)],
    ['an ArrayBuffer', () => bytes.slice().buffer],
    ['a DataView', () => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
    ['a SharedArrayBuffer', () => shared(new SharedArrayBuffer(bytes.length))],
    ['a view at an odd offset of shared memory', () => shared(new SharedArrayBuffer(bytes.length + 9)).subarray(0, bytes.length)],
    ['a resizable buffer', () => shared(new Resizable(bytes.length, { maxByteLength: bytes.length + 64 }))],
    ['a length-tracking view', () => trackingView()],
    ['an array of another realm', () => foreign()],
  ])('%s', (_, make) => {
    expect(plain(decode(Everything, make()))).toEqual(expected)
    expect(plain(view(Everything, make()))).toEqual(expected)
  })

  function shared(buffer: ArrayBufferLike): Uint8Array {
    const array = new Uint8Array(buffer)
    array.set(bytes)
    return array
  }
  function trackingView(): Uint8Array {
    const buffer = new Resizable(bytes.length + 3, { maxByteLength: bytes.length + 64 })
    new Uint8Array(buffer).set(bytes, 3)
    return new Uint8Array(buffer, 3)
  }
  function foreign(): Uint8Array {
    return runInContext('new Uint8Array(list)', createContext({ list: [...bytes] })) as Uint8Array
  }

  test('text of shared memory reaches no platform decoder, which would refuse it in browsers', () => {
    const own = TextDecoder.prototype.decode
    TextDecoder.prototype.decode = function (input, ...rest) {
      const { buffer } = input as Uint8Array
      if (buffer instanceof SharedArrayBuffer) throw new TypeError('shared')
      return own.call(this, input, ...rest)
    }
    try {
      for (const text of ['abc', 'é', 'x'.repeat(300), 'é'.repeat(300)]) {
        const message = encode(k.string, text)
        const memory = new Uint8Array(new SharedArrayBuffer(message.length))
        memory.set(message)
        expect(decode(k.string, memory)).toBe(text)
      }
    } finally {
      TextDecoder.prototype.decode = own
    }
  })
})

describe('owned and borrowed', () => {
  test('an owned value shares nothing with its input but payloads', () => {
    const input = bytes.slice()
    const back = decode(Everything, input)
    input.fill(0xff)
    const { batch, ...rest } = back
    const { batch: _, ...want } = expected as { batch: unknown }
    expect(rest).toEqual(want)
    expect(batch.names).toEqual(['w', ''])
    expect([batch.at(0).shape, batch.at(0).dtype]).toEqual([[2], 'f32'])
    expect([...batch.at(0).bytes]).toEqual(new Array(8).fill(255))
    expect(back.vector.buffer.byteLength).toBe(12)
    expect(back.blob.buffer.byteLength).toBe(3)
  })

  test('bytes are borrowed when that is asked for', () => {
    const input = encode(k.bytes, Uint8Array.of(1, 2, 3))
    const borrowed = decode(k.bytes, input, { bytes: 'borrow' })
    input[4] = 9
    expect([...borrowed]).toEqual([9, 2, 3])
    expect([...decode(k.bytes, input)]).toEqual([9, 2, 3])
    expect(decode(k.bytes, input).buffer).not.toBe(input.buffer)
  })

  test('a borrowed list of numbers is a pointer into the input', () => {
    const input = encode(k.list(k.f32), [1, -2, 3])
    const list = view(k.list(k.f32), input)
    expect([list.type, list.length, list.byteLength]).toEqual(['f32', 3, 12])
    expect([list.bytes.buffer, list.bytes.byteOffset, list.bytes.length]).toEqual([input.buffer, 4, 12])
    expect([list.at(0), list.at(2), [...list]]).toEqual([1, 3, [1, -2, 3]])
    const target = new Float32Array(5).fill(7)
    expect(list.load(target)).toBe(3)
    expect([...target]).toEqual([1, -2, 3, 7, 7])
    expect(list.copy()).toEqual(Float32Array.of(1, -2, 3))
    expect(list.copy().buffer.byteLength).toBe(12)
    expect(list.aligned).toBe(true)
    expect(list.borrow()).toEqual(Float32Array.of(1, -2, 3))
    expect(list.borrow().buffer).toBe(input.buffer)
    input[7] = 0x40
    expect(list.at(0)).toBe(4)
  })

  test('what a list does not have, or has no room for, is TYPE', () => {
    const list = view(k.list(k.f32), encode(k.list(k.f32), [1, -2, 3]))
    for (const index of [-1, 3, 0.5, NaN, Infinity, '0' as unknown as number]) {
      expect(fault(() => list.at(index))).toMatchObject({ code: 'TYPE', detail: `index ${typeof index === 'string' ? JSON.stringify(index) : index} is not in a list of 3` })
    }
    expect(fault(() => list.load(new Float32Array(2)))).toMatchObject({
      code: 'TYPE', detail: 'the target has room for 2 elements, there are 3',
    })
    expect(fault(() => list.load(new Float64Array(3)))).toMatchObject({
      code: 'TYPE', detail: 'f32 loads into a Float32Array, not into a Float64Array',
    })
    expect(fault(() => list.load([] as never)).code).toBe('TYPE')
  })

  test('borrowing is ALIGN where the bytes lie askew, and never a wrong number', () => {
    for (let offset = 0; offset < 16; offset++) {
      const message = encode(k.list(k.f64), [1, 2, 3])
      const room = new Uint8Array(64)
      room.set(message, offset)
      const list = view(k.list(k.f64), room.subarray(offset, offset + message.length))
      expect(list.copy()).toEqual(Float64Array.of(1, 2, 3))
      const aligned = (offset + 4) % 8 === 0
      expect(list.aligned).toBe(aligned)
      if (aligned) expect(list.borrow()).toEqual(Float64Array.of(1, 2, 3))
      else {
        expect(fault(() => list.borrow())).toMatchObject({
          code: 'ALIGN', detail: `f64 can't be borrowed here: byte ${offset + 4} of the buffer is no multiple of 8; use copy() or load(target)`,
        })
      }
    }
    expect(view(k.list(k.f64), new Uint8Array(5).subarray(1)).borrow()).toEqual(new Float64Array(0))
    expect(view(k.list(k.u8), bytesOf('ee0100000007').subarray(1)).borrow()).toEqual(Uint8Array.of(7))
  })

  test.each<[string, Schema, string, unknown[]]>([
    ['i8', k.list(k.i8), '02000000ff7f', [-1, 127]],
    ['u8', k.list(k.u8), '02000000ff7f', [255, 127]],
    ['i16', k.list(k.i16), '02000000ffff0080', [-1, -32768]],
    ['u16', k.list(k.u16), '02000000ffff0080', [65535, 32768]],
    ['i32', k.list(k.i32), '01000000ffffffff', [-1]],
    ['u32', k.list(k.u32), '01000000ffffffff', [4294967295]],
    ['i64', k.list(k.i64), '01000000ffffffffffffffff', [-1n]],
    ['u64', k.list(k.u64), '01000000ffffffffffffffff', [18446744073709551615n]],
    ['f16', k.list(k.f16), '01000000003c', [0x3c00]],
    ['bf16', k.list(k.bf16), '01000000803f', [0x3f80]],
    ['f32', k.list(k.f32), '010000000000c03f', [1.5]],
    ['f64', k.list(k.f64), '01000000000000000000f83f', [1.5]],
  ])('a list of %s has the elements of its type, owned and borrowed', (name, schema, hex, want) => {
    const input = bytesOf(hex)
    const owned = decode(schema, input) as Iterable<unknown>
    const seen = view(schema, input) as { type: string; at(i: number): unknown; copy(): object } & Iterable<unknown>
    expect([...owned]).toEqual(want)
    expect([...seen]).toEqual(want)
    expect(seen.type).toBe(name)
    expect(seen.at(0)).toBe(want[0])
    expect(seen.copy()).toEqual(owned)
  })
})

describe('options', () => {
  test('64-bit integers as numbers where they are safe', () => {
    const schema = k.struct({ a: k.i64, m: k.dict(k.u64, k.u8), list: k.list(k.i64) })
    const message = encode(schema, { a: -5, m: new Map([[7, 1]]), list: [1] })
    const back = decode(schema, message, { int64: 'number' })
    expect(back).toEqual({ a: -5, m: new Map([[7, 1]]), list: BigInt64Array.of(1n) })
    expect(decode(schema, message)).toEqual({ a: -5n, m: new Map([[7n, 1]]), list: BigInt64Array.of(1n) })
    const large = encode(k.struct({ a: k.i64 }), { a: 2n ** 53n })
    expect(fault(() => decode(k.struct({ a: k.i64 }), large, { int64: 'number' }))).toMatchObject({
      code: 'TYPE', path: 'a', offset: 0, detail: `9007199254740992 is no safe integer; read it with { int64: 'bigint' }`,
    })
    expect(decode(k.u64, encode(k.u64, 2 ** 53 - 1), { int64: 'number' })).toBe(2 ** 53 - 1)
  })

  test.each<[string, Schema, string, number, string]>([
    ['count', k.list(k.string), '03000000', 2, '3 elements are over the cap of 2; raise limits.count if they are meant'],
    ['count', k.list(k.bool), '03000000', 2, '3 elements are over the cap of 2; raise limits.count if they are meant'],
    ['count', k.dict(k.u8, k.u8), '03000000', 2, '3 elements are over the cap of 2; raise limits.count if they are meant'],
    ['numbers', k.list(k.u8), '03000000', 2, '3 elements are over the cap of 2; raise limits.numbers if they are meant'],
    ['string', k.string, '03000000', 2, '3 bytes of string are over the cap of 2; raise limits.string if they are meant'],
  ])('the cap %s is checked before what is available', (cap, schema, hex, limit, detail) => {
    expect(fault(() => decode(schema, bytesOf(hex), { limits: { [cap]: limit } }))).toMatchObject({ code: 'LIMIT', offset: 0, detail })
    expect(fault(() => view(schema, bytesOf(hex), { limits: { [cap]: limit } }))).toMatchObject({ code: 'LIMIT', offset: 0, detail })
    expect(fault(() => decode(schema, bytesOf(hex), { limits: { [cap]: 3 } })).code).toBe('EOF')
    expect(fault(() => decode(schema, bytesOf(hex))).code).toBe('EOF')
  })

  test('bytes have no cap but what is there', () => {
    expect(decode(k.bytes, bytesOf('03000000 010203'), { limits: { string: 0, count: 0, numbers: 0 } })).toEqual(Uint8Array.of(1, 2, 3))
  })

  test('the defaults are those of the format', () => {
    expect(fault(() => decode(k.list(k.bool), bytesOf('01000001'))).code).toBe('LIMIT')
    expect(fault(() => decode(k.list(k.bool), bytesOf('00000001'))).code).toBe('EOF')
    expect(fault(() => decode(k.list(k.u8), bytesOf('01000010'))).code).toBe('LIMIT')
    expect(fault(() => decode(k.list(k.u8), bytesOf('00000010'))).code).toBe('EOF')
    expect(fault(() => decode(k.string, bytesOf('01000010'))).code).toBe('LIMIT')
    expect(fault(() => decode(k.string, bytesOf('00000010'))).code).toBe('EOF')
  })

  test('a cap that is none, or a name that is none, is TYPE', () => {
    const limits = (given: unknown): ReturnType<typeof fault> => fault(() => decode(k.u8, bytesOf('01'), { limits: given as never }))
    expect(limits({ counts: 1 })).toMatchObject({
      code: 'TYPE', detail: 'limits has no cap named "counts"; there are count, numbers, string, tensors, body',
    })
    expect(limits({ count: -1 })).toMatchObject({ code: 'TYPE', detail: 'limits.count must be a number that is not negative' })
    expect(limits({ count: NaN }).code).toBe('TYPE')
    expect(limits({ count: '5' }).code).toBe('TYPE')
    expect(decode(k.u8, bytesOf('01'), { limits: { count: undefined, body: Infinity } as never })).toBe(1)
  })

  test('strict goes down to a directory in a field', () => {
    const loose = encodeDirectory([tensor('a', 'u8', [1], [1])], { alignment: 4096 })
    const schema = k.struct({ t: k.tensors })
    expect(decode(schema, loose).t.length).toBe(1)
    expect(fault(() => decode(schema, loose, { strict: true }))).toMatchObject({ code: 'TYPE', path: 't' })
    expect(fault(() => view(schema, loose, { strict: true })).code).toBe('TYPE')
    expect(fault(() => readDirectory(loose, { strict: true })).code).toBe('TYPE')
  })
})

describe('what is wrong is told with its place', () => {
  test.each<[Schema, string, ReturnType<typeof fault>['code'], string, number, string]>([
    [k.bool, '02', 'TYPE', '', 0, 'bool is 0 or 1, not 2'],
    [k.bool, '', 'EOF', '', 0, '1 bytes of bool announced, 0 left'],
    [k.struct({ a: k.u8, b: k.u32 }), '01020304', 'EOF', 'b', 1, '4 bytes of u32 announced, 3 left'],
    [k.option(k.u8), '0201', 'TYPE', '', 0, 'option tag is 0 or 1, not 2'],
    [k.list(k.bool), '02000000 01ff', 'TYPE', '[1]', 5, 'bool is 0 or 1, not 255'],
    [k.list(k.struct({ s: k.string })), '01000000 05000000 6161', 'EOF', '[0].s', 4, '5 bytes of string announced, 2 left'],
    [k.dict(k.string, k.u8), '02000000 0100000061 01 0100000061 02', 'TYPE', '[1]', 10, 'the key "a" stands twice'],
    [k.dict(k.string, k.bool), '01000000 0100000061 07', 'TYPE', '["a"]', 9, 'bool is 0 or 1, not 7'],
    [k.u8, '0102', 'TRAILING', '', 1, '1 bytes follow the value; decodePrefix reads a value with more behind it'],
    [k.list(k.u32), '03000000 00000000', 'EOF', '', 0, '3 elements of at least 4 bytes announced, 4 bytes left'],
    [k.list(k.f64), '000000', 'EOF', '', 0, '4 bytes of a count announced, 3 left'],
    [k.string, '00', 'EOF', '', 0, '4 bytes of string length announced, 1 left'],
    [k.bytes, '04000000 00', 'EOF', '', 0, '4 bytes of bytes announced, 1 left'],
    [k.string, '01000000 ff', 'UTF8', '', 4, 'text of 1 bytes is not UTF-8; write it with an encoder that is'],
  ])('%o', (schema, hex, code, path, offset, detail) => {
    expect(fault(() => decode(schema, bytesOf(hex)))).toMatchObject({ code, path, offset, detail })
    expect(fault(() => view(schema, bytesOf(hex)))).toMatchObject({ code, path, offset, detail })
  })

  test('offsets count from the first byte that was given, wherever that lies', () => {
    const room = bytesOf('eeeeee 01 02000000 01')
    expect(fault(() => decode(k.struct({ a: k.u8, b: k.list(k.bool) }), room.subarray(3)))).toMatchObject({ offset: 1, path: 'b' })
  })
})

test('a compiled schema has the same functions', () => {
  const codec = compile(k.struct({ a: k.u8, list: k.list(k.u16) }))
  const message = codec.encode({ a: 1, list: [2] })
  expect(codec.schema.text).toBe('struct{a:u8,list:list<u16>,}')
  expect(codec.decode(message)).toEqual({ a: 1, list: Uint16Array.of(2) })
  expect(codec.view(message).list.at(0)).toBe(2)
  expect(codec.decodePrefix(Uint8Array.of(...message, 9))).toEqual({ value: { a: 1, list: Uint16Array.of(2) }, length: message.length })
  expect(codec.encodedSize({ a: 1, list: [2] })).toBe(7)
  expect(codec.encodeParts({ a: 1, list: [2] })).toEqual([message])
  const target = new Uint8Array(9)
  expect(codec.encodeInto({ a: 1, list: [2] }, target)).toBe(7)
  expect(target.subarray(0, 7)).toEqual(message)
})
