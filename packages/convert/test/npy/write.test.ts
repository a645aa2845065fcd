import { dtypes } from 'kiln-format'
import { expect, test } from 'vitest'
import { openNpy } from '../../src/npy/open.js'
import { npyHead } from '../../src/npy/write-header.js'
import { writeNpy } from '../../src/npy/write.js'
import type { ForeignTensor } from '../../src/model.js'
import { memorySource, MemorySink, memoryTensor, payload } from '../support/memory.js'

const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

test.each<[string, readonly number[], string]>([
  // As numpy 2.4 writes them.
  ['<f4', [], "\x93NUMPY\x01\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (), }"],
  ['<i8', [3], "\x93NUMPY\x01\0\x76\0{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }"],
  ['|b1', [2, 0, 3], "\x93NUMPY\x01\0\x76\0{'descr': '|b1', 'fortran_order': False, 'shape': (2, 0, 3), }"],
])('the head of %s of shape %o is what numpy writes', (descr, shape, start) => {
  const head = npyHead(descr, shape)
  expect(head.length).toBe(128)
  expect(text(head)).toBe(`${start.padEnd(127)}\n`)
})

test('room is left for the first dimension to grow, as numpy leaves it', () => {
  // The lengths are those of numpy 2.4 for the same shapes.
  const lengths = Array.from(
    { length: 9 },
    (_, rank) =>
      npyHead(
        '<c16',
        Array.from({ length: rank }, () => 123_456_789),
      ).length,
  )
  expect(lengths).toEqual([128, 128, 128, 128, 128, 192, 192, 192, 192])
})

test('a header that is too long for version 1.0 is of version 2.0', () => {
  const head = npyHead(
    '<f4',
    Array.from({ length: 30_000 }, () => 1),
  )
  expect([...head.subarray(0, 8)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0])
  expect(new DataView(head.buffer).getUint32(8, true)).toBe(head.length - 12)
  expect(head.length % 64).toBe(0)
  const longest = npyHead(
    '<f4',
    Array.from({ length: 21_800 }, () => 1),
  )
  expect(longest[6]).toBe(1)
})

const DESCRS: Readonly<Record<string, string>> = {
  bool: '|b1',
  u8: '|u1',
  i8: '|i1',
  u16: '<u2',
  i16: '<i2',
  u32: '<u4',
  i32: '<i4',
  u64: '<u8',
  i64: '<i8',
  f16: '<f2',
  f32: '<f4',
  f64: '<f8',
  c64: '<c8',
  c128: '<c16',
}

// What `raw` makes of those that numpy lacks, for two rows of 256 elements.
const RAW: Readonly<Record<string, readonly [descr: string, last: number]>> = {
  bf16: ['<u2', 256],
  f8e4m3: ['|u1', 256],
  f8e5m2: ['|u1', 256],
  f8e4m3fnuz: ['|u1', 256],
  f8e5m2fnuz: ['|u1', 256],
  e8m0: ['|u1', 256],
  e3m2: ['|u1', 192],
  e2m3: ['|u1', 192],
  e2m1: ['|u1', 128],
  u4: ['|u1', 128],
  i4: ['|u1', 128],
  u2: ['|u1', 64],
  i2: ['|u1', 64],
  u1: ['|u1', 32],
}

for (const dtype of dtypes) {
  const { name, foreign } = dtype
  test(`dtype ${name} is ${name in DESCRS ? 'written' : 'refused, and as raw bits written'}`, async () => {
    const last = (256 / dtype.blockElements) * (dtype.blockBits / 8)
    const bytes = Uint8Array.from({ length: 2 * last }, (_, i) => (i * 7) % 251)
    const tensor = memoryTensor('t', name, [2, 256], bytes)
    const sink = new MemorySink()
    const plain = DESCRS[name]
    if (plain !== undefined) {
      expect(await writeNpy(tensor, sink)).toBe(sink.bytes.length)
      expect(text(sink.bytes.subarray(0, 128))).toContain(`'descr': '${plain}'`)
      const again = await openNpy(memorySource(sink.bytes))
      expect(again.tensors[0]).toMatchObject({ dtype: name, shape: [2, 256] })
      expect(await payload(again.tensors[0]!)).toEqual(bytes)
      return
    }
    await expect(writeNpy(tensor, sink)).rejects.toMatchObject({
      code: 'TYPE',
      detail:
        `tensor "t" is ${name}, which numpy lacks: ` +
        'convert it to f32 first, or write its bits as unsigned integers with the option raw',
    })
    expect([sink.ended, sink.pieces.length]).toEqual(['aborted', 0])
    const raw = new MemorySink()
    await writeNpy(tensor, raw, { raw: true })
    const [descr, columns] = foreign ? ['|u1', last] : RAW[name]!
    expect(text(raw.bytes.subarray(0, 128))).toContain(`'descr': '${descr}'`)
    const again = await openNpy(memorySource(raw.bytes))
    expect(again.tensors[0]!.shape).toEqual([2, columns])
    expect(await payload(again.tensors[0]!)).toEqual(bytes)
  })
}

test('raw bits of rows that are no whole bytes are one row of bytes', async () => {
  const sink = new MemorySink()
  await writeNpy(memoryTensor('t', 'u4', [3, 3], new Uint8Array(5)), sink, { raw: true })
  expect((await openNpy(memorySource(sink.bytes))).tensors[0]!.shape).toEqual([5])
  const scalar = new MemorySink()
  await writeNpy(memoryTensor('t', 'e2m1', [], new Uint8Array(1)), scalar, { raw: true })
  expect((await openNpy(memorySource(scalar.bytes))).tensors[0]!.shape).toEqual([1])
})

test.each<[string, ForeignTensor]>([
  ['bytes that are too few', memoryTensor('t', 'f32', [2], new Uint8Array(4))],
  ['a shape that is none', memoryTensor('t', 'f32', [-1], new Uint8Array(4))],
  ['a payload that ends early', { ...memoryTensor('t', 'f32', [2], new Uint8Array(7)), byteLength: 8 }],
  ['a payload that goes on', { ...memoryTensor('t', 'f32', [2], new Uint8Array(9)), byteLength: 8 }],
])('%s aborts the file', async (_what, tensor) => {
  const sink = new MemorySink()
  await expect(writeNpy(tensor, sink)).rejects.toMatchObject({ code: 'TYPE' })
  expect(sink.ended).toBe('aborted')
})
