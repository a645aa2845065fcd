import { expect, test } from 'vitest'
import { decode, decodeFrame, encode, encodeFrame, k, placeFor, tensor, view } from 'kiln-format'
import { fault } from '../support/fault.js'

const Message = k.struct({ id: k.string, items: k.list(k.struct({ n: k.u8, more: k.option(k.tensors) })), batch: k.tensors, last: k.string })
const message = encode(Message, {
  id: 'abc', items: [{ n: 1 }, { n: 2, more: [tensor('x', 'f64', [2], [1, 2])] }], batch: [tensor('y', 'f64', [1], [3])], last: '',
})

test('the payloads of the first directory lie at multiples of 64, wherever the message came from', () => {
  for (let offset = 0; offset < 64; offset++) {
    const room = new Uint8Array(message.length + 64)
    room.set(message, offset)
    const placed = placeFor(Message, room.subarray(offset, offset + message.length))
    expect(placed).toEqual(message)
    const x = view(Message, placed).items[1]!.more!.at(0)
    expect(x.bytes.byteOffset % 64).toBe(0)
    expect(x.borrow('f64')).toEqual(Float64Array.of(1, 2))
    expect(placeFor(Message, placed)).toBe(placed)
  }
})

test('a frame is placed by its body', () => {
  for (const schema of [true, false]) {
    const frame = encodeFrame(Message, decode(Message, message), { schema })
    const placed = placeFor(Message, frame, { frame: true })
    expect(decodeFrame(placed, Message).value.items[1]!.more!.at(0).bytes.byteOffset % 64).toBe(0)
  }
  expect(fault(() => placeFor(Message, message, { frame: true })).code).toBe('FRAME')
})

test('a value without a directory stays as it is, one cut short is EOF', () => {
  const plain = encode(k.list(k.string), ['a'])
  expect(placeFor(k.list(k.string), plain)).toBe(plain)
  const none = encode(k.struct({ a: k.list(k.tensors), b: k.option(k.tensors), c: k.dict(k.u8, k.tensors) }), { a: [], c: new Map() })
  expect(placeFor(k.struct({ a: k.list(k.tensors), b: k.option(k.tensors), c: k.dict(k.u8, k.tensors) }), none)).toBe(none)
  expect(fault(() => placeFor(Message, message.subarray(0, 5)))).toMatchObject({ code: 'EOF', path: 'id', offset: 0 })
  expect(fault(() => placeFor(Message, message.subarray(0, 12)))).toMatchObject({ code: 'EOF', path: 'items', offset: 7 })
  const inDict = k.dict(k.string, k.tensors)
  const dict = encode(inDict, { key: [tensor('x', 'f64', [1], [5])] })
  const placed = placeFor(inDict, dict)
  expect(view(inDict, placed).get('key')!.at(0).borrow('f64')).toEqual(Float64Array.of(5))
})

test('room is made before the message only as far as it is needed', () => {
  const Value = k.struct({ pad: k.bytes, batch: k.tensors })
  const place = (pad: number, at: number): { start: number; room: number; same: boolean } => {
    const bytes = encode(Value, { pad: new Uint8Array(pad), batch: [] })
    const given = new Uint8Array(bytes.length + 64).subarray(at, at + bytes.length)
    given.set(bytes)
    const placed = placeFor(Value, given)
    expect(placed).toEqual(bytes)
    return { start: placed.byteOffset, room: placed.buffer.byteLength - placed.length, same: placed === given }
  }
  // The directory is 4 bytes of length and the padding away from the message's start.
  expect(place(60, 0)).toEqual({ start: 0, room: 64, same: true })
  expect(place(60, 8)).toEqual({ start: 0, room: 0, same: false })
  expect(place(0, 60)).toEqual({ start: 60, room: 64, same: true })
  expect(place(0, 0)).toEqual({ start: 60, room: 60, same: false })
  expect(place(4, 4)).toEqual({ start: 56, room: 56, same: false })
  expect(place(61, 8)).toEqual({ start: 63, room: 63, same: false })
})

test('a directory that the value begins with is placed too', () => {
  const block = encode(k.tensors, [tensor('x', 'f64', [1], [3])])
  const given = new Uint8Array(block.length + 8).subarray(8)
  given.set(block)
  const placed = placeFor(k.tensors, given)
  expect([placed === given, placed.byteOffset]).toEqual([false, 0])
  expect(view(k.tensors, placed).at(0).borrow('f64')).toEqual(Float64Array.of(3))
})

test('elements without a directory are passed over one by one, and counted', () => {
  const Value = k.struct({ none: k.list(k.option(k.tensors)), batch: k.tensors })
  const bytes = encode(Value, { none: [undefined, undefined], batch: [tensor('x', 'f64', [1], [3])] })
  const placed = placeFor(Value, bytes)
  expect(view(Value, placed).batch.at(0).borrow('f64')).toEqual(Float64Array.of(3))
  expect(fault(() => placeFor(Value, bytes, { limits: { count: 1 } }))).toMatchObject({ code: 'LIMIT', path: 'none', offset: 0, detail: '2 elements are over the cap of 1; raise limits.count if they are meant' })
  bytes[5] = 2
  expect(fault(() => placeFor(Value, bytes))).toMatchObject({ code: 'TYPE', path: 'none[1]', offset: 5 })
})

test('what is no schema, and a choice that is none, are told', () => {
  expect(fault(() => placeFor({ kind: 'tensors' } as never, message))).toMatchObject({
    code: 'SCHEMA', detail: 'a schema expected, such as k.struct({…}); got an object (Object)',
  })
  expect(fault(() => placeFor(Message, message, { frame: 'yes' as never })).detail).toBe('frame is false or true, got "yes"')
})
