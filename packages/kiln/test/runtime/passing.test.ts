import { expect, test } from 'vitest'
import { encode, k, tensor } from 'kiln-format'
import { openReader, passFault, passTensors, placeWith, seekFault } from 'kiln-format/runtime'
import { fault } from '../support/fault.js'
import { bytesOf } from '../support/hex.js'

const open = (hex: string, limits = {}) => openReader(bytesOf(hex), { limits }, 'bigint')
const thrown = (error: unknown) =>
  fault(() => {
    throw error
  })

test.each([
  ['01', 'struct{a:u8,b:u16,}', {}, 'EOF', 'b', 1, '2 bytes of u16 announced, 0 left'],
  ['02000000 61', 'struct{s:string,}', {}, 'EOF', 's', 0, '2 bytes of string announced, 1 left'],
  ['02000000 6162', 'struct{s:string,}', { string: 1 }, 'LIMIT', 's', 0, /^2 bytes of string are over the cap of 1/],
  ['03', 'struct{o:option<u8>,}', {}, 'TYPE', 'o', 0, 'option tag is 0 or 1, not 3'],
  ['02000000 00000000', 'struct{l:list<string>,}', {}, 'EOF', 'l', 0, '2 elements of at least 4 bytes announced, 4 bytes left'],
  ['02000000 00000000 01000000', 'struct{l:list<string>,}', {}, 'EOF', 'l[1]', 8, '1 bytes of string announced, 0 left'],
  ['01000000 01 05000000', 'struct{d:dict<u8,string>,}', {}, 'EOF', 'd[0]', 5, '5 bytes of string announced, 0 left'],
])('%s as %s with %j is %s at %s', (hex, text, limits, code, path, offset, detail) => {
  const r = open(hex, limits)
  expect(thrown(passFault(r, text))).toMatchObject({ code, path, offset })
  expect(thrown(passFault(open(hex, limits), text)).detail).toMatch(detail)
})

// What is parsed is kept as long as the module, so a text is new but once.
let texts = 0

test('a schema that has not been parsed yet, and again when it has', () => {
  const text = `struct{n${++texts}:option<u8>,}`
  for (let i = 0; i < 2; i++) expect(thrown(passFault(open('02'), text))).toMatchObject({ code: 'TYPE', path: `n${texts}`, offset: 0 })
})

test('what is walked again begins at the cursor', () => {
  const r = open('ffff 03')
  r.pos = 2
  expect(thrown(passFault(r, 'struct{o:option<u8>,}'))).toMatchObject({ code: 'TYPE', offset: 2 })
})

test('bytes that have become right in the meantime are told too', () => {
  expect(thrown(passFault(open('01'), 'struct{a:u8,}'))).toMatchObject({
    code: 'EOF', path: '', offset: 0, detail: 'the bytes have changed while they were read',
  })
  expect(thrown(seekFault(open('00'), 'option<tensors>'))).toMatchObject({
    code: 'EOF', offset: 0, detail: 'the bytes have changed while they were read',
  })
})

test('a fault on the way to a directory has its path', () => {
  const text = 'struct{s:string,l:list<struct{a:u8,t:option<tensors>,}>,}'
  expect(thrown(seekFault(open('00000000 01000000 07 02'), text))).toMatchObject({ code: 'TYPE', path: 'l[0].t', offset: 9 })
  expect(thrown(seekFault(open('01000000'), text))).toMatchObject({ code: 'EOF', path: 's', offset: 0 })
})

test('a directory is passed over by its header; a wrong one ends nowhere', () => {
  const block = encode(k.tensors, [tensor('x', 'u8', [3], [1, 2, 3])])
  const r = openReader(new Uint8Array([9, ...block, 9]), undefined, 'bigint')
  expect([passTensors(r, 1), passTensors(r, 0), passTensors(r, 2), r.pos]).toEqual([1 + block.length, Infinity, Infinity, 0])
  expect(passTensors(r, Infinity)).toBe(Infinity)
  expect(passTensors(openReader(block, { limits: { tensors: 0 } }, 'bigint'), 0)).toBe(Infinity)
})

test('a message is placed by where its directory begins', () => {
  const bytes = new Uint8Array(100).subarray(7, 20).fill(5)
  const placed = placeWith((r) => r.pos + 3, bytes)
  expect([(placed.byteOffset + 3) % 64, placed, placed === bytes]).toEqual([0, bytes, false])
  expect(placeWith((r) => r.pos + 3, placed)).toBe(placed)
  expect(placeWith(() => -1, bytes)).toBe(bytes)
})
