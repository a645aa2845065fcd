import { describe, expect, test } from 'vitest'
import { encode, k, parseSchema, project, tensor, type Schema } from 'kiln-format'
import { passOver, passStepsOf } from '../../src/frozen/pass.js'
import { fixedSizeOf, minSizeOf } from '../../src/frozen/sizes.js'
import { openReader } from '../../src/runtime/reading.js'
import { fault } from '../support/fault.js'

const shapes: readonly (readonly [text: string, value: unknown, ops: string, least: number])[] = [
  ['struct{a:u8,b:bool,c:struct{d:f64,},}', { a: 1, b: true, c: { d: 2 } }, '10 fixed', 10],
  ['string', 'text', '0 string', 4],
  ['string', '', '0 string', 4],
  ['bytes', Uint8Array.of(1, 2), '0 bytes', 4],
  ['bytes', new Uint8Array(0), '0 bytes', 4],
  ['list<struct{a:u8,b:string,}>', [{ a: 1, b: 'x' }], '0 each (1 string)', 4],
  ['list<struct{a:string,b:u8,}>', [{ a: 'x', b: 1 }], '0 each (0 string, 1 fixed)', 4],
  ['list<struct{a:string,b:bytes,}>', [{ a: 'x', b: Uint8Array.of(1) }], '0 each (0 string, 0 bytes)', 4],
  ['list<struct{a:u8,b:list<u8>,}>', [{ a: 1, b: [1] }], '0 each (1 numbers 1)', 4],
  ['list<string>', ['a', ''], '0 texts 1', 4],
  ['list<f32>', [1, 2, 3], '0 numbers 4', 4],
  ['list<bool>', [true, false], '0 rows 1', 4],
  ['list<struct{a:u8,b:u16,}>', [{ a: 1, b: 2 }], '0 rows 3', 4],
  ['dict<u32,f64>', new Map([[1, 2]]), '0 rows 12', 4],
  ['list<string>', ['a', '', 'bcd'], '0 texts 1', 4],
  ['dict<string,string>', new Map([['a', 'b']]), '0 texts 2', 4],
  ['option<u32>', 7, '0 option (4 fixed)', 1],
  ['option<string>', undefined, '0 option (0 string)', 1],
  ['list<list<string>>', [['a'], []], '0 each (0 texts 1)', 4],
  ['dict<u8,list<i64>>', new Map([[1, [2n]]]), '0 each (1 numbers 8)', 4],
  ['tensors', [tensor('x', 'f32', [2], [1, 2])], '0 tensors', 64],
  ['struct{a:u16,s:string,b:bool,t:tensors,c:u8,}', { a: 1, s: 'x', b: true, t: [], c: 3 }, '2 string, 1 tensors, 1 fixed', 72],
]

function shown(steps: ReturnType<typeof passStepsOf>): string {
  return steps
    .map(({ before, op, size, inner }) => `${before} ${op}${size > 0 ? ` ${size}` : ''}${inner.length > 0 ? ` (${shown(inner)})` : ''}`)
    .join(', ')
}

describe.each(shapes)('%s', (text, value, ops, least) => {
  const schema: Schema = parseSchema(text as string)
  const bytes = encode(schema, value as never)

  test('is passed over by few steps, to its end', () => {
    const steps = passStepsOf([schema])
    expect(shown(steps)).toBe(ops)
    expect(passOver(steps, openReader(bytes, undefined, 'bigint'), 0)).toBe(bytes.length)
    const shifted = openReader(new Uint8Array([1, 2, 3, ...bytes, 4]), undefined, 'bigint')
    expect(passOver(steps, shifted, 3)).toBe(3 + bytes.length)
  })

  test('ends behind the input if that is cut short', () => {
    const steps = passStepsOf([schema])
    for (let length = 0; length < bytes.length; length++) {
      const r = openReader(bytes.subarray(0, length), undefined, 'bigint')
      expect(passOver(steps, r, 0)).toBeGreaterThan(length)
      expect(r.pos).toBe(0)
    }
  })

  test('has the sizes of FORMAT §2', () => {
    expect([minSizeOf(schema), fixedSizeOf(schema)]).toEqual([least, ops === '10 fixed' ? 10 : undefined])
  })
})

test.each([
  ['list<string>', ['ab'], { count: 0 }],
  ['list<string>', ['ab'], { string: 1 }],
  ['list<u8>', [1, 2], { numbers: 1 }],
  ['list<bool>', [true, true], { count: 1 }],
  ['string', 'ab', { string: 1 }],
  ['tensors', [tensor('', 'u8', [1], [1])], { tensors: 0 }],
  ['list<list<u8>>', [[1, 2]], { numbers: 1 }],
])('%s of %j with %j is over a cap', (text, value, limits) => {
  const schema: Schema = parseSchema(text as string)
  const r = openReader(encode(schema, value as never), { limits }, 'bigint')
  expect(passOver(passStepsOf([schema]), r, 0)).toBeGreaterThan(r.end)
})

test.each([
  ['list<string>', ['ab'], { count: 1, string: 2 }],
  ['list<u8>', [1, 2], { numbers: 2, count: 0 }],
  ['list<bool>', [true, true], { count: 2, numbers: 0 }],
  ['string', 'ab', { string: 2 }],
  ['list<list<string>>', [['ab']], { count: 1, string: 2 }],
])('%s of %j with %j is within its caps', (text, value, limits) => {
  const schema: Schema = parseSchema(text as string)
  const r = openReader(encode(schema, value as never), { limits }, 'bigint')
  expect(passOver(passStepsOf([schema]), r, 0)).toBe(r.end)
})

test('a count of many elements without bytes ends at once, and says so where the count stands', () => {
  const schema = k.struct({ rows: k.list(k.list(k.string)), z: k.u8 })
  const bytes = Uint8Array.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])
  expect(fault(() => project(schema, ['z'])(bytes))).toMatchObject({
    code: 'EOF', path: 'rows', offset: 0, detail: '16777215 elements of at least 4 bytes announced, 5 bytes left',
  })
})
