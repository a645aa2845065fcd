import { beforeEach, expect, test } from 'vitest'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { generate } from '../../src/gen/generate.js'
import { codeOf, outcome } from './support/compare.js'
import { functionsOf, loadModule } from './support/load-module.js'

beforeEach(() => resetAllocations())

test.each([
  ['list<string>', 'ffff0000 00000000', 'EOF'],
  ['list<string>', '01000001', 'LIMIT'],
  ['list<string>', 'ffff00', 'EOF'],
  ['list<bool>', 'ffff0000 01', 'EOF'],
  ['list<f32>', 'ffff0000 00000000', 'EOF'],
  ['list<f64>', '01000010', 'LIMIT'],
  ['list<struct{a:u8,b:option<string>}>', '03000000 0000000000', 'EOF'],
  ['dict<string,u8>', 'ffff0000 00000000', 'EOF'],
  ['dict<i64,list<u8>>', '01000001', 'LIMIT'],
  ['struct{a:u8,b:list<list<u8>>}', '00 ffff0000', 'EOF'],
  ['tensors', `4b494c54 02000000 4000000000000000 ffffffff 00000000 ${'00'.repeat(40)}`, 'LIMIT'],
])('%s of %s is %s before anything is allocated for its count', (schema, hex, code) => {
  const { decode, view } = functionsOf(loadModule(generate(schema, { source: 'x', name: 'Root' }).code!), 'Root')
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  expect(codeOf(outcome(() => decode(bytes)))).toBe(code)
  expect(codeOf(outcome(() => view(bytes)))).toBe(code)
  expect(allocations()).toEqual({ elements: 0, descriptors: 0 })
})

test('a list of numbers is one array of its own, at any offset', () => {
  const { decode } = functionsOf(loadModule(generate('list<f64>', { source: 'x', name: 'Root' }).code!), 'Root')
  for (let offset = 0; offset < 16; offset++) {
    const bytes = new Uint8Array(offset + 4 + 16).subarray(offset)
    bytes.set([2, 0, 0, 0])
    new DataView(bytes.buffer).setFloat64(offset + 4 + 8, 1.5, true)
    const list = decode(bytes) as Float64Array
    bytes.fill(0xff)
    expect(list).toEqual(Float64Array.of(0, 1.5))
    expect(list.buffer.byteLength).toBe(16)
  }
})
