import { decodeFrame, encodeFrame, k, parseSchema, readFrameHeader, type Schema } from 'kiln-format'
import { expect, test } from 'vitest'
import { fault } from '../support/fault.js'

const framed = (schema: Schema, value: unknown): Uint8Array => encodeFrame(schema, value as never, { schema: true })

/** A schema whose text is as long as is asked for, and a value of it. */
function wide(prefix: string, length: number): { schema: Schema; value: Record<string, number> } {
  const count = Math.floor((length - 8) / 100)
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}_`.padEnd(i === 0 ? 96 + ((length - 8) % 100) : 96, 'x'))
  const schema: Schema = parseSchema(`struct{${names.map((name) => `${name}:u8,`).join('')}}` as string)
  expect(schema.text.length).toBe(length)
  return { schema, value: Object.fromEntries(names.map((name) => [name, 1])) }
}

test('frames that bring the same text are read by one schema object, each by itself', () => {
  const Point = k.struct({ x: k.u8, at: k.u8 })
  const first = decodeFrame(framed(Point, { x: 1, at: 2 })).schema
  expect(first).not.toBe(Point)
  expect(first.text).toBe(Point.text)
  expect(decodeFrame(framed(Point, { x: 3, at: 4 }))).toMatchObject({ schema: first, value: { x: 3, at: 4 } })
  expect(decodeFrame(framed(Point, { x: 3, at: 4 })).schema).toBe(first)
  expect(readFrameHeader(framed(Point, { x: 3, at: 4 })).schema).toBe(first)
})

test('no more text is kept than one schema can have', () => {
  const Small = k.struct({ kept: k.u8 })
  const small = framed(Small, { kept: 1 })
  const most = 65_536
  const fits = wide('a', most - Small.text.length)
  const first = decodeFrame(small).schema
  decodeFrame(framed(fits.schema, fits.value))
  expect(decodeFrame(small).schema).toBe(first)
  const tooLong = wide('b', most - Small.text.length + 1)
  decodeFrame(framed(tooLong.schema, tooLong.value))
  const again = decodeFrame(small).schema
  expect(again).not.toBe(first)
  const whole = wide('c', most)
  const kept = decodeFrame(framed(whole.schema, whole.value)).schema
  expect(decodeFrame(framed(whole.schema, whole.value)).schema).toBe(kept)
  expect(decodeFrame(small).schema).not.toBe(again)
})

test('two texts of one hash are told apart, and a text under another hash is no other', () => {
  const one = parseSchema('struct{jGqNUqh7_9B:u8,}')
  const other = parseSchema('struct{kXDMO9RWEzE:u8,}')
  expect(one.hash).toBe(other.hash)
  for (let round = 0; round < 2; round++) {
    expect(decodeFrame(framed(one, { jGqNUqh7_9B: 1 })).value).toEqual({ jGqNUqh7_9B: 1 })
    expect(decodeFrame(framed(other, { kXDMO9RWEzE: 2 })).value).toEqual({ kXDMO9RWEzE: 2 })
  }
  const frame = framed(one, { jGqNUqh7_9B: 1 })
  frame[16]! ^= 1
  expect(fault(() => decodeFrame(frame))).toMatchObject({ code: 'FRAME', offset: 16 })
  // Shorter, longer and other texts under the hash of one that was read.
  for (const text of ['struct{jGqNUqh7_9B:u8}', 'struct{jGqNUqh7_9B:u8,} ', 'struct{jGqNUqh7_9B:u8,x:u8,}', 'struct{jGqNUqh7_9C:u8,}']) {
    const changed = framed(one, { jGqNUqh7_9B: 1 })
    expect(decodeFrame(changed).schema.text).toBe(one.text)
    changed.fill(0, 32, 64)
    changed.set(new TextEncoder().encode(text), 32)
    expect(fault(() => decodeFrame(changed)).code).toBe(text.endsWith(',}') ? 'FRAME' : 'SCHEMA')
  }
})
