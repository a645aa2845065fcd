import { expect, test } from 'vitest'
import { defaultLimits, resolveSettings, type DecodeOptions } from '../../src/limits/limits.js'
import { fault } from '../support/fault.js'

const defaults = {
  limits: { count: 16_777_216, numbers: 268_435_456, string: 268_435_456, tensors: 1_048_576, body: Infinity },
  int64AsNumber: false,
  strict: false,
  borrowBytes: false,
}

test('what is left out has its default, whether options are given or not', () => {
  const given: (DecodeOptions | undefined)[] = [
    undefined, {}, { limits: {} }, { limits: { string: undefined } as object }, { int64: 'bigint', strict: false, bytes: 'copy' },
  ]
  for (const options of given) {
    expect(resolveSettings(options)).toEqual(defaults)
  }
  expect(Object.isFrozen(defaultLimits)).toBe(true)
})

test('each option changes its own setting, each cap itself alone', () => {
  expect(resolveSettings({ int64: 'number' })).toEqual({ ...defaults, int64AsNumber: true })
  expect(resolveSettings({ strict: true })).toEqual({ ...defaults, strict: true })
  expect(resolveSettings({ bytes: 'borrow' })).toEqual({ ...defaults, borrowBytes: true })
  for (const name of ['count', 'numbers', 'string', 'tensors', 'body']) {
    expect(resolveSettings({ limits: { [name]: 0 } })).toEqual({ ...defaults, limits: { ...defaults.limits, [name]: 0 } })
  }
})

test('a choice that is none is told by its name', () => {
  const told = (options: object): string => fault(() => resolveSettings(options as DecodeOptions)).detail
  expect(told({ int64: 'Number' })).toBe('int64 is "bigint" or "number", got "Number"')
  expect(told({ strict: 1 })).toBe('strict is false or true, got 1')
  expect(told({ bytes: 'view' })).toBe('bytes is "copy" or "borrow", got "view"')
})
