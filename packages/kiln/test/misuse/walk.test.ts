import { expect, test } from 'vitest'
import { bytesSource, encodeDirectory, tensor } from 'kiln-format'
import { walk, walkSource } from 'kiln-format/walk'
import { expectedOf, outcomesOf, type Row } from './outcomes.js'

const block = encodeDirectory([tensor('w', 'f32', [2], [1, 2])])

const ROWS: readonly Row[] = [
  ['walk: bytes', (x) => walk(x), 'TYPE', { taken: 'bytes' }],
  ['walk: options', (x) => walk(block, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['walk: as', (x) => walk(block, { as: x }), 'TYPE', { taken: 'undefined' }],
  ['walk: schemas', (x) => walk(block, { schemas: x }), 'SCHEMA', { taken: 'undefined array' }],
  ['walk: depth', (x) => walk(block, { depth: x }), 'TYPE', { taken: 'undefined zero Infinity' }],
  ['walk: from', (x) => walk(block, { from: x }), 'TYPE', { taken: 'undefined zero negative Infinity' }],
  ['walk: to', (x) => walk(block, { to: x }), 'TYPE', { taken: 'undefined zero negative Infinity' }],
  ['walk: limits', (x) => walk(block, { limits: x }), 'TYPE', { taken: 'undefined object bare array Date Map promise' }],
  ['walkSource: source', (x) => walkSource(x), 'TYPE'],
  ['walkSource: options', (x) => walkSource(bytesSource(block), x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['walkSource: what a source gives', (x) => walkSource({ ...bytesSource(block), read: async () => x }), 'TYPE', { EOF: 'bytes' }],
  ['walkSource: as', (x) => walkSource(bytesSource(block), { as: x }), 'TYPE', { taken: 'undefined' }],
  ['walkSource: schemas', (x) => walkSource(bytesSource(block), { schemas: x }), 'SCHEMA', { taken: 'undefined array' }],
  ['walkSource: depth', (x) => walkSource(bytesSource(block), { depth: x }), 'TYPE', { taken: 'undefined zero Infinity' }],
  ['walkSource: from', (x) => walkSource(bytesSource(block), { from: x }), 'TYPE', { taken: 'undefined zero negative Infinity' }],
  ['walkSource: to', (x) => walkSource(bytesSource(block), { to: x }), 'TYPE', { taken: 'undefined zero negative Infinity' }],
  ['walkSource: signal', (x) => walkSource(bytesSource(block), { signal: x }), 'TYPE', { taken: 'undefined' }],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}
