import { expect, test } from 'vitest'
import { JsonReader } from '../../src/json/json-reader.js'
import { faultOf } from '../support/fault.js'

/** The text as JavaScript's own parser has it, where the reader takes it whole. */
function raw(text: string): unknown {
  const json = new JsonReader(text, { what: 'it' })
  const value = json.raw()
  json.end()
  return JSON.parse(value) as unknown
}

const TEXTS = [
  'null', 'true', 'false', '0', '-0', '10', '1.5', '-1.25e+10', '1E-2', '""', '"a"', '"\\u0041\\n\\/"', '[]', '[1,[2,[]]]', '{}', '{"a":{"b":[]}}',
  ' {"a" : 1 , "b" : [ 1 , 2 ] }\n', '"\u2028"', '"🙂"',
]

test.each(TEXTS)('%j is taken', (text) => {
  expect(raw(text)).toEqual(JSON.parse(text))
})

const BAD = [
  '', ' ', 'nul', 'True', '01', '1.', '.5', '-', '+1', '1e', '1e+', '0x1', 'NaN', 'Infinity', '"', '"\\', '"\\u12"', '"\\x"', '"\n"', '"\t"', "'a'", '[', '[1', '[1,',
  '[1,]', '[,]', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{a:1}', '{"a" 1}', '1 2', '{}x', '\ufeff1', '[1 2]', '"\\constructor"',
]

test.each(BAD)('%j is FRAME, as it is an error of JavaScript’s own parser', async (text) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  expect((await faultOf(() => raw(text))).code).toBe('FRAME')
})

test('keys that are equal after their escapes are TYPE, and the offset is in bytes', async () => {
  const fault = await faultOf(() => raw('{"é":1,"b":2,"\\u0062":3}'))
  expect([fault.code, fault.offset, fault.detail]).toEqual(['TYPE', 14, 'it: the key "b" stands twice in the value'])
})

test('halves of characters are UTF8, whole ones in two escapes are taken', async () => {
  expect((await faultOf(() => raw('"\\ud83d"'))).code).toBe('UTF8')
  expect((await faultOf(() => raw('"\\ude42\\ud83d"'))).code).toBe('UTF8')
  const json = new JsonReader('"\\ud83d\\ude42"', { what: 'it' })
  expect(json.string()).toBe('🙂')
})

test('depth is capped where it says, and no stack overflows', async () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  expect(raw(nested(128))).toBeInstanceOf(Array)
  expect((await faultOf(() => raw(nested(129)))).code).toBe('LIMIT')
  expect((await faultOf(() => raw('['.repeat(1_000_000)))).code).toBe('LIMIT')
  expect((await faultOf(() => new JsonReader('[[1]]', { what: 'it', maxDepth: 1 }).skip())).code).toBe('LIMIT')
})

test.each<[string, number | bigint | 'TYPE']>([
  ['0', 0], ['9007199254740991', 9007199254740991], ['9007199254740992', 9007199254740992n], ['9007199254740993', 9007199254740993n],
  ['18446744073709551615', 18446744073709551615n], ['18446744073709551616', 'TYPE'], ['99999999999999999999999999', 'TYPE'], ['-1', 'TYPE'], ['-0', 'TYPE'],
  ['1.0', 'TYPE'], ['1e3', 'TYPE'], ['"1"', 'TYPE'], ['null', 'TYPE'],
])('the count %s is %s', async (text, value) => {
  const read = () => new JsonReader(text, { what: 'it' }).count('n')
  if (value === 'TYPE') expect((await faultOf(read)).code).toBe('TYPE')
  else expect(read()).toBe(value)
})

test('a number of a million digits is passed over', () => {
  expect(() => raw(`[${'9'.repeat(1_000_000)}]`)).not.toThrow()
})

test('a byte order mark is passed over where it may stand, and counted in places', async () => {
  expect(new JsonReader('\ufeff 1', { what: 'it', mark: true }).raw()).toBe('1')
  const fault = await faultOf(() => new JsonReader('\ufeffx', { what: 'it', mark: true }).skip())
  expect([fault.code, fault.offset]).toEqual(['FRAME', 3])
  expect((await faultOf(() => new JsonReader('\ufeff1', { what: 'it' }).skip())).code).toBe('FRAME')
})
