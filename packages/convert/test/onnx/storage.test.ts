import { openOnnx, openTensorProto } from 'kiln-convert'
import type { DtypeName } from 'kiln-format'
import { expect, test } from 'vitest'
import { concat, hex, toHex } from '../support/bytes.js'
import { faultOf } from '../support/fault.js'
import { memorySource, payload } from '../support/memory.js'
import { contents } from '../support/model.js'
import { field, fixed, initializer, int, modelProto, packed, tensorProto } from '../support/protobuf.js'

const f32 = (...values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer)
const f64 = (...values: readonly number[]): Uint8Array => new Uint8Array(Float64Array.from(values).buffer)

/** Opens one tensor, alone and as a model's initializer, and checks that both are read alike. */
async function tensorOf(dims: readonly number[], type: number, ...storage: readonly Uint8Array[]) {
  const bytes = tensorProto(dims, type, 'w', ...storage)
  const alone = await contents(await openTensorProto(memorySource(bytes)))
  expect(await contents(await openOnnx(memorySource(modelProto(initializer(bytes)))))).toEqual(alone)
  const [name, dtype, shape, payloadHex] = alone[0]!
  expect([name, shape, alone.length]).toEqual(['w', dims, 1])
  return [dtype, payloadHex]
}

/** Every data type: its number, Kiln's dtype, bits an element. */
const TYPES: readonly (readonly [number, DtypeName, number])[] = [
  [1, 'f32', 32], [2, 'u8', 8], [3, 'i8', 8], [4, 'u16', 16], [5, 'i16', 16], [6, 'i32', 32], [7, 'i64', 64], [9, 'bool', 8], [10, 'f16', 16],
  [11, 'f64', 64], [12, 'u32', 32], [13, 'u64', 64], [14, 'c64', 64], [15, 'c128', 128], [16, 'bf16', 16], [17, 'f8e4m3', 8],
  [18, 'f8e4m3fnuz', 8], [19, 'f8e5m2', 8], [20, 'f8e5m2fnuz', 8], [21, 'u4', 4], [22, 'i4', 4], [23, 'e2m1', 4], [24, 'e8m0', 8], [25, 'u2', 2],
  [26, 'i2', 2],
]

test.each(TYPES)('data type %i in raw_data is %s, its bits as they are', async (type, dtype, bits) => {
  for (const dims of [[3, 5], [], [0], [2, 0, 3], [16]]) {
    const elements = dims.reduce((product, dim) => product * dim, 1)
    const raw = Uint8Array.from({ length: Math.ceil((elements * bits) / 8) }, (_, i) => (i * 91 + 254) % 256)
    expect(await tensorOf(dims, type, field(9, raw))).toEqual([dtype, toHex(raw)])
  }
})

test.each<[string, number, number[], Uint8Array, DtypeName, string]>([
  ['float_data', 1, [2], field(4, f32(1, -2)), 'f32', '0000803f000000c0'],
  ['float_data of complex numbers', 14, [1], field(4, f32(1, -2)), 'c64', '0000803f000000c0'],
  ['double_data', 11, [1], field(10, f64(1)), 'f64', '000000000000f03f'],
  ['double_data of complex numbers', 15, [1], field(10, f64(1, 2)), 'c128', '000000000000f03f0000000000000040'],
  ['int64_data', 7, [3], packed(7, [1, -1, -(2n ** 63n)]), 'i64', '0100000000000000ffffffffffffffff0000000000000080'],
  ['uint64_data', 13, [2], packed(11, [2n ** 64n - 1n, 1]), 'u64', 'ffffffffffffffff0100000000000000'],
  ['uint64_data of u32', 12, [2], packed(11, [2 ** 32 - 1, 1]), 'u32', 'ffffffff01000000'],
  ['int32_data', 6, [3], packed(5, [1, -1, -(2 ** 31)]), 'i32', '01000000ffffffff00000080'],
  ['int32_data of i8', 3, [3], packed(5, [-128, 127, -1]), 'i8', '807fff'],
  ['int32_data of u8', 2, [2], packed(5, [255, 0]), 'u8', 'ff00'],
  ['int32_data of i16', 5, [2], packed(5, [-32768, 32767]), 'i16', '0080ff7f'],
  ['int32_data of u16', 4, [1], packed(5, [65535]), 'u16', 'ffff'],
  ['int32_data of bool', 9, [2], packed(5, [1, 0]), 'bool', '0100'],
  ['int32_data of f16 as bits', 10, [2], packed(5, [0x3c00, 0xffff]), 'f16', '003cffff'],
  ['int32_data of bf16 as bits', 16, [2], packed(5, [0x3f80, 0x8000]), 'bf16', '803f0080'],
  ['int32_data of f8e4m3', 17, [2], packed(5, [0x7e, 0xff]), 'f8e4m3', '7eff'],
  ['int32_data of f8e4m3fnuz', 18, [1], packed(5, [0x80]), 'f8e4m3fnuz', '80'],
  ['int32_data of f8e5m2', 19, [1], packed(5, [0x7c]), 'f8e5m2', '7c'],
  ['int32_data of f8e5m2fnuz', 20, [1], packed(5, [0x80]), 'f8e5m2fnuz', '80'],
  ['int32_data of e8m0', 24, [1], packed(5, [0x7f]), 'e8m0', '7f'],
  ['int32_data of u4, an odd count', 21, [5], packed(5, [0x21, 0x43, 0x05]), 'u4', '214305'],
  ['int32_data of i4', 22, [2, 2], packed(5, [0xf8, 0x7f]), 'i4', 'f87f'],
  ['int32_data of i4, bytes taken for signed ones', 22, [2], packed(5, [-8]), 'i4', 'f8'],
  ['int32_data of e2m1', 23, [3], packed(5, [0x7f, 0x02]), 'e2m1', '7f02'],
  ['int32_data of u2', 25, [5], packed(5, [0xe4, 0x01]), 'u2', 'e401'],
  ['int32_data of i2', 26, [4], packed(5, [0x1b]), 'i2', '1b'],
])('%s', async (_, type, dims, storage, dtype, bytes) => {
  expect(await tensorOf(dims, type, storage)).toEqual([dtype, bytes])
})

test('the bits of NaNs in float_data are kept', async () => {
  expect(await tensorOf([2], 1, field(4, hex('0100a07f efbeadff')))).toEqual(['f32', '0100a07fefbeadff'])
})

test('entries may come one by one, packed, or in several packed runs, among other fields', async () => {
  expect(await tensorOf([3], 7, int(7, 1), int(7, -1), int(7, 2 ** 40))).toEqual(['i64', '0100000000000000ffffffffffffffff0000000000010000'])
  expect(await tensorOf([2], 1, fixed(4, f32(1)), fixed(4, f32(2)))).toEqual(['f32', '0000803f00000040'])
  expect(await tensorOf([2], 11, fixed(10, f64(1)), fixed(10, f64(2)))).toEqual(['f64', '000000000000f03f0000000000000040'])
  expect(await tensorOf([4], 2, packed(5, [1, 2]), field(12, 'doc'), int(5, 3), packed(5, []), packed(5, [4]))).toEqual(['u8', '01020304'])
  const dims = concat(field(1, hex('02 03')), int(2, 2), field(8, 'w'), field(9, hex('010203040506')))
  expect(await contents(await openTensorProto(memorySource(dims)))).toEqual([['w', 'u8', [2, 3], '010203040506']])
})

test('a tensor over many pieces, in every storage', async () => {
  const count = 700_001
  const raw = new Uint8Array(count * 4).map((_, i) => i % 251)
  const floats = await openTensorProto(memorySource(tensorProto([count], 1, 'w', field(4, raw))))
  expect(Buffer.compare(await payload(floats.tensors[0]!), raw)).toBe(0)
  const values = Array.from({ length: count }, (_, i) => i * 12_345 - 2 ** 31)
  const ints = memorySource(tensorProto([count], 6, 'w', packed(5, values)))
  const wanted = new Uint8Array(Int32Array.from(values).buffer)
  expect(Buffer.compare(await payload((await openTensorProto(ints)).tensors[0]!), wanted)).toBe(0)
  expect(ints.reads.longest).toBeLessThanOrEqual(2 ** 20)
})

test('a payload that changed since the file was opened is an error, not another payload', async () => {
  const bytes = tensorProto([2], 7, 'w', packed(7, [1, 2]))
  const model = await openTensorProto(memorySource(bytes))
  bytes.set([0x81, 0x01], bytes.length - 2)
  const fault = await faultOf(payload(model.tensors[0]!))
  expect([fault.code, fault.detail]).toEqual(['TYPE', 'the tensor: the file has changed since it was opened; open it again'])
})

test.each<[string, readonly number[], number, Uint8Array[], string]>([
  ['too few bytes', [3], 1, [field(9, new Uint8Array(8))], '8 bytes of raw_data, FLOAT and its dims need 12'],
  ['too many bytes', [1], 1, [field(9, new Uint8Array(8))], '8 bytes of raw_data, FLOAT and its dims need 4'],
  ['no elements at all', [1], 1, [], '0 bytes of raw_data, FLOAT and its dims need 4'],
  ['elements of a tensor that has none', [0], 1, [field(4, f32(1))], '1 entries of float_data, FLOAT and its dims need 0'],
  ['too few entries', [3], 7, [packed(7, [1, 2])], '2 entries of int64_data, INT64 and its dims need 3'],
  ['half a complex number', [1], 14, [field(4, f32(1))], '1 entries of float_data, COMPLEX64 and its dims need 2'],
  ['an entry for each 4-bit element', [4], 21, [packed(5, [1, 2, 3, 4])], '4 entries of int32_data, UINT4 and its dims need 2'],
  ['the wrong field', [1], 7, [packed(5, [1])], 'its elements are in int32_data, INT64 is kept in int64_data or raw_data'],
  ['two fields', [1], 6, [packed(5, [1]), field(9, hex('01000000'))], 'its elements are in raw_data and in int32_data'],
  ['strings beside numbers', [1], 6, [packed(5, [1]), field(6, 'x')], 'its elements are in int32_data and in string_data'],
  ['a byte over 255', [1], 2, [packed(5, [256])], 'an entry of int32_data is 256, UINT8 goes from 0 to 255'],
  ['a negative byte', [1], 2, [packed(5, [-1])], 'an entry of int32_data is -1, UINT8 goes from 0 to 255'],
  ['a bool of 2', [1], 9, [packed(5, [2])], 'an entry of int32_data is 2, BOOL goes from 0 to 1'],
  ['bits of f16 over 16', [1], 10, [packed(5, [65536])], 'an entry of int32_data is 65536, FLOAT16 goes from 0 to 65535'],
  ['a u32 over 32 bits', [1], 12, [packed(11, [2 ** 32])], 'an entry of uint64_data is 4294967296, UINT32 goes from 0 to 4294967295'],
  ['a negative dim', [-1], 1, [], 'a dim of -1; dims go from 0 to 2^53 - 1'],
  ['a product over all bounds', [2 ** 53 - 1, 2 ** 53 - 1], 1, [], 'larger than 2^53 - 1 bytes'],
])('%s is TYPE, with the initializer’s name', async (_, dims, type, storage, words) => {
  const bytes = tensorProto(dims, type, 'w', ...storage)
  const fault = await faultOf(openOnnx(memorySource(modelProto(initializer(bytes)))))
  expect(fault.detail).toContain('initializer "w": ')
  expect(fault.detail).toContain(words)
  expect(fault.code).toBe('TYPE')
  expect((await faultOf(openTensorProto(memorySource(bytes)))).code).toBe('TYPE')
})

test('dims that are many are counted and not multiplied', async () => {
  const many = concat(field(1, new Uint8Array(1_000_000).fill(0x7f)), int(2, 1), field(8, 'w'))
  const model = await openOnnx(memorySource(modelProto(initializer(many))))
  expect(model.omitted[0]).toEqual({ name: 'w', reason: 'rank 1000000; a Kiln tensor has at most 8 dimensions' })
})

test.each([
  [8, 'a tensor of strings (STRING), and Kiln\'s tensors are of numbers'],
  [0, 'data type 0 is not known'],
  [27, 'data type 27 is not known'],
  [-1, 'data type -1 is not known'],
  [2 ** 31 - 1, 'data type 2147483647 is not known'],
])('an initializer of data type %i is left out by name', async (type, reason) => {
  const model = await openOnnx(memorySource(modelProto(initializer(tensorProto([1], type, 'w', field(6, 'x'))))))
  expect(model.tensors).toEqual([])
  expect(model.omitted[0]).toEqual({ name: 'w', reason })
})

test('a segment of a tensor is left out by name', async () => {
  const model = await openOnnx(memorySource(modelProto(initializer(tensorProto([1], 2, 'w', field(3, int(1, 0), int(2, 1)), field(9, hex('01')))))))
  expect(model.omitted[0]).toEqual({ name: 'w', reason: 'a segment of a larger tensor' })
})
