import { describe, expect, test } from 'vitest'
import { parseSchema } from 'kiln-format'
import { fault } from '../support/fault.js'

const parse = (text: string): ReturnType<typeof parseSchema> => parseSchema(text)

describe('text of people', () => {
  test.each([
    [' u8 ', 'u8'],
    ['\t\n\r list < u8 > ', 'list<u8>'],
    ['dict<string , i64>', 'dict<string,i64>'],
    ['struct { a : u8 , b : option < string > }', 'struct{a:u8,b:option<string>,}'],
    ['struct{a:u8}', 'struct{a:u8,}'],
    ['struct{list:u8,u8:list<u8>,struct:struct{option:bool}}', 'struct{list:u8,u8:list<u8>,struct:struct{option:bool,},}'],
    ['struct{a.b-c/d:u8,"q":u8,}', 'struct{a.b-c/d:u8,"q":u8,}'],
  ])('%j is %s', (text, canonical) => {
    expect(parse(text).text).toBe(canonical)
  })
})

describe('faults, the first from left to right', () => {
  test.each<[string, number, string]>([
    ['', 0, 'a type expected, the text ends'],
    ['  ', 2, 'a type expected, the text ends'],
    ['u9', 0, '"u9" is no type'],
    ['U8', 0, '"U8" is no type'],
    ['u8 u8', 3, 'the end of the schema expected, there is "u8"'],
    ['u8>', 2, 'the end of the schema expected, there is ">"'],
    ['list', 4, '"<" expected, the text ends'],
    ['list<', 5, 'a type expected, the text ends'],
    ['list<>', 5, 'a type expected, there is ">"'],
    ['list<u8', 7, '">" expected, the text ends'],
    ['list{u8}', 4, '"<" expected, there is "{u8}"'],
    ['struct<', 6, '"{" expected, there is "<"'],
    ['struct{}', 7, 'a struct has at least one field'],
    ['struct{ }', 8, 'a struct has at least one field'],
    ['struct{,}', 7, `a field's name expected, there is ",}"`],
    ['struct{a}', 8, '":" expected, there is "}"'],
    ['struct{a:}', 9, 'a type expected, there is "}"'],
    ['struct{a:u8', 11, '"," or "}" expected, the text ends'],
    ['struct{a:u8,,}', 12, `a field's name expected, there is ",}"`],
    ['struct{a:u8 b:u8}', 12, '"," or "}" expected, there is "b:u8}"'],
    ['struct{a:u8,a:u9}', 12, 'the field "a" stands twice in one struct'],
    ['struct{__proto__:u8}', 7, `a field can't be named "__proto__"; rename it`],
    ['dict<f32,u8>', 5, `a dict's key is string, bool or an integer type, not f32`],
    ['dict<list<u8>,u8>', 5, `a dict's key is string, bool or an integer type, not list`],
    ['dict<string>', 11, '"," expected, there is ">"'],
    ['dict<u8,>', 8, 'a type expected, there is ">"'],
    ['dict<u8,u8', 10, '">" expected, the text ends'],
    ['option<option<u8>>', 7, `an option directly in an option can't be told from it; put a struct between`],
    ['option<u8', 9, '">" expected, the text ends'],
    ['u8\u00a0', 2, 'the end of the schema expected, there is "\u00a0"'],
    ['\ufeffu8', 0, 'a type expected, there is "\ufeffu8"'.replace('\ufeff', '\\ufeff')],
    ['struct{é:u8}', 7, `a field's name expected, there is "é:u8}"`],
    ['u8\0', 2, 'the end of the schema expected, there is "\\u0000"'],
  ])('%j fails at %i', (text, offset, detail) => {
    expect(fault(() => parse(text))).toMatchObject({ code: 'SCHEMA', offset, detail })
  })

  test('what is no string is SCHEMA', () => {
    expect(fault(() => parseSchema(7 as unknown as string))).toMatchObject({ code: 'SCHEMA', detail: 'schema text must be a string' })
  })

  test('a level counts when its mark has been read, and not before', () => {
    const deep = 'list<'.repeat(64)
    expect(fault(() => parse(`${deep}list`)).code).toBe('SCHEMA')
    expect(fault(() => parse(`${deep}list<`))).toMatchObject({ code: 'LIMIT', offset: 320 })
    expect(fault(() => parse(`${deep}struct{`)).code).toBe('LIMIT')
    expect(fault(() => parse(`${deep}u9`)).code).toBe('SCHEMA')
    expect(fault(() => parse('list<'.repeat(100_000)))).toMatchObject({ code: 'LIMIT' })
    expect(parse(`${deep}u8${'>'.repeat(64)}`).depth).toBe(64)
  })

  test('the cap on the text counts bytes of UTF-8 and goes before all else', () => {
    const spaces = (n: number): string => `u8${' '.repeat(n - 2)}`
    expect(parse(spaces(65_536)).text).toBe('u8')
    expect(fault(() => parse(spaces(65_537)))).toMatchObject({
      code: 'LIMIT', detail: 'schema text of 65537 bytes is over the cap of 65536; split the schema',
    })
    expect(fault(() => parse('é'.repeat(32_768))).code).toBe('SCHEMA')
    expect(fault(() => parse('é'.repeat(32_769))).code).toBe('LIMIT')
    expect(fault(() => parse('€'.repeat(21_846)))).toMatchObject({ code: 'LIMIT', detail: expect.stringContaining('65538 bytes') as string })
    expect(fault(() => parse('😀'.repeat(16_384))).code).toBe('SCHEMA')
    expect(fault(() => parse(`${'😀'.repeat(16_384)}x`))).toMatchObject({ code: 'LIMIT', detail: expect.stringContaining('65537 bytes') as string })
    expect(fault(() => parse(`${'\ud83d'.repeat(21_845)}xx`))).toMatchObject({ code: 'LIMIT', detail: expect.stringContaining('65537 bytes') as string })
  })

  test.each<[string, string, number, number]>([
    ['the last of one byte', '\u007f', 1, 65_536],
    ['the first of two', '\u0080', 2, 32_768],
    ['the last of two', '\u07ff', 2, 32_768],
    ['the first of three', '\u0800', 3, 21_845],
    ['the last before the surrogates', '\ud7ff', 3, 21_845],
    ['the first behind them', '\ue000', 3, 21_845],
    ['the last of three', '\uffff', 3, 21_845],
    ['the first pair', '\u{10000}', 4, 16_384],
    ['the last pair', '\u{10ffff}', 4, 16_384],
    ['a second half alone', '\udfff', 3, 21_845],
  ])('%s: %j takes %i bytes, and %i of it are within the cap', (_, character, size, most) => {
    expect(fault(() => parse(character.repeat(most))).code).toBe('SCHEMA')
    expect(fault(() => parse(character.repeat(most + 1)))).toMatchObject({
      code: 'LIMIT', detail: expect.stringContaining(`text of ${size * (most + 1)} bytes`) as string,
    })
  })

  test('each character counts by itself, whatever the text begins with', () => {
    expect(fault(() => parse(`x${'😀'.repeat(16_383)}`)).code).toBe('SCHEMA')
    expect(fault(() => parse(`😀${'\ud83d'.repeat(21_844)}`)).code).toBe('SCHEMA')
    expect(fault(() => parse(`😀${'\ud83d'.repeat(21_845)}`))).toMatchObject({ code: 'LIMIT', detail: expect.stringContaining('65539 bytes') as string })
  })
})
