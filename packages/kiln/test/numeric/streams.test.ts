import { expect, test } from 'vitest'
import { dtypes, type DtypeName } from 'kiln-format'
import {
  dequantize, dequantizesGgml, narrow, streamNarrowed, streamValues, valueBlocks, widen, type LinkedTensor,
} from 'kiln-format/numeric'
import { dtypeOf } from '../../src/tensors/dtypes.js'
import { refuses, refusesLater } from './refuses.js'

const BLOCK = 8192

function randomBytes(length: number): Uint8Array {
  let state = 99
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

/** All values of blocks, whose lengths are checked on the way. */
async function gather(blocks: AsyncIterable<Float32Array | Float64Array>, elements: number): Promise<Float64Array> {
  const values = new Float64Array(elements)
  let at = 0
  for await (const block of blocks) {
    expect(block.length).toBe(Math.min(BLOCK, elements - at))
    values.set(block, at)
    at += block.length
  }
  expect(at).toBe(elements)
  return values
}

/** Whether two arrays of numbers have the same bits. */
function same(one: Float64Array | Uint8Array, other: Float64Array | Uint8Array): boolean {
  const bytes = (array: Float64Array | Uint8Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  return Buffer.compare(bytes(one), bytes(other)) === 0
}

const PLAIN = dtypes.map(({ name }) => name).filter((name) => !['c64', 'c128'].includes(name) && !dtypeOf(name).foreign)
const ALL = [...PLAIN, ...dtypes.map(({ name }) => name).filter(dequantizesGgml)]

test.each(ALL)('%s in pieces of any size has the values that it has in one', async (dtype: DtypeName) => {
  const { blockElements, blockBits, foreign } = dtypeOf(dtype)
  const elements = Math.ceil(20_001 / blockElements) * blockElements
  const bytes = randomBytes(Math.ceil(((elements / blockElements) * blockBits) / 8))
  if (dtype === 'bool') bytes.forEach((byte, i) => (bytes[i] = byte & 1))
  const tensor = { dtype, shape: [elements], bytes }
  const options = { inexact: 'nearest' } as const
  const want = Float64Array.from(foreign ? dequantize(tensor) : widen(tensor, 'f64', options))
  expect(same(await gather(streamBlocks(valueBlocks(tensor, options)), elements), want)).toBe(true)
  for (const size of [1009, 4096, bytes.length]) {
    expect(same(await gather(streamValues(tensor, pieces(bytes, size), options), elements), want)).toBe(true)
  }
  // Byte by byte, for the first few thousand.
  const few = Math.ceil(700 / blockElements) * blockElements
  const start = bytes.subarray(0, Math.ceil(((few / blockElements) * blockBits) / 8))
  const got = await gather(streamValues({ dtype, shape: [few] }, pieces(start, 1), options), few)
  expect(same(got, want.subarray(0, few))).toBe(true)
})

async function* streamBlocks<T>(blocks: Iterable<T>): AsyncGenerator<T> {
  yield* blocks
}

function linked(outer: boolean): LinkedTensor {
  const scales = Float32Array.from({ length: 3 * 2 * 4_001 }, (_, i) => 1 + i / 7)
  return {
    dtype: 'e2m1', shape: [3, 5, 4_001], bytes: randomBytes(Math.ceil((3 * 5 * 4_001) / 2)), axis: 1, groupSize: 3,
    scale: { dtype: 'f32', shape: [3, 2, 4_001], bytes: new Uint8Array(scales.buffer) },
    outer: outer ? { dtype: 'f32', shape: [], bytes: new Uint8Array(Float32Array.of(0.3).buffer) } : undefined,
  }
}

test.each([false, true])('links are followed in pieces as in one (outer: %s)', async (outer) => {
  const tensor = linked(outer)
  const want = Float64Array.from(dequantize(tensor))
  for (const size of [1, 333, 9_000]) {
    const bytes = size === 1 ? pieces(tensor.bytes, 7) : pieces(tensor.bytes, size)
    expect(same(await gather(streamValues(tensor, bytes), 3 * 5 * 4_001), want)).toBe(true)
  }
})

test('pieces that are missing, too many, or empty', async () => {
  const tensor = { dtype: 'f16', shape: [3] } as const
  const stream = (...chunks: number[][]) => {
    return gather(streamValues(tensor, chunks.map((chunk) => Uint8Array.from(chunk))), 3)
  }
  expect([...(await stream([], [0], [], [0x3c, 0, 0x40], [], [0, 0x42], []))]).toEqual([1, 2, 3])
  await refusesLater(stream([0, 0, 0, 0, 0]), 'the payload is to have 6 bytes, and 5 came')
  await refusesLater(stream([0, 0, 0, 0, 0, 0, 0]), 'the payload is to have 6 bytes, and more than that came')
  await refusesLater(stream([0, 0, 0, 0, 0, 0], [0]), 'more than that came')
  expect(await gather(streamValues({ dtype: 'f16', shape: [0] }, []), 0)).toHaveLength(0)
})

test('what is refused is refused before anything is read', () => {
  const unread = { [Symbol.iterator]: () => { throw new Error('read') } }
  refuses(() => streamValues({ dtype: 'c64', shape: [1] }, unread), 'c64 is complex')
  refuses(() => streamValues({ dtype: 'ggml_q8_1', shape: [32] }, unread), "ggml_q8_1 can't be dequantized")
  refuses(() => streamValues({ ...linked(false), axis: 9 }, unread), 'TYPE at axis')
  const f32 = { dtype: 'f32', shape: [1] } as const
  refuses(() => streamNarrowed(f32, unread, 'bool', { mode: 'saturate' }), "numbers can't be narrowed to bool")
  const unnamed = {} as { mode: 'saturate' }
  refuses(() => streamNarrowed(f32, unread, 'bf16', unnamed), "mode is 'saturate' or 'overflow'")
})

test('an error names the element, not its place in a block', async () => {
  const bytes = new Uint8Array(20_000)
  bytes[17_000] = 3
  const bool = streamValues({ dtype: 'bool', shape: [20_000] }, pieces(bytes, 999))
  await refusesLater(gather(bool, 20_000), 'TYPE at [17000]: a bool is 0 or 1, not 3')
  const integers = new BigInt64Array(9_000)
  integers[8_999] = 2n ** 60n + 1n
  const i64 = streamValues({ dtype: 'i64', shape: [9_000] }, [new Uint8Array(integers.buffer)])
  await refusesLater(gather(i64, 9_000), 'TYPE at [8999]: 1152921504606846977 (i64) is no f64')
  const singles = new Float32Array(9_000)
  singles[8_500] = NaN
  const f32 = { dtype: 'f32', shape: [9_000] } as const
  const e2m1 = streamNarrowed(f32, [new Uint8Array(singles.buffer)], 'e2m1', { mode: 'saturate' })
  await refusesLater(e2m1.next(), 'TYPE at [8500]: e2m1 has no NaN')
})

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of stream) {
    expect(part.length).toBeGreaterThan(0)
    expect(part.length).toBeLessThanOrEqual(262_144)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

const NARROWED = PLAIN.filter((name) => name !== 'bool')

test.each(NARROWED)('narrowing to %s in pieces is narrowing at once', async (dtype: DtypeName) => {
  const values = Float64Array.from({ length: 150_001 }, (_, i) => Math.sin(i) * 2 ** (i % 20))
  const bytes = new Uint8Array(values.buffer)
  const want = narrow(values, dtype, { mode: 'overflow', nan: 'zero' })
  const got = streamNarrowed({ dtype: 'f64', shape: [150_001] }, pieces(bytes, 123_457), dtype, { mode: 'overflow' })
  expect(same(await bytesOf(got), want)).toBe(true)
})

test('a tensor with links is narrowed by its values', async () => {
  const tensor = linked(true)
  const want = narrow(dequantize(tensor), 'bf16', { mode: 'saturate' })
  const got = await bytesOf(streamNarrowed(tensor, pieces(tensor.bytes, 1000), 'bf16', { mode: 'saturate' }))
  expect(same(got, want)).toBe(true)
})

test('a source that is left early is closed', async () => {
  let closed = false
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(100_000)
    } finally {
      closed = true
    }
  }
  const f32 = { dtype: 'f32', shape: [2 ** 30] } as const
  for await (const _ of streamNarrowed(f32, source(), 'bf16', { mode: 'saturate' })) break
  expect(closed).toBe(true)
})

test('memory stays bounded: 256 MiB through a stream', async () => {
  const piece = new Uint8Array(2 ** 20)
  function* source(): Generator<Uint8Array> {
    for (let i = 0; i < 256; i++) yield piece
  }
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  let bytes = 0
  for await (const part of streamNarrowed({ dtype: 'f32', shape: [2 ** 26] }, source(), 'bf16', { mode: 'saturate' })) {
    bytes += part.length
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  expect(bytes).toBe(2 ** 27)
  // Garbage that has not been collected yet is in it.
  expect(most).toBeLessThan(100 * 2 ** 20)
})

test('wide integers are refused, or rounded, on their way through f64', async () => {
  const i64 = { dtype: 'i64', shape: [2] } as const
  const bytes = new Uint8Array(BigInt64Array.of(3n, 2n ** 60n + 1n).buffer)
  const refused = streamNarrowed(i64, [bytes], 'f32', { mode: 'saturate' })
  await refusesLater(refused.next(), 'TYPE at [1]: 1152921504606846977 (i64) is no f64')
  const rounded = await bytesOf(streamNarrowed(i64, [bytes], 'f32', { mode: 'saturate', inexact: 'nearest' }))
  expect([...new Float32Array(rounded.buffer)]).toEqual([3, 2 ** 60])
})
