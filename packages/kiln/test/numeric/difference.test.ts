import { expect, test } from 'vitest'
import { Difference, differenceOf, narrow, quantize, streamDifference, type LinkedTensor } from 'kiln-format/numeric'
import { encodeDirectory, readDirectory } from 'kiln-format'
import { refuses, refusesLater } from './refuses.js'

const f32 = (...values: number[]): LinkedTensor => {
  return { dtype: 'f32', shape: [values.length], bytes: new Uint8Array(Float32Array.from(values).buffer) }
}

test('differences, on paper', () => {
  expect(differenceOf(f32(1, 2, 3, 4), f32(1, 2.5, 3, 2))).toEqual({
    count: 4, differing: 2, maximum: 2, at: 3, mean: 2.5 / 4, incomparable: 0,
  })
  expect(differenceOf(f32(1, 5, 9), f32(2, 6, 10))).toMatchObject({ maximum: 1, at: 0 })
})

test('what is alike, and what no distance can be told of', () => {
  // Without `at`: not even as a property.
  expect(differenceOf(f32(0, NaN, Infinity, -Infinity), f32(-0, NaN, Infinity, -Infinity))).toStrictEqual({
    count: 4, differing: 0, maximum: 0, mean: 0, incomparable: 0,
  })
  expect(differenceOf(f32(NaN, Infinity, Infinity, 1), f32(1, 1, -Infinity, 2))).toEqual({
    count: 4, differing: 4, maximum: 1, at: 3, mean: 1, incomparable: 3,
  })
  expect(differenceOf(f32(), f32())).toEqual({ count: 0, differing: 0, maximum: 0, mean: 0, incomparable: 0 })
})

test('a tensor and what it was quantized to', () => {
  const values = Float32Array.from({ length: 20_000 }, (_, i) => Math.sin(i) * (1 + (i % 100)))
  const source: LinkedTensor = { dtype: 'f32', shape: [200, 100], bytes: new Uint8Array(values.buffer) }
  const set = quantize('w', [200, 100], values, 'int8:25')
  const w = readDirectory(encodeDirectory(set)).get('w')!
  const { count, maximum, mean, at, incomparable } = differenceOf(source, w)
  expect([count, incomparable]).toEqual([20_000, 0])
  expect(maximum).toBeGreaterThan(mean)
  expect(maximum).toBeLessThanOrEqual((100 / 127 / 2) * (1 + 1e-6))
  expect(at).toBeLessThan(20_000)
})

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

test('streams of other dtypes, cut otherwise, are compared place by place', async () => {
  const values = Float64Array.from({ length: 30_001 }, (_, i) => Math.cos(i * i))
  const one = { dtype: 'f64', shape: [30_001], bytes: new Uint8Array(values.buffer) } as const
  const other = { dtype: 'f16', shape: [30_001], bytes: narrow(values, 'f16', { mode: 'saturate' }) } as const
  const want = differenceOf(one, other)
  expect(want.maximum).toBeLessThanOrEqual(2 ** -12)
  for (const [first, second] of [[100_000, 999], [4_097, 60_002]] as const) {
    const got = await streamDifference(
      { tensor: one, chunks: pieces(one.bytes, first) },
      { tensor: other, chunks: pieces(other.bytes, second) },
    )
    expect(got).toEqual(want)
  }
})

test('both streams are ended, whichever fails', async () => {
  let closed = 0
  async function* watched(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces(bytes, 40_000)
    } finally {
      closed++
    }
  }
  const shape = [40_000]
  const long = { tensor: { dtype: 'f32', shape }, chunks: watched(new Uint8Array(160_000)) } as const
  const short = { tensor: { dtype: 'f32', shape }, chunks: watched(new Uint8Array(90_000)) } as const
  await refusesLater(streamDifference(long, short), 'the payload is to have 160000 bytes, and 90000 came')
  expect(closed).toBe(2)
  const another = { tensor: { dtype: 'f32', shape }, chunks: watched(new Uint8Array(160_004)) } as const
  const whole = { tensor: { dtype: 'f32', shape }, chunks: watched(new Uint8Array(160_000)) } as const
  await refusesLater(streamDifference(whole, another), 'more than that came')
  expect(closed).toBe(4)
})

test('what is refused', () => {
  refuses(() => differenceOf(f32(1), f32(1, 2)), "tensors of shapes [1] and [2] can't be compared")
  const row = { ...f32(1, 2), shape: [1, 2] }
  refuses(() => differenceOf(row, f32(1, 2)), "shapes [1, 2] and [2] can't be compared")
  const difference = new Difference()
  refuses(() => difference.add(Float32Array.of(1), Float32Array.of(1, 2)), "1 numbers can't be compared with 2")
})

const shaped = (shape: number[]): LinkedTensor => {
  return { dtype: 'u8', shape, bytes: new Uint8Array(shape.reduce((product, length) => product * length, 1)) }
}
const chunked = ({ bytes, ...tensor }: LinkedTensor) => ({ tensor, chunks: [bytes] })

test('shapes of other ranks and other lengths, whichever comes first', async () => {
  for (const [one, other] of [[[2], [2, 1]], [[2, 1], [2]], [[2, 3], [2, 4]], [[2, 3], [4, 3]], [[], [1]]] as const) {
    const message = `TYPE: tensors of shapes [${one.join(', ')}] and [${other.join(', ')}] can't be compared`
    refuses(() => differenceOf(shaped([...one]), shaped([...other])), message)
    await refusesLater(streamDifference(chunked(shaped([...one])), chunked(shaped([...other]))), message)
  }
  const same = await streamDifference(chunked(shaped([2, 3])), chunked(shaped([2, 3])))
  expect(same).toMatchObject({ count: 6, differing: 0 })
})

test('one of two that is no tensor', () => {
  for (const none of [undefined, null, 7]) {
    refuses(() => differenceOf(none as never, f32(1)), 'TYPE: a tensor expected, with dtype, shape and bytes; got')
    refuses(() => differenceOf(f32(1), none as never), 'TYPE: a tensor expected, with dtype, shape and bytes; got')
  }
})

test('integers over 2^53 are rounded on both sides', async () => {
  const i64 = (value: bigint): LinkedTensor =>
    ({ dtype: 'i64', shape: [1], bytes: new Uint8Array(BigInt64Array.of(value).buffer) })
  const wide = i64(2n ** 60n + 1n)
  const want = { count: 1, differing: 1, maximum: 2 ** 60, at: 0, mean: 2 ** 60, incomparable: 0 }
  for (const [one, other] of [[wide, i64(0n)], [i64(0n), wide]] as const) {
    expect(differenceOf(one, other)).toEqual(want)
    expect(await streamDifference(chunked(one), chunked(other))).toEqual(want)
  }
})

test('where the first stream fails the second is closed', async () => {
  let closed = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(40_000)
    } finally {
      closed++
    }
  }
  const tensor = { dtype: 'f32', shape: [40_000] } as const
  const short = { tensor, chunks: [new Uint8Array(90_000)] }
  await refusesLater(streamDifference(short, { tensor, chunks: endless() }), 'and 90000 came')
  expect(closed).toBe(1)
})
