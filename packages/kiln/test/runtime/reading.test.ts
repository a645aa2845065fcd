import { expect, test } from 'vitest'
import { KilnError } from 'kiln-format'
import * as runtime from 'kiln-format/runtime'
import { inElement, inEntry, inField, openReader, readSafeI64, readSafeU64, takeRun } from 'kiln-format/runtime'
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
