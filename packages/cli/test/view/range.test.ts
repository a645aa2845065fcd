import { expect, test } from 'vitest'
import { parseRange } from '../../src/view/range.js'

test.each([
  [undefined, 'all'],
  ['bytes=0-0', { offset: 0, length: 1 }],
  ['bytes=10-19', { offset: 10, length: 10 }],
  ['bytes=90-200', { offset: 90, length: 10 }],
  ['bytes=90-', { offset: 90, length: 10 }],
  ['bytes=-10', { offset: 90, length: 10 }],
  ['bytes=-200', { offset: 0, length: 100 }],
  ['bytes=-0', 'beyond'],
  ['bytes=100-', 'beyond'],
  ['bytes=100-110', 'beyond'],
  ['bytes=20-10', 'all'],
  ['bytes=-', 'all'],
  ['bytes=0-1,5-6', 'all'],
  ['lines=0-1', 'all'],
  ['bytes=0x10-20', 'all'],
  ['bytes=99999999999999999-', 'all'],
])('%s of 100 bytes', (header, want) => {
  expect(parseRange(header, 100)).toEqual(want)
})

test('an empty file has no range', () => {
  expect(parseRange('bytes=0-0', 0)).toBe('beyond')
  expect(parseRange('bytes=-1', 0)).toBe('beyond')
})

test('ranges beyond 2^32 are exact', () => {
  expect(parseRange('bytes=5000000000-5000000009', 2 ** 40)).toEqual({ offset: 5_000_000_000, length: 10 })
})
