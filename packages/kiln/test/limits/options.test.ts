import { expect, test } from 'vitest'
import { checkFunction, checkIterable, checkOptions, isChosen, isOn, wholeNumber } from '../../src/limits/options.js'
import { fault } from '../support/fault.js'

test('options are an object, or left out', () => {
  for (const taken of [undefined, {}, [], new Map()]) expect(checkOptions(taken)).toBe(undefined)
  for (const [given, shown] of [[null, 'null'], ['strict', '"strict"'], [true, 'true'], [7, '7'], [() => 1, 'a function']] as const) {
    expect(fault(() => checkOptions(given))).toMatchObject({ code: 'TYPE', detail: `options are an object of names and values, got ${shown}` })
  }
})

test('a choice is one of its two values, and the first where it is left out', () => {
  const choice = (given: unknown): boolean => isChosen(given, 'int64', 'bigint', 'number')
  expect([undefined, 'bigint', 'number'].map(choice)).toEqual([false, false, true])
  for (const [given, shown] of [['Number', '"Number"'], ['', '""'], [null, 'null'], [true, 'true'], [0, '0']] as const) {
    expect(fault(() => choice(given))).toMatchObject({ code: 'TYPE', detail: `int64 is "bigint" or "number", got ${shown}` })
  }
})

test('what is on or off is true or false', () => {
  expect([undefined, false, true].map((given) => isOn(given, 'strict'))).toEqual([false, false, true])
  for (const [given, shown] of [[1, '1'], ['true', '"true"'], [null, 'null']] as const) {
    expect(fault(() => isOn(given, 'strict'))).toMatchObject({ code: 'TYPE', detail: `strict is false or true, got ${shown}` })
  }
})

test('a whole number has a least value, and an end only where that is said', () => {
  expect([undefined, 2, 9, 2 ** 53 - 1].map((given) => wholeNumber(given, 'retries', 5, 2))).toEqual([5, 2, 9, 2 ** 53 - 1])
  expect(wholeNumber(Infinity, 'depth', 5, 2, true)).toBe(Infinity)
  for (const [given, shown] of [[1, '1'], [-1, '-1'], [2.5, '2.5'], [2 ** 53, '9007199254740992'], [NaN, 'NaN'], ['3', '"3"'], [3n, '3n'], [null, 'null'], [Infinity, 'Infinity']] as const) {
    expect(fault(() => wholeNumber(given, 'retries', 5, 2))).toMatchObject({ code: 'TYPE', detail: `retries is an integer from 2 on, got ${shown}` })
  }
  for (const given of [-Infinity, 2.5, 2 ** 53]) expect(fault(() => wholeNumber(given, 'depth', 5, 2, true)).code).toBe('TYPE')
})

test('what is called is a function, or left out', () => {
  for (const taken of [undefined, () => 1, Date]) expect(checkFunction(taken, 'onProgress')).toBe(undefined)
  for (const [given, shown] of [[null, 'null'], [{}, 'an object (Object)'], ['f', '"f"']] as const) {
    expect(fault(() => checkFunction(given, 'onProgress'))).toMatchObject({ code: 'TYPE', detail: `onProgress is a function, got ${shown}` })
  }
})

test('pieces come from something that can be gone through, and a string is none', () => {
  for (const taken of [[], new Set(), (function* () { yield 1 })(), { [Symbol.asyncIterator]: () => 1 }]) expect(checkIterable(taken, 'chunks')).toBe(undefined)
  for (const [given, shown] of [['text', '"text"'], [{}, 'an object (Object)'], [null, 'null'], [undefined, 'undefined'], [7, '7']] as const) {
    expect(fault(() => checkIterable(given, 'chunks'))).toMatchObject({ code: 'TYPE', detail: `chunks gives bytes piece by piece, as an iterable or an async iterable; got ${shown}` })
  }
})
