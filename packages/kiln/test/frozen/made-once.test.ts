import { beforeEach, describe, expect, test } from 'vitest'
import { encode, k, parseSchema, tensor, type Schema } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { ByteWriter } from '../../src/bytes/writer.js'
import { skipperOf } from '../../src/frozen/skip.js'
import { openReader } from '../../src/runtime/reading.js'
import { bytesOf, hexOf } from '../support/hex.js'

// Loaded apart from the library's own, and anew for each test: nothing has been compiled yet.
let loads = 0
let { readersOf } = {} as typeof import('../../src/frozen/readers.js')
let { writerOf } = {} as typeof import('../../src/frozen/writers.js')
beforeEach(async () => {
  const [readers, writers] = ['readers', 'writers'].map((name) => `../../src/frozen/${name}.ts?empty${loads}`) as [string, string]
  loads++
  ;({ readersOf } = (await import(readers)) as typeof import('../../src/frozen/readers.js'))
  ;({ writerOf } = (await import(writers)) as typeof import('../../src/frozen/writers.js'))
})

const values: readonly [text: string, value: unknown, hex: string, alike?: boolean][] = [
  ['bool', true, '01'],
  ['u8', 7, '07'],
  ['i16', -2, 'feff'],
  ['i64', -2n, 'feffffffffffffff'],
  ['f32', 1.5, '0000c03f'],
  ['string', 'ab', '020000006162'],
  ['bytes', Uint8Array.of(1, 2), '020000000102', false],
  ['list<u16>', Uint16Array.of(1, 2), '0200000001000200', false],
  ['list<bool>', [true, false], '020000000100'],
  ['list<bytes>', [Uint8Array.of(3)], '010000000100000003', false],
  ['dict<u8,string>', new Map([[1, 'a']]), '01000000010100000061'],
  ['dict<string,bytes>', new Map([['a', Uint8Array.of(1)]]), '010000000100000061' + '0100000001', false],
  ['option<u8>', 5, '0105'],
  ['option<u8>', undefined, '00'],
  ['struct{a:u8,b:string,}', { a: 1, b: '' }, '0100000000'],
  ['struct{a:u8,b:bytes,}', { a: 1, b: new Uint8Array(0) }, '0100000000', false],
]

describe.each(values.map(([text, value, hex, alike]) => [text, hex, value, alike] as const))('%s of %s', (text, hex, value, alike = true) => {
  test('is read and written by what is made for it, once', () => {
    const schema: Schema = parseSchema(text)
    const [readers, write, skip] = [readersOf(schema), writerOf(schema), skipperOf(schema)]
    expect(readers.read(openReader(bytesOf(hex), undefined, 'bigint'))).toEqual(value)
    const w = new ByteWriter()
    write(w, value)
    expect(hexOf(w.finish())).toBe(hex)
    const r = openReader(bytesOf(`${hex}ee`), undefined, 'bigint')
    skip(r)
    expect(r.pos).toBe(hex.length / 2)
    expect([readersOf(schema) === readers, writerOf(schema) === write, skipperOf(schema) === skip]).toEqual([true, true, true])
    expect(readers.view === readers.read).toBe(alike)
  })
})

test('tensors are read, viewed and written', () => {
  const block = encode(k.tensors, [tensor('x', 'u8', [1], [7])])
  for (const how of ['read', 'view'] as const) {
    const read = readersOf(k.tensors)[how]
    resetAllocations()
    const directory = read(openReader(block, undefined, 'bigint')) as Iterable<{ name: string; bytes: Uint8Array }>
    expect(Array.from(directory, ({ name, bytes }) => [name, ...bytes])).toEqual([['x', 7]])
    // An owned table is a copy.
    expect(allocations().descriptors).toBe(how === 'read' ? 1 : 0)
  }
  const w = new ByteWriter()
  writerOf(k.tensors)(w, [tensor('x', 'u8', [1], [7])])
  expect(w.finish()).toEqual(block)
})

test('what another thread has put right meanwhile is passed over one by one', () => {
  const lengths = [100, 1]
  const view = { getUint32: () => lengths.shift() } as unknown as DataView
  const r = { ...openReader(bytesOf('0100000061'), undefined, 'bigint'), view }
  skipperOf(k.struct({ text: k.string }))(r)
  expect([r.pos, lengths]).toEqual([5, []])
})
