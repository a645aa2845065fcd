import { createContext, runInContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { allocate } from '../../src/bytes/allocate.js'
import { bulkCopy } from '../../src/bytes/bulk-copy.js'
import { borrowElements, copyElements, elementType, isBorrowable, loadElements, toLittleEndian, type NumberName } from '../../src/bytes/elements.js'
import { textDecoder } from '../../src/bytes/host.js'
import { describe as describeValue, isBuffer, isUnstable, toBytes } from '../../src/bytes/input.js'
import { decodeUtf8 } from '../../src/bytes/utf8.js'
import { fault } from '../support/fault.js'
import { bytesOf, hexOf } from '../support/hex.js'

describe('elements', () => {
  const bytes = bytesOf('ee0123456789abcdbfee')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  test.each<[NumberName, number | bigint]>([
    ['i8', 1], ['u8', 1], ['i16', 0x2301], ['u16', 0x2301], ['i32', 0x67452301], ['u32', 0x67452301], ['f16', 0x2301], ['bf16', 0x2301],
    ['i64', -0x4032547698badcffn], ['u64', 0xbfcdab8967452301n], ['f32', 9.30951905225494e23], ['f64', -0.23179738562091504],
  ])('%s is read in little-endian order', (name, value) => {
    expect(elementType(name).get(view, 1)).toBe(value)
  })
  test.each<[NumberName, number, number | bigint]>([['i8', 9, -18], ['u8', 9, 238], ['i16', 7, -0x4033], ['u16', 7, 0xbfcd], ['i32', 5, -0x40325477], ['u32', 5, 0xbfcdab89]])(
    '%s at byte %d has its sign or none',
    (name, at, value) => {
      expect(elementType(name).get(view, at)).toBe(value)
    },
  )

  const buffer = new ArrayBuffer(24)
  const odd = new Uint8Array(buffer, 1)
  test('are borrowed where buffer and start together are a multiple of their width', () => {
    expect([0, 1, 2, 3, 7].map((start) => isBorrowable(odd, start, 8, 4))).toEqual([false, false, false, true, true])
    expect([0, 1, 3, 7].map((start) => isBorrowable(odd, start, 8, 2))).toEqual([false, true, true, true])
    expect([0, 1, 2].map((start) => isBorrowable(odd, start, 8, 1))).toEqual([true, true, true])
    expect([0, 1, 2].map((start) => isBorrowable(odd, start, 0, 8))).toEqual([true, true, true])
    const borrowed = borrowElements(elementType('f32'), odd, 3, 8)
    expect([borrowed.buffer === buffer, borrowed.byteOffset, borrowed.length]).toEqual([true, 4, 2])
    expect(borrowElements(elementType('f64'), odd, 1, 0).length).toBe(0)
    expect(fault(() => borrowElements(elementType('f32'), odd, 1, 8))).toMatchObject({
      code: 'ALIGN',
      detail: `f32 can't be borrowed here: byte 2 of the buffer is no multiple of 4; use copy() or load(target)`,
    })
  })
  test('go into an array that just holds them, or more, and not into a shorter one', () => {
    expect([...copyElements(elementType('u16'), bytes, 1, 4)]).toEqual([0x2301, 0x6745])
    for (const length of [2, 3]) {
      const target = new Uint16Array(length).fill(7)
      expect(loadElements(elementType('u16'), bytes, 1, 4, target)).toBe(2)
      expect([...target]).toEqual([0x2301, 0x6745, 7].slice(0, length))
    }
    expect(fault(() => loadElements(elementType('u16'), bytes, 1, 4, new Uint16Array(1)))).toMatchObject({
      code: 'TYPE',
      detail: 'the target has room for 1 elements, there are 2',
    })
    expect(fault(() => loadElements(elementType('f16'), bytes, 1, 4, new Int16Array(2)))).toMatchObject({
      code: 'TYPE',
      detail: 'f16 loads into a Uint16Array or Float16Array, not into a Int16Array',
    })
  })
  test('on a big-endian host only single bytes are borrowed, or nothing', () => {
    expect(([1, 2, 4, 8] as const).map((width) => isBorrowable(odd, 7, 8, width, false))).toEqual([true, false, false, false])
    expect(isBorrowable(odd, 7, 0, 8, false)).toBe(true)
  })
  test('are swapped on a big-endian host, but for single bytes', () => {
    const own = bytesOf('0123456789abcdef')
    expect(([1, 2, 4, 8] as const).map((width) => hexOf(toLittleEndian(own, width, false)))).toEqual(['0123456789abcdef', '23016745ab89efcd', '67452301efcdab89', 'efcdab8967452301'])
    expect([toLittleEndian(own, 1, false) === own, toLittleEndian(own, 2, false) === own, toLittleEndian(own, 8, true) === own]).toEqual([true, false, true])
    expect(hexOf(own)).toBe('0123456789abcdef')
  })
  test('of a byte go into a clamped array too', () => {
    const target = new Uint8ClampedArray(2)
    expect(loadElements(elementType('u8'), bytes, 1, 2, target)).toBe(2)
    expect([...target]).toEqual([0x01, 0x23])
  })
  test('that are swapped leave what lies behind them', () => {
    const target = new Uint8Array(7).fill(0xee)
    bulkCopy(target, bytesOf('01020304'), 2, false)
    expect(hexOf(target)).toBe('02010403eeeeee')
  })
})

describe('what a host refuses', () => {
  test('storage', () => {
    let caught: unknown
    try {
      allocate(Uint8Array, 2 ** 53)
    } catch (error) {
      caught = error
    }
    expect(caught).toMatchObject({ code: 'LIMIT', detail: `this host can't allocate 9007199254740992 elements at once` })
    expect((caught as Error).cause).toBeInstanceOf(RangeError)
  })
  test('text in memory that others can write to, which is copied before it is judged', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4))
    shared.set([0x61, 0xc3, 0xa9, 0x62])
    const decode = vi.spyOn(textDecoder, 'decode')
    try {
      expect(decodeUtf8(shared, 1, 3, true)).toBe('é')
      expect(decode.mock.calls.map(([bytes]) => [bytes.buffer === shared.buffer, [...bytes]])).toEqual([[false, [0xc3, 0xa9]]])
      expect(decodeUtf8(Uint8Array.from(shared), 1, 3, false)).toBe('é')
      expect(decode).toHaveBeenCalledTimes(1)
    } finally {
      decode.mockRestore()
    }
  })
  test('a text', () => {
    const cause = new RangeError('too long')
    const decode = vi.spyOn(textDecoder, 'decode').mockImplementation(() => {
      throw cause
    })
    let caught: unknown
    try {
      decodeUtf8(new Uint8Array(40).fill(65), 3, 40, false)
    } catch (error) {
      caught = error
    } finally {
      decode.mockRestore()
    }
    expect(caught).toMatchObject({ code: 'LIMIT', offset: 3, detail: 'text of 37 bytes is too long for this host' })
    expect((caught as Error).cause).toBe(cause)
  })
})

describe('inputs', () => {
  test.each<[string, (buffer: ArrayBuffer) => ArrayBufferView | ArrayBuffer]>([
    ['a Float32Array', (buffer) => new Float32Array(buffer)],
    ['a Uint8Array', (buffer) => Buffer.from(buffer)],
    ['a Uint8Array', (buffer) => new Uint8Array(buffer, 2)],
    ['an object (DataView)', (buffer) => new DataView(buffer, 4)],
    ['an object (ArrayBuffer)', (buffer) => buffer],
  ])('%s whose memory was transferred is TYPE', (what, make) => {
    const value = make(new ArrayBuffer(8))
    const buffer = value instanceof ArrayBuffer ? value : (value.buffer as ArrayBuffer)
    structuredClone(buffer, { transfer: [buffer] })
    const detail = `the memory of ${what} was transferred or resized away; give the bytes where they are now`
    expect(fault(() => toBytes(value))).toMatchObject({ code: 'TYPE', path: '', offset: undefined, detail })
    if (value instanceof Float32Array) expect(fault(() => loadElements(elementType('f32'), bytesOf('00000000'), 0, 4, value))).toMatchObject({ code: 'TYPE', detail })
  })
  test('the host says why memory is gone', () => {
    const value = new Float32Array(1)
    structuredClone(value, { transfer: [value.buffer] })
    let caught: unknown
    try {
      toBytes(value)
    } catch (error) {
      caught = error
    }
    expect((caught as Error).cause).toBeInstanceOf(TypeError)
  })
  test('a function is no buffer, whatever it says of itself', () => {
    expect(isBuffer(Object.assign(() => 1, { [Symbol.toStringTag]: 'ArrayBuffer' }))).toBe(false)
    expect([null, undefined, 7, 'ArrayBuffer', {}, new Uint8Array(1)].map(isBuffer)).toEqual([false, false, false, false, false, false])
    expect([new ArrayBuffer(0), new SharedArrayBuffer(0)].map(isBuffer)).toEqual([true, true])
  })
  test('memory of another realm is unstable if it is shared', () => {
    const context = createContext({})
    expect(isUnstable(runInContext('new Uint8Array(4)', context) as Uint8Array)).toBe(false)
    expect(isUnstable(runInContext('new Uint8Array(new SharedArrayBuffer(4))', context) as Uint8Array)).toBe(true)
  })
  test('a string of 40 characters is shown, of 41 not', () => {
    expect(describeValue('x'.repeat(40))).toBe(`"${'x'.repeat(40)}"`)
    expect(describeValue('x'.repeat(41))).toBe('a string of 41 characters')
  })
})
