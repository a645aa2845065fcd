import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { isKilnError, KilnError } from 'kiln-format'
import { moved } from '../../src/errors/kiln-error.js'

test('an error says code, place and what is wrong', () => {
  const error = new KilnError('EOF', '40 bytes of string announced, 12 left', 117)
  expect(error.message).toBe('EOF (byte 117): 40 bytes of string announced, 12 left')
  error.within('value').within(3).within('tags')
  expect(error.path).toBe('tags[3].value')
  expect(error.message).toBe('EOF at tags[3].value (byte 117): 40 bytes of string announced, 12 left')
  expect(error.stack).toContain(error.message)
  expect([error.name, error.code, error.offset]).toEqual(['KilnError', 'EOF', 117])
})

test('without an offset the message has none', () => {
  expect(new KilnError('TYPE', 'wrong').message).toBe('TYPE: wrong')
  expect(new KilnError('TYPE', 'wrong').within('a').message).toBe('TYPE at a: wrong')
})

test('names that are no identifiers, and keys, are quoted in paths', () => {
  const path = (step: string | number | { key: string }): string => new KilnError('TYPE', 'x').within(step).within('a').path
  expect(path('b-c')).toBe('a.b-c')
  expect(path('1st')).toBe('a.1st')
  expect(path('é')).toBe('a.é')
  expect(path('p[1]')).toBe('a["p[1]"]')
  expect(path('')).toBe('a[""]')
  expect(path("a'b")).toBe(`a["a'b"]`)
  expect(path({ key: 'k' })).toBe('a["k"]')
  expect(path({ key: 'x'.repeat(200) })).toBe(`a["${'x'.repeat(76)}...]`)
  expect(path({ key: 'x'.repeat(78) })).toBe(`a["${'x'.repeat(78)}"]`)
  expect(path({ key: 'x'.repeat(79) })).toBe(`a["${'x'.repeat(76)}...]`)
  expect(path('x'.repeat(200))).toBe(`a.${'x'.repeat(200)}`)
})

test('control characters of names and texts never reach a message as they are', () => {
  const error = new KilnError('TYPE', 'a\u001b[31m\nb\u2028c\u202e\u0000').within('n\u0007')
  expect(error.message).toBe('TYPE at ["n\\u0007"]: a\\u001b[31m\\u000ab\\u2028c\\u202e\\u0000')
})

test('errors of another copy of the library are known by their brand, others are not', () => {
  const foreign = runInContext(
    `const e = new Error('x'); Object.defineProperty(e, Symbol.for('kiln-format.KilnError'), { value: true }); e`,
    createContext({}),
  ) as unknown
  expect(isKilnError(foreign)).toBe(true)
  expect(isKilnError(new KilnError('EOF', 'x'))).toBe(true)
  for (const other of [new Error('x'), undefined, null, 'EOF', 0, {}]) expect(isKilnError(other)).toBe(false)
})

test('what an error carries is not shown twice by a logger', () => {
  expect(Object.keys(new KilnError('EOF', 'x', 1))).toEqual(['name', 'code', 'offset', 'detail', 'path'])
})

test('a stack that was looked at before shows the path too, and none is no fault', () => {
  const error = new KilnError('EOF', 'x', 1)
  expect(error.stack).toContain('EOF (byte 1): x')
  expect(error.within('a').stack).toContain('EOF at a (byte 1): x')
  const bare = new KilnError('EOF', 'x', 1)
  Object.defineProperty(bare, 'stack', { value: undefined })
  expect(bare.within('a').message).toBe('EOF at a (byte 1): x')
})

test('an error moved has its offset counted from further out, and is otherwise the same', () => {
  const cause = new Error('below')
  const error = new KilnError('EOF', 'x', 5, { cause }).within('b').within('a')
  const further = moved(error, 100) as KilnError
  expect(further).not.toBe(error)
  expect([further.code, further.detail, further.offset, further.path, further.cause]).toEqual(['EOF', 'x', 105, 'a.b', cause])
  expect(further.message).toBe('EOF at a.b (byte 105): x')
  // The one that was given stays as it was.
  expect([error.offset, error.path]).toEqual([5, 'a.b'])
  expect(error.within('top').path).toBe('top.a.b')
})

test('what has no offset, or is not moved at all, is handed on as it is', () => {
  const without = new KilnError('TYPE', 'x')
  const still = new KilnError('TYPE', 'x', 5)
  const foreign = Object.assign(new Error('x'), { offset: 5, steps: [] })
  expect([moved(without, 100), moved(still, 0), moved(foreign, 100), moved('x', 100)]).toEqual([without, still, foreign, 'x'])
  expect(moved(without, 100)).toBe(without)
  expect(moved(still, 0)).toBe(still)
  expect(moved(foreign, 100)).toBe(foreign)
})
