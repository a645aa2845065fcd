import { dtypes, encodeDirectory, payloadLength, readDirectory, tensor, verifyDirectory, type DtypeName, type TensorInput } from 'kiln-format'
import { describe, expect, test } from 'vitest'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

const payloadOf = (input: TensorInput): string => hexOf(readDirectory(encodeDirectory([input])).at(0).bytes)

/** Code, path and detail of a fault. */
function told(run: () => unknown): unknown[] {
  const { code, path, detail } = fault(run)
  return [code, path, detail]
}

describe('data', () => {
  test('of single bytes may be any view', () => {
    expect(payloadOf(tensor('w', 'u8', [4], Float32Array.of(1)))).toBe('0000803f')
    expect(payloadOf(tensor('w', 'e2m1', [4], Uint16Array.of(0x1234)))).toBe('3412')
  })
  test('of wider elements may be bytes in any wrapping', () => {
    const bytes = Uint8Array.of(0, 0, 128, 63)
    for (const data of [bytes, new Uint8ClampedArray(bytes), new DataView(bytes.buffer), bytes.buffer, Float32Array.of(1)]) {
      expect(payloadOf(tensor('w', 'f32', [1], data))).toBe('0000803f')
    }
  })
  test('of 64-bit integers', () => {
    expect(payloadOf(tensor('w', 'i64', [2], [-5n, 7]))).toBe('fbffffffffffffff0700000000000000')
    expect(payloadOf(tensor('w', 'u64', [2], [5n, 7]))).toBe('05000000000000000700000000000000')
    expect(payloadOf(tensor('w', 'u64', [1], [2n ** 64n - 1n]))).toBe('ffffffffffffffff')
    expect(told(() => tensor('w', 'u64', [1], [-1]))).toEqual(['TYPE', 'w[0]', 'u64 takes a bigint from 0 to 18446744073709551615 or a safe integer, got -1'])
    expect(told(() => tensor('w', 'i64', [1], [2n ** 63n]))).toEqual(['TYPE', 'w[0]', 'i64 takes a bigint from -9223372036854775808 to 9223372036854775807 or a safe integer, got 9223372036854775808n'])
  })
  test('that has gone elsewhere since is missed', () => {
    const data = Uint8Array.of(1, 2, 3, 4)
    const input = tensor('w', 'u8', [4], data)
    expect(Object.isFrozen(input)).toBe(true)
    structuredClone(data.buffer, { transfer: [data.buffer] })
    expect(told(() => encodeDirectory([input]))).toEqual(['TYPE', 'w', 'the memory of a Uint8Array was transferred or resized away; give the bytes where they are now'])
  })
  test('that was empty is missed as well', () => {
    const data = new Float32Array(0)
    const input = tensor('w', 'f32', [0], data)
    structuredClone(data.buffer, { transfer: [data.buffer] })
    expect(told(() => encodeDirectory([input]))).toEqual(['TYPE', 'w', 'the memory of a Float32Array was transferred or resized away; give the bytes where they are now'])
  })
  test('of a description that has fields of a tensor that was read', () => {
    const plain = { name: 'w', dtype: 'u8', shape: [1], data: Uint8Array.of(7) } as const
    for (const more of [{ scheme: 0 }, { bytes: 1 }, { byteOffset: 5 }, { scheme: 0, bytes: 1 }, { scheme: 0, byteOffset: 5 }, { bytes: 1, byteOffset: 5 }]) {
      expect(payloadOf({ ...plain, ...more } as TensorInput)).toBe('07')
    }
  })
})

test.each<[unknown, string, string]>([
  [null, '', 'tensors takes a directory or an array of tensors, got null'],
  [{}, '', 'tensors takes a directory or an array of tensors, got an object (Object)'],
  [{ payloadBase: 64 }, '', 'tensors takes a directory or an array of tensors, got an object (Object)'],
  [[null], '[0]', `a tensor expected, such as tensor('w', 'f32', [2], data); got null`],
])('%j is no list of tensors', (given, path, detail) => {
  expect(told(() => encodeDirectory(given as TensorInput[]))).toEqual(['TYPE', path, detail])
})

describe('lengths', () => {
  const named = (name: DtypeName) => dtypes.find((dtype) => dtype.name === name)!
  test.each<[DtypeName, number[], number | bigint]>([
    ['u8', [2 ** 52], 2 ** 52], ['u8', [2 ** 53 - 1], 2 ** 53 - 1], ['u8', [2 ** 52, 2], 2n ** 53n], ['u8', [2 ** 53 - 1, 2 ** 53 - 1, 0], 0],
    ['u64', [2 ** 50], 2n ** 53n], ['u64', [2 ** 50 - 1], 2 ** 53 - 8], ['e2m1', [3], 2], ['e2m1', [2 ** 53 - 1], 2 ** 52], ['e2m1', [2 ** 53 - 1, 2], 2 ** 53 - 1],
    ['ggml_q4_0', [2 ** 41, 2 ** 10], 18 * 2 ** 46], ['ggml_q4_0', [2 ** 30, 2 ** 30], 18n * 2n ** 55n],
  ])('%s %j takes %s bytes', (name, shape, length) => {
    expect(payloadLength(named(name), shape)).toBe(length)
  })
})

describe('messages', () => {
  const seven = encodeDirectory(Array.from({ length: 7 }, (_, i) => tensor(`t${i}`, 'u8', [1], [i])), { checksums: true })
  test('five names are told of those that there are', () => {
    expect(told(() => readDirectory(seven).get('x'))).toEqual(['TYPE', '', 'no tensor is named "x"; there are 7: "t0", "t1", "t2", "t3", "t4", …'])
    expect(told(() => readDirectory(seven).at(7))).toEqual(['TYPE', '', 'there is no tensor 7 in a directory of 7'])
  })
  test('checksums have eight digits', () => {
    const bytes = seven.slice()
    bytes[64 + 128 + 108] = 0
    expect(told(() => verifyDirectory(bytes))).toEqual(['CHECKSUM', 't1', 'the stored CRC-32 is 0xa505df00, the bytes have 0xa505df1b; they were changed or damaged'])
    bytes.fill(0, 64 + 128 + 108, 64 + 128 + 112)
    expect(told(() => verifyDirectory(bytes))).toEqual(['CHECKSUM', 't1', 'the stored CRC-32 is 0x00000000, the bytes have 0xa505df1b; they were changed or damaged'])
  })
})
