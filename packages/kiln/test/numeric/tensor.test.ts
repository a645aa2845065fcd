import { expect, test } from 'vitest'
import { checkTensor, extentOf } from '../../src/numeric/tensor.js'
import { refuses } from './refuses.js'

test('what dtype and shape come to', () => {
  const f16 = { dtype: { name: 'f16' }, elements: 15, byteLength: 30 }
  expect(extentOf({ dtype: 'f16', shape: [3, 5] })).toMatchObject(f16)
  expect(extentOf({ dtype: 'e2m1', shape: [3] })).toMatchObject({ elements: 3, byteLength: 2 })
  expect(extentOf({ dtype: 'ggml_q8_0', shape: [2, 32] })).toMatchObject({ elements: 64, byteLength: 68 })
  expect(extentOf({ dtype: 'f32', shape: [] })).toMatchObject({ elements: 1, byteLength: 4 })
  refuses(() => extentOf({ dtype: 'f99', shape: [1] }), '"f99" is no dtype')
  refuses(() => extentOf({ dtype: 'f32', shape: [1.5] }), 'a dimension is an integer from 0 to 2^53 - 1')
  // An eighth of a byte each: the bytes could be counted, the elements can't.
  const many = { dtype: 'u1', shape: [2 ** 30, 2 ** 24] }
  refuses(() => extentOf(many), 'TYPE: shape [1073741824, 16777216] has more than 2^53 - 1 elements')
  expect(extentOf({ dtype: 'u1', shape: [2 ** 52] })).toMatchObject({ elements: 2 ** 52, byteLength: 2 ** 49 })
})

test('a payload is a Uint8Array of just the bytes that are needed', () => {
  const f16 = { dtype: 'f16', shape: [2] } as const
  expect(checkTensor({ ...f16, bytes: new Uint8Array(4) })).toMatchObject({ elements: 2, byteLength: 4 })
  expect(checkTensor({ ...f16, bytes: Buffer.alloc(4) })).toMatchObject({ elements: 2 })
  for (const bytes of [new Int8Array(4), new Uint8ClampedArray(4), new ArrayBuffer(4), [0, 0, 0, 0], undefined]) {
    refuses(() => checkTensor({ ...f16, bytes: bytes as never }), 'TYPE: a payload is a Uint8Array; for other')
  }
  // It says of itself that it is one.
  const impostor = { [Symbol.toStringTag]: 'Uint8Array', byteLength: 4 }
  refuses(() => checkTensor({ ...f16, bytes: impostor as never }), 'TYPE: a payload is a Uint8Array')
  for (const length of [3, 5]) {
    const message = `TYPE: the payload has ${length} bytes, but f16 of shape [2] needs 4`
    refuses(() => checkTensor({ ...f16, bytes: new Uint8Array(length) }), message)
  }
})
