import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import type { GgufKeyValue } from '../../src/gguf/value-types.js'
import { memorySource, payload, sparseSource } from '../support/memory.js'
import { buildGguf } from './build.js'
import type { BuiltTensor } from './build.js'

const f32 = (name: string, count: number, offset: number | bigint): BuiltTensor => ({
  name,
  ne: [count],
  type: 0,
  offset,
})
const aligned = (value: number): GgufKeyValue => ({ key: 'general.alignment', type: 'uint32', value })

/** A file whose tensors have `bytes` bytes of room. */
function fileOf(tensors: readonly BuiltTensor[], bytes: number): Uint8Array {
  const head = buildGguf([], tensors)
  const file = new Uint8Array(head.length + bytes)
  file.set(head)
  return file
}

test.each<[string, readonly BuiltTensor[], number, string, string]>([
  ['inside the one before', [f32('a', 9, 0), f32('b', 8, 32)], 64, 'TYPE', 'tensor "b" begins inside tensor "a"'],
  [
    'inside one that comes later in the file',
    [f32('b', 8, 32), f32('a', 9, 0)],
    64,
    'TYPE',
    'tensor "b" begins inside tensor "a"',
  ],
  ['at the place of another', [f32('a', 8, 0), f32('b', 8, 0)], 64, 'TYPE', 'tensor "b" begins inside tensor "a"'],
  [
    'at no multiple of the alignment',
    [f32('a', 1, 16)],
    64,
    'TYPE',
    'tensor "a" lies at offset 16, no multiple of the alignment 32',
  ],
  [
    'empty, and at no multiple',
    [f32('a', 0, 1)],
    64,
    'TYPE',
    'tensor "a" lies at offset 1, no multiple of the alignment 32',
  ],
  ['past the end', [f32('a', 8, 64)], 64, 'EOF', 'tensor "a" ends at byte 160, and the file at 128'],
  ['one byte too long', [f32('a', 17, 0)], 64, 'EOF', 'tensor "a" ends at byte 132, and the file at 128'],
  [
    'at 2^64 - 32',
    [f32('a', 1, 2n ** 64n - 32n)],
    64,
    'EOF',
    'tensor "a" ends at byte 18446744073709552000, and the file at 128',
  ],
  ['empty, and past the end', [f32('a', 0, 96)], 64, 'EOF', 'tensor "a" ends at byte 160, and the file at 128'],
  [
    'larger than the file',
    [f32('a', 2 ** 40, 0)],
    64,
    'EOF',
    'tensor "a" of shape [1099511627776] needs 4398046511104 bytes, and the file has 128',
  ],
])('a tensor %s is refused', async (_where, tensors, bytes, code, detail) => {
  await expect(openGguf(memorySource(fileOf(tensors, bytes)))).rejects.toMatchObject({ code, detail })
})

test('two names that are the same are refused', async () => {
  await expect(openGguf(memorySource(fileOf([f32('a', 1, 0), f32('a', 1, 32)], 64)))).rejects.toMatchObject({
    code: 'TYPE',
    detail: 'the tensor name "a" stands twice',
  })
})

test.each<[GgufKeyValue, string, RegExp]>([
  [aligned(0), 'TYPE', /is 0, and has to be a power of two/],
  [aligned(48), 'TYPE', /is 48, and has to be a power of two/],
  [aligned(131_072), 'LIMIT', /is 131072; at most 65536 is taken/],
  [{ key: 'general.alignment', type: 'int32', value: 32 }, 'TYPE', /must be of type uint32; it is of type int32/],
  [{ key: 'general.alignment', type: 'string', value: '32' }, 'TYPE', /must be of type uint32; it is of type string/],
])('the alignment %o is refused', async (keyValue, code, detail) => {
  await expect(openGguf(memorySource(buildGguf([keyValue])))).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
})

test.each([1, 2, 8, 64, 65_536])('alignment %i', async (alignment) => {
  const step = Math.ceil(12 / alignment) * alignment
  const a = Uint8Array.from({ length: 12 }, (_, i) => i + 1)
  const b = Uint8Array.from({ length: 12 }, (_, i) => i + 101)
  const file = buildGguf(
    [aligned(alignment)],
    [
      { ...f32('a', 3, 0), payload: a },
      { ...f32('b', 3, step), payload: b },
    ],
    { alignment },
  )
  const model = await openGguf(memorySource(file))
  expect(model.alignment).toBe(alignment)
  expect(model.dataStart! % alignment).toBe(0)
  expect(model.omitted).toEqual([])
  expect([await payload(model.tensors[0]!), await payload(model.tensors[1]!)]).toEqual([a, b])
})

test('tensors in another order than their payloads, and empty ones, are read', async () => {
  const file = fileOf([f32('b', 2, 32), f32('none', 0, 0), f32('a', 8, 0), f32('last', 0, 64)], 64)
  file.fill(7, file.length - 64, file.length - 32)
  const model = await openGguf(memorySource(file))
  expect(model.tensors.map(({ name }) => name)).toEqual(['b', 'none', 'a', 'last'])
  expect(await payload(model.tensors[2]!)).toEqual(new Uint8Array(32).fill(7))
  expect(await payload(model.tensors[1]!)).toEqual(new Uint8Array(0))
})

test('bytes that belong to no tensor are reported', async () => {
  const model = await openGguf(memorySource(fileOf([f32('a', 1, 32), f32('b', 1, 128)], 512)))
  expect(model.omitted).toEqual([
    { name: 'gaps between tensors', reason: '96 bytes in 2 places belong to no tensor' },
    { name: 'bytes at the end', reason: '352 bytes after the last tensor belong to none' },
  ])
})

test('a tensor of rank 0 has one element, and of rank 4 all its dimensions', async () => {
  const model = await openGguf(
    memorySource(
      fileOf(
        [
          { name: 's', ne: [], type: 0, offset: 0 },
          { name: 'r', ne: [2, 3, 4, 5], type: 24, offset: 32 },
        ],
        160,
      ),
    ),
  )
  expect(model.tensors).toMatchObject([
    { shape: [], byteLength: 4 },
    { shape: [5, 4, 3, 2], byteLength: 120 },
  ])
})

test.each<[BuiltTensor, string, RegExp]>([
  [{ name: 't', ne: [1, 1, 1, 1, 1], type: 0, offset: 0 }, 'TYPE', /has 5 dimensions; GGUF has at most 4/],
  [{ name: 't', ne: [31], type: 2, offset: 0 }, 'TYPE', /has rows of 31 elements; ggml_q4_0 needs whole blocks of 32/],
  [{ name: 't', ne: [], type: 2, offset: 0 }, 'TYPE', /has no dimension; ggml_q4_0 needs whole blocks of 32/],
  [{ name: 't', ne: [32, 2n ** 53n], type: 24, offset: 0 }, 'TYPE', /a dimension over 2\^53/],
  [{ name: 't', ne: [2 ** 40, 2 ** 40], type: 24, offset: 0 }, 'EOF', /needs 1208925819614629174706176 bytes/],
])('a tensor info is refused (%#)', async (tensor, code, detail) => {
  await expect(openGguf(memorySource(buildGguf([], [tensor])))).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
})

test('a product that is beyond all bounds on its way to 0 is 0', async () => {
  const model = await openGguf(
    memorySource(fileOf([{ name: 't', ne: [0, 2 ** 52, 2 ** 52, 2 ** 52], type: 0, offset: 0 }], 0)),
  )
  expect(model.tensors[0]).toMatchObject({ shape: [2 ** 52, 2 ** 52, 2 ** 52, 0], byteLength: 0 })
})

test('a tensor name that is no UTF-8 is refused', async () => {
  await expect(
    openGguf(memorySource(buildGguf([], [{ name: Uint8Array.of(0x80), ne: [1], type: 0, offset: 0 }]))),
  ).rejects.toMatchObject({
    code: 'UTF8',
    detail: 'the name of tensor 0 is not UTF-8',
  })
})

test('offsets beyond 2^32 and near 2^53 are read where they say', async () => {
  const head = buildGguf([], [f32('low', 1, 0), f32('far', 2, 2 ** 33), f32('end', 2, 2 ** 53 - 4096)])
  const start = head.length
  const far = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
  const end = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1)
  const source = sparseSource(2 ** 53 - 1, [
    [0, head],
    [start + 2 ** 33, far],
    [start + 2 ** 53 - 4096, end],
  ])
  const model = await openGguf(source)
  expect(model.dataStart).toBe(start)
  expect(await payload(model.tensors[1]!)).toEqual(far)
  expect(await payload(model.tensors[2]!)).toEqual(end)
  expect(source.reads.bytes).toBeLessThan(2 ** 18 + 100)
})
