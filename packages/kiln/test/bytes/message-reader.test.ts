import { describe, expect, test } from 'vitest'
import { decode, decodePrefix, encode, k, tensor, view } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { messageReader } from '../../src/bytes/message-reader.js'
import { resolveSettings } from '../../src/limits/limits.js'
import { fault } from '../support/fault.js'

const Row = k.struct({ id: k.i64, name: k.string, flags: k.list(k.bool), vector: k.list(k.u16) })
const row = { id: 7n, name: 'seven', flags: [true, false], vector: Uint16Array.of(1, 2, 3) }
const settings = resolveSettings(undefined)
// id 8, name 4 + 5, flags 4 + 2, vector 4 + 6
const bytes = encode(Row, row)

/** The bytes at `offset` of a buffer of `size` that holds something else around them. */
function placed(offset: number, size = 4096): Uint8Array {
  const around = new Uint8Array(size).fill(0xee)
  around.set(bytes, offset)
  return around.subarray(offset, offset + bytes.length)
}

describe('messages in one buffer', () => {
  test('are each read from where they begin to where they end', () => {
    const pool = new Uint8Array(4096)
    for (let i = 0; i < 40; i++) pool.set(encode(Row, { ...row, id: i }), i * 100 + i)
    for (let i = 0; i < 40; i++) {
      const message = pool.subarray(i * 100 + i, i * 100 + i + bytes.length)
      expect(decode(Row, message)).toEqual({ ...row, id: BigInt(i) })
      expect(decodePrefix(Row, pool.subarray(i * 100 + i))).toEqual({ value: { ...row, id: BigInt(i) }, length: bytes.length })
      expect(view(Row, message).vector.bytes.byteOffset).toBe(i * 100 + i + 27)
    }
  })

  test.each([0, 1, 13, 4000])('errors count from the message, which begins at %i', (offset) => {
    const error = (change: (message: Uint8Array) => Uint8Array, read: (message: Uint8Array) => unknown) => fault(() => read(change(placed(offset))))
    const cut = (length: number) => (message: Uint8Array) => message.subarray(0, length)
    const set = (at: number, byte: number) => (message: Uint8Array) => {
      message[at] = byte
      return message
    }
    for (const read of [(m: Uint8Array) => decode(Row, m), (m: Uint8Array) => view(Row, m), (m: Uint8Array) => decodePrefix(Row, m)]) {
      expect(error(cut(7), read)).toMatchObject({ code: 'EOF', path: 'id', offset: 0 })
      expect(error(set(12, 0xff), read)).toMatchObject({ code: 'UTF8', path: 'name', offset: 12 })
      expect(error(set(22, 2), read)).toMatchObject({ code: 'TYPE', path: 'flags[1]', offset: 22, message: 'TYPE at flags[1] (byte 22): bool is 0 or 1, not 2' })
      expect(error(set(23, 4), read)).toMatchObject({ code: 'EOF', path: 'vector', offset: 23 })
    }
    expect(error(set(23, 2), (m) => decode(Row, m))).toMatchObject({ code: 'TRAILING', path: '', offset: 31 })
    expect(error(set(23, 2), (m) => view(Row, m))).toMatchObject({ code: 'TRAILING', path: '', offset: 31 })
  })
})

describe('the view of a buffer', () => {
  test('is made once as long as messages come in it, up to 64 KiB', () => {
    const small = new Uint8Array(65_536)
    const first = messageReader(small.subarray(5, 9), settings)
    const second = messageReader(small.subarray(70, 80), settings)
    expect(second.view).toBe(first.view)
    expect([first.pos, first.end, first.origin, first.view.byteLength]).toEqual([5, 9, 5, 65_536])
    expect([second.pos, second.end, second.origin]).toEqual([70, 80, 70])
    const other = messageReader(new Uint8Array(10), settings)
    expect(other.view).not.toBe(first.view)
    const large = new Uint8Array(65_537)
    const one = messageReader(large.subarray(5, 9), settings)
    expect([one.pos, one.end, one.origin, one.view.byteLength]).toEqual([0, 4, 0, 4])
    expect(messageReader(large.subarray(5, 9), settings).view).not.toBe(one.view)
  })

  test('is not kept of shared or resizable memory', () => {
    const Resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer
    for (const buffer of [new SharedArrayBuffer(64), new Resizable(64, { maxByteLength: 128 })]) {
      const r = messageReader(new Uint8Array(buffer, 3, 10), settings)
      expect([r.pos, r.end, r.origin, r.view.byteLength, r.unstable]).toEqual([0, 10, 0, 10, true])
    }
  })

  test('of a buffer that went to another thread is not used', () => {
    const mine = Uint8Array.from(bytes)
    expect(decode(Row, mine)).toEqual(row)
    structuredClone(mine.buffer, { transfer: [mine.buffer] })
    expect(fault(() => decode(Row, mine))).toMatchObject({ code: 'TYPE', path: '', offset: undefined })
  })
  test('of memory that nobody else writes to needs no copy of a table', () => {
    const block = encode(k.tensors, [tensor('x', 'u8', [3], [1, 2, 3])])
    resetAllocations()
    expect(view(k.tensors, block).at(0).bytes).toEqual(Uint8Array.of(1, 2, 3))
    expect(allocations().descriptors).toBe(0)
  })
})
