import { describe, expect, test } from 'vitest'
import {
  crc32, decodeFrame, encode, encodeFrame, encodeFrameParts, formatHash, iterateFrames, iterateFramesView, k, parseSchema, readFrameHeader, tensor, viewFrame,
  type Schema,
} from 'kiln-format'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

const Point = k.struct({ x: k.i32, y: k.i32 })
const Other = k.struct({ x: k.i32, z: k.i32 })
const value = { x: 1, y: -2 }
const BODY = '01000000feffffff'
// Two schemas of one hash, which the format names.
const collide = [parseSchema('struct{jGqNUqh7_9B:u8,}'), parseSchema('struct{kXDMO9RWEzE:u8,}')] as const

describe('the four kinds of frame', () => {
  const kinds = [
    { schema: false, checksum: false, flags: 0, headerSize: 32 },
    { schema: true, checksum: false, flags: 1, headerSize: 64 },
    { schema: false, checksum: true, flags: 2, headerSize: 32 },
    { schema: true, checksum: true, flags: 3, headerSize: 64 },
  ]
  test.each(kinds)('schema $schema, checksum $checksum', ({ schema, checksum, flags, headerSize }) => {
    const frame = encodeFrame(Point, value, { schema, checksum })
    expect(frame.length).toBe(headerSize + 8)
    expect(hexOf(frame.subarray(headerSize))).toBe(BODY)
    expect(readFrameHeader(frame)).toEqual({
      schema: schema ? Point : undefined,
      hash: Point.hash, flags, headerSize, bodyLength: 8,
      checksum: checksum ? crc32(frame.subarray(headerSize)) : undefined,
    })
    const back = decodeFrame(frame, Point)
    expect([back.value, back.flags, back.offset, back.byteLength]).toEqual([value, flags, 0, frame.length])
    expect(back.schema).toBe(Point)
    expect([back.is(Point), back.is(Other)]).toEqual([true, false])
    expect(hexOf(Buffer.concat(encodeFrameParts(Point, value, { schema, checksum })))).toBe(hexOf(frame))
    if (schema) expect(decodeFrame(frame).schema.text).toBe(Point.text)
    else {
      expect(fault(() => decodeFrame(frame))).toMatchObject({
        code: 'SCHEMA', offset: 5,
        detail: `the frame brings no schema and none was given; give the one with hash 0x${Point.hash.toString(16).padStart(16, '0')}`,
      })
    }
    for (let length = 0; length < frame.length; length++) {
      expect(fault(() => decodeFrame(frame.subarray(0, length), Point)).code).toBe('EOF')
    }
    expect(fault(() => decodeFrame(new Uint8Array([...frame, 0]), Point))).toMatchObject({
      code: 'TRAILING', offset: frame.length, detail: '1 bytes follow the frame; iterateFrames reads one frame after the other',
    })
  })
})

test('the header of a frame whose body is not there is read', () => {
  const frame = encodeFrame(Point, value, { schema: true })
  expect(readFrameHeader(frame.subarray(0, 64)).bodyLength).toBe(8)
  expect(fault(() => readFrameHeader(frame.subarray(0, 63))).code).toBe('EOF')
  expect(fault(() => readFrameHeader(new Uint8Array(0))).code).toBe('EOF')
})

test('payloads of a struct that begins with tensors are aligned in a file of one frame', () => {
  const Model = k.struct({ tensors: k.tensors, id: k.u8 })
  const frame = encodeFrame(Model, { tensors: [tensor('w', 'f64', [2], [1, 2])], id: 3 }, { schema: true })
  const { tensors } = viewFrame(frame, Model).value
  expect(tensors.at(0).borrow('f64')).toEqual(Float64Array.of(1, 2))
  expect(tensors.at(0).bytes.byteOffset % 64).toBe(0)
})

test('large payloads are parts of the value, with a checksum too', () => {
  const Blob = k.struct({ a: k.bytes, b: k.u8 })
  const data = Uint8Array.from({ length: 10_000 }, (_, i) => i % 256)
  const parts = encodeFrameParts(Blob, { a: data, b: 9 }, { checksum: true, schema: true })
  expect(parts.some((part) => part.buffer === data.buffer)).toBe(true)
  expect(decodeFrame(Buffer.concat(parts), Blob).value).toEqual({ a: data, b: 9 })
})

describe('whose schema', () => {
  const frame = encodeFrame(Point, value)
  const own = encodeFrame(Point, value, { schema: true })

  test('another one is FRAME, told with both', () => {
    for (const given of [frame, own]) {
      const error = fault(() => decodeFrame(given, Other))
      expect([error.code, error.offset]).toEqual(['FRAME', 16])
      expect(error.detail).toContain(Other.text)
      expect(error.detail).toContain('the frame was written with another schema: 0x')
    }
    expect(fault(() => decodeFrame(frame, [])).detail).toContain('given: none')
  })

  test('the message has both texts, three of those given at most, and no more than 100 characters of one', () => {
    const shown = (schema: Schema): string => `${formatHash(schema.hash)} ${schema.text}`
    const others = [k.u8, k.u16, k.u32, k.u64]
    expect(fault(() => decodeFrame(own, others)).detail).toBe(
      `the frame was written with another schema: ${shown(Point)}; given: ${others.slice(0, 3).map(shown).join('; ')}`,
    )
    expect(fault(() => decodeFrame(frame, Other)).detail).toBe(
      `the frame was written with another schema: ${formatHash(Point.hash)}; given: ${shown(Other)}`,
    )
    // 12 characters beside the name.
    const long = k.struct({ ['n'.repeat(88)]: k.u8 })
    const longer = k.struct({ ['n'.repeat(89)]: k.u8 })
    expect(long.text.length).toBe(100)
    expect(fault(() => decodeFrame(frame, [long, longer])).detail).toBe(
      `the frame was written with another schema: ${formatHash(Point.hash)}; given: ${shown(long)}; ${formatHash(longer.hash)} ${longer.text.slice(0, 100)}…`,
    )
  })

  test('of several, the one with the hash', () => {
    expect(decodeFrame(frame, [Other, Point]).schema).toBe(Point)
    expect(decodeFrame(own, [Other, Point]).schema).toBe(Point)
    const twin = parseSchema('struct{x:i32,y:i32,}')
    expect(decodeFrame(frame, [twin, Point]).schema).toBe(twin)
    expect(decodeFrame(frame, [twin, Point]).is(Point)).toBe(true)
  })

  test('hashes that collide are told apart by text, or refused', () => {
    const [a, b] = collide
    expect(a.hash).toBe(b.hash)
    const withText = encodeFrame(b, { kXDMO9RWEzE: 7 }, { schema: true })
    expect(decodeFrame(withText, [a, b]).schema).toBe(b)
    expect(decodeFrame(withText, [a, b, b]).schema).toBe(b)
    expect(fault(() => decodeFrame(withText, a)).code).toBe('FRAME')
    expect(fault(() => decodeFrame(encodeFrame(b, { kXDMO9RWEzE: 7 }), [a, b]))).toMatchObject({ code: 'FRAME', offset: 16 })
    expect(decodeFrame(encodeFrame(b, { kXDMO9RWEzE: 7 }), b).value).toEqual({ kXDMO9RWEzE: 7 })
  })

  test('what is no schema is SCHEMA', () => {
    expect(fault(() => decodeFrame(frame, 'point' as never)).code).toBe('SCHEMA')
    expect(fault(() => decodeFrame(frame, [Point, null] as never)).code).toBe('SCHEMA')
    expect(fault(() => encodeFrame(null as never, 1 as never)).code).toBe('SCHEMA')
  })

  test('a text over the cap is not written into a frame', () => {
    const wide = k.struct(Array.from({ length: 400 }, (_, i) => [`${'n'.repeat(200)}${i}`, k.u8] as const))
    expect(fault(() => encodeFrame(wide, Object.fromEntries(wide.names.map((name) => [name, 0])) as never, { schema: true })).code).toBe('LIMIT')
  })
})

describe('headers that are wrong', () => {
  const frame = encodeFrame(Point, value, { schema: true, checksum: true })
  const changed = (at: number, ...to: number[]): Uint8Array => {
    const copy = frame.slice()
    copy.set(to, at)
    return copy
  }
  test.each<[string, Uint8Array, string, number]>([
    ['magic', changed(3, 0x54), 'FRAME', 0],
    ['version', changed(4, 2), 'FRAME', 4],
    ['flags', changed(5, 7), 'FRAME', 5],
    ['reserved', changed(7, 1), 'FRAME', 6],
    ['header size', changed(8, 65), 'FRAME', 8],
    ['header size with schema of 32', changed(8, 32), 'FRAME', 8],
    ['header size over the cap', changed(8, 0x80, 0, 1), 'LIMIT', 8],
    ['checksum', changed(12, 0, 0, 0, 0), 'CHECKSUM', 64],
    ['hash', changed(16, 0), 'FRAME', 16],
    ['body length', changed(24, 9), 'EOF', 24],
    ['body length of 2^63', changed(31, 0x80), 'EOF', 24],
    ['text', changed(32, 0x20), 'SCHEMA', 33],
    ['zeros behind the text', changed(63, 1), 'FRAME', 63],
  ])('%s', (_, bytes, code, offset) => {
    expect(fault(() => decodeFrame(bytes))).toMatchObject({ code, offset })
  })

  test('a text that is not canonical is SCHEMA and says what is', () => {
    const copy = frame.slice()
    copy.fill(0, 32, 64)
    copy.set(new TextEncoder().encode('struct{x:i32,y:i32}'), 32)
    expect(fault(() => decodeFrame(copy))).toMatchObject({
      code: 'SCHEMA', offset: 32, detail: `the frame's schema text is not canonical; it should read struct{x:i32,y:i32,}`,
    })
  })

  test('a body over the cap is LIMIT before it is asked for', () => {
    expect(fault(() => decodeFrame(frame.subarray(0, 64), Point, { limits: { body: 7 } }))).toMatchObject({
      code: 'LIMIT', offset: 24, detail: '8 bytes of body are over the cap of 7; raise limits.body if they are meant',
    })
    expect(decodeFrame(frame, Point, { limits: { body: 8 } }).value).toEqual(value)
  })

  test('a body that says more or less than its value is EOF or TRAILING', () => {
    const short = encodeFrame(Point, value)
    short[24] = 7
    expect(fault(() => decodeFrame(short.subarray(0, 39), Point))).toMatchObject({ code: 'EOF', path: 'y', offset: 36 })
    const long = new Uint8Array([...encodeFrame(Point, value), 0])
    long[24] = 9
    expect(fault(() => decodeFrame(long, Point))).toMatchObject({ code: 'TRAILING', offset: 40 })
  })
})

describe('frames in a row', () => {
  const frames = [
    encodeFrame(Point, { x: 1, y: 1 }), encodeFrame(Other, { x: 2, z: 2 }, { checksum: true }),
    encodeFrame(Point, { x: 3, y: 3 }, { schema: true }), encodeFrame(Point, { x: 4, y: 4 }, { schema: true, checksum: true }),
  ]
  const all = Buffer.concat(frames)

  test('come one by one with their places', () => {
    const seen = [...iterateFrames(all, [Point, Other])]
    expect(seen.map((frame) => frame.value)).toEqual([{ x: 1, y: 1 }, { x: 2, z: 2 }, { x: 3, y: 3 }, { x: 4, y: 4 }])
    expect(seen.map((frame) => frame.offset)).toEqual([0, 40, 80, 152])
    expect(seen.map((frame) => frame.byteLength)).toEqual(frames.map((frame) => frame.length))
    expect(seen.map((frame) => frame.is(Point))).toEqual([true, false, true, true])
  })

  test('come borrowed: lists of numbers lie in the file', () => {
    const Row = k.struct({ id: k.u32, vector: k.list(k.f32) })
    const file = Buffer.concat([1, 2].map((id) => encodeFrame(Row, { id, vector: [id, -id] })))
    const vectors = Array.from(iterateFramesView(file, Row), ({ value: { id, vector } }) => [id, vector.bytes.byteOffset - file.byteOffset, ...vector])
    expect(vectors).toEqual([[1, 40, 1, -1], [2, 88, 2, -2]])
    expect(Array.from(iterateFramesView(file, Row, { int64: 'number' }), (frame) => [frame.offset, frame.is(Row)])).toEqual([[0, true], [48, true]])
  })

  test('memory that goes between two frames is told, not taken for the end', () => {
    const bytes = Uint8Array.from(all)
    const seen = iterateFrames(bytes, [Point, Other])
    expect(seen.next().value?.value).toEqual({ x: 1, y: 1 })
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
    expect(fault(() => seen.next())).toMatchObject({
      code: 'TYPE', detail: 'the bytes that were read have been transferred or resized away; keep them, or copy what is needed before',
    })
  })

  test('what is no input or no schema is told at once', () => {
    expect(fault(() => iterateFrames('frames' as never, Point)).code).toBe('TYPE')
    expect(fault(() => iterateFramesView(all, {} as never)).code).toBe('SCHEMA')
  })

  test('an input of nothing holds none, one that is cut is EOF after the whole ones', () => {
    expect([...iterateFrames(new Uint8Array(0), Point)]).toEqual([])
    const cut = iterateFrames(all.subarray(0, 100), [Point, Other])
    expect([cut.next().done, cut.next().done]).toEqual([false, false])
    expect(fault(() => cut.next())).toMatchObject({ code: 'EOF', offset: 80 })
  })

  test('those that bring the same text have one schema object, whatever came between', () => {
    const own = [Point, Point, Other, Point].map((schema) => encodeFrame(schema as never, { x: 1, y: 1, z: 1 } as never, { schema: true }))
    const schemas = [...iterateFrames(Buffer.concat(own))].map(({ schema }) => schema)
    expect(schemas.map(({ text }) => text)).toEqual([Point.text, Point.text, Other.text, Point.text])
    expect(schemas[1]).toBe(schemas[0])
    expect(schemas[3]).toBe(schemas[0])
  })

  test('a body that is longer than its value is TRAILING, not the start of the next frame', () => {
    const long = new Uint8Array([...frames[0]!, 0, ...frames[2]!])
    long[24] = 9
    expect(fault(() => [...iterateFrames(long, Point)])).toMatchObject({ code: 'TRAILING', offset: 40 })
  })

  test('integers as numbers here too', () => {
    const Id = k.struct({ id: k.i64 })
    const [frame] = iterateFrames(encodeFrame(Id, { id: 5 }), Id, { int64: 'number' })
    expect(frame?.value).toEqual({ id: 5 })
  })

  test('a schema as a frame body of every type', () => {
    const each: readonly (readonly [Schema, unknown])[] = [[k.u8, 7], [k.string, 'é'], [k.list(k.bool), [true]], [k.option(k.u8), undefined]]
    for (const [schema, item] of each) {
      const frame = encodeFrame(schema, item as never, { schema: true })
      expect(decodeFrame(frame).value).toEqual(item)
      expect(frame.length - readFrameHeader(frame).headerSize).toBe(encode(schema, item as never).length)
    }
  })
})

test('an option that is neither on nor off is told by its name', () => {
  expect(fault(() => encodeFrame(Point, value, { schema: 1 as never })).detail).toBe('schema is false or true, got 1')
  expect(fault(() => encodeFrame(Point, value, { checksum: 'yes' as never })).detail).toBe('checksum is false or true, got "yes"')
})
