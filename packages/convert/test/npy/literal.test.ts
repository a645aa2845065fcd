import { isKilnError } from 'kiln-format'
import { expect, test } from 'vitest'
import { literalText, parseLiteral } from '../../src/npy/literal.js'

test.each([
  [`'a'`, `'a'`],
  [`"it's"`, `'it's'`],
  [`u'ä'`, `'ä'`],
  [`b'x'`, `'x'`],
  [String.raw`'\x41\u00e4\U0001F642\\\'\n'`, `'Aä🙂\\'\n'`],
  ['12', '12'],
  ['-3', '-3'],
  ['+3', '3'],
  ['12L', '12'],
  ['0012', '12'],
  ['True', 'True'],
  ['False', 'False'],
  ['None', 'None'],
  ['()', '()'],
  ['(1,)', '(1,)'],
  ['(1)', '1'],
  ['( 1 , 2 )', '(1, 2)'],
  ['[ ]', '[]'],
  ['[1, 2,]', '[1, 2]'],
  ['{}', '{}'],
  [`{'a': 1, "b": (2,), }  \n`, `{'a': 1, 'b': (2,)}`],
  [`\n\t{'__proto__':1}`, `{'__proto__': 1}`],
])('%s is read', (text, printed) => {
  expect(literalText(parseLiteral(text, 0))).toBe(printed)
})

test.each([
  ['', 'FRAME', /a value expected, found its end/],
  ['{', 'FRAME', /a key in quotes expected/],
  [`{'a'}`, 'FRAME', /":" expected, found "}"/],
  [`{'a': 1 'b': 2}`, 'FRAME', /"," or "}" expected/],
  ['{1: 2}', 'FRAME', /a key in quotes expected, found "1"/],
  [`{'a': 1, 'a': 2}`, 'TYPE', /the key "a" stands twice/],
  ['(1, 2', 'FRAME', /expected, found its end/],
  ['(1, , 2)', 'FRAME', /a value expected, found ","/],
  ['[1 2]', 'FRAME', /"," or "]" expected, found "2"/],
  [`'a`, 'FRAME', /the rest of a text expected, found its end/],
  [`'a\nb'`, 'FRAME', /the rest of a text expected, found "\\n"/],
  [String.raw`'\x4'`, 'FRAME', /an escape expected/],
  [String.raw`'\U00110000'`, 'FRAME', /an escape expected/],
  [String.raw`'\q'`, 'FRAME', /an escape expected/],
  [String.raw`'\N{DIGIT ONE}'`, 'FRAME', /an escape expected/],
  ['1.5', 'FRAME', /an integer expected, found "\."/],
  ['1e5', 'FRAME', /an integer expected, found "e"/],
  ['1j', 'FRAME', /an integer expected, found "j"/],
  ['0x10', 'FRAME', /an integer expected, found "x"/],
  ['1_000', 'FRAME', /an integer expected, found "_"/],
  ['-', 'FRAME', /digits expected/],
  ['--1', 'FRAME', /digits expected/],
  ['2**8', 'FRAME', /nothing more expected, found "\*"/],
  ['true', 'FRAME', /a value expected, found "t"/],
  ['Trueish', 'FRAME', /a value expected, found "T"/],
  ['__import__("os")', 'FRAME', /a value expected, found "_"/],
  ['{1, 2}', 'FRAME', /a key in quotes expected/],
  ['(1, 2) + (3,)', 'FRAME', /nothing more expected, found "\+"/],
  ['(1,) # a comment', 'FRAME', /nothing more expected, found "#"/],
  ['\u0661', 'FRAME', /a value expected/],
  ['(\u00a01,)', 'FRAME', /a value expected/],
  ['9'.repeat(41), 'TYPE', /an integer of 41 digits/],
  ['9'.repeat(1_000_000), 'TYPE', /an integer of 1000000 digits/],
  ['('.repeat(33) + ')'.repeat(33), 'LIMIT', /nested more than 32 deep/],
  ['['.repeat(1_000_000), 'LIMIT', /nested more than 32 deep/],
  [`{'a':`.repeat(500_000), 'LIMIT', /nested more than 32 deep/],
])('%s is refused', (text, code, detail) => {
  let error: unknown
  try {
    parseLiteral(text, 10)
  } catch (caught) {
    error = caught
  }
  expect(isKilnError(error) && error.code).toBe(code)
  expect(error).toMatchObject({ detail: expect.stringMatching(detail) as unknown })
  expect(isKilnError(error) && error.offset! >= 10 && error.offset! <= 10 + text.length).toBe(true)
})

test('nesting up to 32 deep is read', () => {
  expect(literalText(parseLiteral('['.repeat(32) + ']'.repeat(32), 0))).toBe('['.repeat(32) + ']'.repeat(32))
})

test('a header of a megabyte is read once over', () => {
  const count = 100_000
  const literal = parseLiteral(`[${`('f', '<f8'), `.repeat(count)}]`, 0)
  expect(literal).toMatchObject({ kind: 'list' })
  expect(literal.kind === 'list' && literal.items.length).toBe(count)
  expect(() => parseLiteral(`'${'a'.repeat(1_000_000)}`, 0)).toThrow(/the rest of a text/)
  expect(() => parseLiteral(' '.repeat(1_000_000), 0)).toThrow(/a value expected/)
})
