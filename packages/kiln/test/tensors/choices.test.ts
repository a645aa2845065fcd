import { expect, test } from 'vitest'
import { dtypeOf, encodeDirectory, payloadLength, scaleCount } from 'kiln-format'
import { fault } from '../support/fault.js'

test('checksums are on or off', () => {
  expect(fault(() => encodeDirectory([], { checksums: 1 as never }))).toMatchObject({ code: 'TYPE', detail: 'checksums is false or true, got 1' })
})

test('a group has at least one element, and each its scale then', () => {
  expect([scaleCount([4, 3], 0, 1), scaleCount([4, 3], 0, 3), scaleCount([4, 3], 1, 3)]).toEqual([12, 6, 4])
  expect(fault(() => scaleCount([4], 0, 0))).toMatchObject({ code: 'TYPE', detail: 'a group size is an integer from 1 on, got 0' })
})

test('a dtype of another copy of the library is the same dtype, and what only has its name is none', () => {
  expect(payloadLength({ ...dtypeOf('i4') }, [3])).toBe(2)
  for (const other of [{ name: 'i4' }, { ...dtypeOf('i4'), code: 1 }, { name: 'f9', code: 9 }]) {
    expect(fault(() => payloadLength(other as never, [3]))).toMatchObject({
      code: 'TYPE', detail: "payloadLength takes a dtype such as dtypeOf('f32'), got an object (Object)",
    })
  }
})
