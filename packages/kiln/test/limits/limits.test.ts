import { expect, test } from 'vitest'
import { defaultLimits, resolveSettings, type DecodeOptions } from '../../src/limits/limits.js'

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
