import { expect, test } from 'vitest'
import { KilnError, decode, k } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import * as runtime from 'kiln-format/runtime'
import { inElement, inEntry, inField, openMessage, openReader, readSafeI64, readSafeU64, takeEntries, takeList, takeRun } from 'kiln-format/runtime'
import type { Run } from 'kiln-format/runtime'
import { fault } from '../support/fault.js'
import { bytesOf } from '../support/hex.js'

const run: Run = [['a', 'u8'], ['b', 'bool'], ['c', 'i64'], ['d', 'u16']]

test('the names that generated code counts on', () => {
  expect(Object.keys(runtime).sort()).toMatchSnapshot()
})

test('a run that is there is taken at once', () => {
  const r = openReader(bytesOf('00 01 0000000000000000 0200 ff'), undefined, 'bigint')
  expect([takeRun(r, 12, run), r.pos]).toEqual([0, 12])
})

test.each([
  ['', 'EOF', 'a', 0],
  ['00', 'EOF', 'b', 1],
  ['00 02', 'TYPE', 'b', 1],
  ['00 01 00000000', 'EOF', 'c', 2],
  ['00 01 0000000000000080 00', 'EOF', 'd', 10],
])('a run of %j is %s at %s, byte %i', (hex, code, path, offset) => {
  const r = openReader(bytesOf(hex), undefined, 'bigint')
  const thrown = fault(() => {
    try {
      takeRun(r, 12, run)
    } catch (error) {
      throw inField(error, '')
    }
  })
  expect(thrown).toMatchObject({ code, path, offset })
})

test('where 64-bit integers come as numbers, one that no number holds goes before the end of the input', () => {
  const r = openReader(bytesOf('00 01 0000000000000080 00'), undefined, 'number')
  expect(fault(() => takeRun(r, 12, run))).toMatchObject({ code: 'TYPE', path: 'c', offset: 2 })
})

test('safe integers', () => {
  const open = (hex: string) => openReader(bytesOf(hex), undefined, 'number')
  expect(readSafeI64(open('ffffffffffffffff'))).toBe(-1)
  expect(readSafeU64(open('ffffffffffff1f00'))).toBe(2 ** 53 - 1)
  expect(fault(() => readSafeU64(open('0000000000002000')))).toMatchObject({ code: 'TYPE', offset: 0 })
  expect(fault(() => readSafeI64(open('00')))).toMatchObject({ code: 'EOF', offset: 0 })
})

test('a run that just fits is taken, wherever it begins', () => {
  const r = openReader(bytesOf('ff 00 01 0000000000000000 0200'), undefined, 'bigint')
  r.pos = 1
  expect([takeRun(r, 12, run), r.pos]).toEqual([1, 13])
  const short = openReader(bytesOf('ff 00 01 0000000000000000 02'), undefined, 'bigint')
  short.pos = 1
  expect(fault(() => takeRun(short, 12, run))).toMatchObject({ code: 'EOF', path: 'd', offset: 11 })
})

test('a value of a short run is judged by its own type, u64 too', () => {
  const open = (hex: string) => openReader(bytesOf(hex), undefined, 'number')
  const u64: Run = [['a', 'u64'], ['b', 'f64'], ['c', 'u8']]
  expect(fault(() => takeRun(open('0000000000002000 00'), 17, u64))).toMatchObject({ code: 'TYPE', path: 'a', offset: 0 })
  // The bits of an f64 are no integer that could be too large.
  expect(fault(() => takeRun(open('0000000000000000 ffffffffffffff7f'), 17, u64))).toMatchObject({ code: 'EOF', path: 'c', offset: 16 })
  expect(fault(() => takeRun(open('02'), 9, [['a', 'bool'], ['b', 'i64']])).detail).toBe(fault(() => decode(k.bool, bytesOf('02'))).detail)
  expect(fault(() => readSafeI64(open('00'))).detail).toBe(fault(() => decode(k.i64, bytesOf('00'))).detail)
  expect(fault(() => readSafeU64(open('00'))).detail).toBe(fault(() => decode(k.u64, bytesOf('00'))).detail)
  expect(readSafeI64(open('0100000000000000'))).toBe(1)
  expect(readSafeU64(open('0100000000000000'))).toBe(1)
})

test('counts are checked and what is made for them is counted', () => {
  resetAllocations()
  const open = (hex: string, count?: number) => openReader(bytesOf(hex), count === undefined ? undefined : { limits: { count } }, 'bigint')
  const list = takeList(open('02000000 0102'), 1)
  expect([Array.isArray(list), list.length]).toEqual([true, 2])
  expect(takeEntries(open('03000000 010203'), 1)).toBe(3)
  expect(allocations().elements).toBe(5)
  for (const taking of [takeList, takeEntries]) {
    expect(fault(() => taking(open('03000000 0102'), 1))).toMatchObject({ code: 'EOF', offset: 0 })
    expect(fault(() => taking(open('02000000 0102', 1), 1))).toMatchObject({ code: 'LIMIT', offset: 0, detail: '2 elements are over the cap of 1; raise limits.count if they are meant' })
  }
  expect(openMessage(bytesOf('0102'), undefined, 'number').settings.int64AsNumber).toBe(true)
  expect(openMessage(bytesOf('0102'), { limits: { count: 1 } }, 'bigint').settings).toMatchObject({ int64AsNumber: false, limits: { count: 1 } })
})

test('steps of a path; what is no KilnError passes by', () => {
  expect(inField(new KilnError('TYPE', 'x'), 'name')).toMatchObject({ path: 'name' })
  expect(inElement(new KilnError('TYPE', 'x'), 3)).toMatchObject({ path: '[3]' })
  const before = new Map([['a', 1]])
  expect(inEntry(new KilnError('EOF', 'x'), 3, undefined, 9, before)).toMatchObject({ code: 'EOF', path: '[3]' })
  expect(inEntry(new KilnError('EOF', 'x'), 3, 5n, 9, before)).toMatchObject({ code: 'EOF', path: '["5"]' })
  expect(inEntry(new KilnError('EOF', 'x'), 3, 'a', 9, before)).toMatchObject({
    code: 'TYPE', path: '[3]', offset: 9, detail: 'the key "a" stands twice',
  })
  const other = new RangeError('x')
  expect([inField(other, 'a'), inElement(other, 1), inEntry(other, 1, 'b', 9, before)]).toEqual([other, other, other])
})

test('the caller\'s bytes may be any view or buffer; options are those of decode', () => {
  expect(openReader(new Uint16Array([1]), undefined, 'bigint').end).toBe(2)
  const { settings } = openReader(new ArrayBuffer(3), { limits: { count: 1 } }, 'number')
  expect(settings).toMatchObject({ int64AsNumber: true, limits: { count: 1 } })
  expect(fault(() => openReader('text' as never, undefined, 'bigint')).code).toBe('TYPE')
  expect(fault(() => openReader(new Uint8Array(0), { limits: { count: -1 } }, 'bigint')).code).toBe('TYPE')
})

test('a run whose sum is over that of its fields is EOF, never nothing', () => {
  const r = openReader(Uint8Array.of(1, 2), undefined, 'bigint')
  expect(fault(() => takeRun(r, 3, [['a', 'u8'], ['b', 'u8']]))).toMatchObject({
    code: 'EOF', offset: 0, detail: '3 bytes of fields announced, 2 left',
  })
})

test('options that are none are refused by generated readers too', () => {
  for (const options of [null, 'strict', 5]) {
    expect(fault(() => openReader(Uint8Array.of(1), options as never, 'number'))).toMatchObject({ code: 'TYPE' })
  }
})
