import { expect, test } from 'vitest'
import { encodeDirectory, readDirectory, type Tensor, type TensorInput } from 'kiln-format'
import {
  dequantize, narrow, numbersOf, quantizationFormat, quantize, streamQuantized, widen,
  type LinkedShape, type QuantizationName, type RereadableChunks,
} from 'kiln-format/numeric'
import { refuses, refusesLater } from './refuses.js'

const NAMES = [
  'mxfp4', 'mxfp6e3m2', 'mxfp6e2m3', 'mxfp8e4m3', 'mxfp8e5m2', 'nvfp4', 'int8:128', 'int8:1', 'int4:32', 'int4:7',
] as const

/** Numbers of many sizes, with zeros, and whole rows that are zero. */
function numbers(count: number, rowLength: number, seed = 1): Float32Array {
  let state = seed
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  return Float32Array.from({ length: count }, (_, i) => {
    if (i % 17 === 0 || Math.floor(i / rowLength) % 5 === 4) return i % 2 === 0 ? 0 : -0
    return random() * 2 ** Math.floor(random() * 12)
  })
}

/** The set as a reader has it, links checked by the directory's own rules. */
function readBack(set: readonly TensorInput[], name = 'w'): Tensor {
  return readDirectory(encodeDirectory(set)).get(name)!
}

/** For each element, which group it is in. */
function groupsOf(shape: readonly number[], axis: number, groupSize: number): string[] {
  const elements = shape.reduce((product, length) => product * length, 1)
  return Array.from({ length: elements }, (_, index) => {
    const at: number[] = []
    let rest = index
    for (const length of shape.toReversed()) {
      at.unshift(rest % length)
      rest = Math.floor(rest / length)
    }
    return at.map((coordinate, i) => (i === axis ? Math.floor(coordinate / groupSize) : coordinate)).join()
  })
}

/**
 * How far a number may be from what it was, by the format's precision, given its scale (outer included): half the
 * step between neighbours where it lies, and for `power`, whose largest element may be less than the group's
 * greatest number, the part of that which is cut off.
 */
function bound(format: string, value: number, scale: number, greatest: number): number {
  const size = Math.abs(value)
  const [mantissaBits, leastExponent, largest] = ({
    mxfp4: [1, 0, 6], nvfp4: [1, 0, 6], mxfp6e3m2: [2, -2, 28], mxfp6e2m3: [3, 0, 7.5],
    mxfp8e4m3: [3, -6, 448], mxfp8e5m2: [2, -14, 57344],
  } as Record<string, [number, number, number]>)[format] ?? [0, 0, 0]
  const roundings = size * 2 ** -22
  if (largest === 0) return scale / 2 + roundings
  const exponent = size === 0 ? leastExponent : Math.max(Math.floor(Math.log2(size / scale)), leastExponent)
  const halfStep = (scale * 2 ** (exponent - mantissaBits)) / 2
  return Math.max(halfStep, greatest - largest * scale) + roundings
}

test.each(NAMES)('%s: dequantize(quantize(x)) is within what its precision gives, along every axis', (format) => {
  const shape = [6, 37, 10]
  const values = numbers(6 * 37 * 10, 370)
  const { groupSize } = quantizationFormat(format)
  for (let axis = 0; axis < 3; axis++) {
    const w = readBack(quantize('w', shape, values, format, { axis }))
    expect([w.axis, w.groupSize, w.scheme]).toEqual([axis, groupSize, format === 'nvfp4' ? 2 : 1])
    const back = dequantize(w)
    const groups = groupsOf(shape, axis, groupSize)
    const greatest = new Map<string, number>()
    values.forEach((value, i) => {
      greatest.set(groups[i]!, Math.max(greatest.get(groups[i]!) ?? 0, Math.abs(value)))
    })
    const scales = numbersOf(w.scale!)
    const outer = w.outer === undefined ? 1 : numbersOf(w.outer).at(0)
    const places = new Map<string, number>()
    // Scales lie in the order of their coordinates.
    const order = [...greatest.keys()].map((key) => key.split(',').map(Number))
    order.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!)
    order.forEach((at, i) => places.set(at.join(), i))
    expect(scales.length).toBe(places.size)
    const wrong: string[] = []
    values.forEach((value, i) => {
      const scale = scales.at(places.get(groups[i]!)!) * outer
      const most = greatest.get(groups[i]!)!
      // Under a scale of 0 the integers have no place for the sign.
      const kept = format.startsWith('int') ? back[i] === value : Object.is(back[i], value)
      if (most === 0 ? !kept : Math.abs(back[i]! - value) > bound(format, value, scale, most)) {
        wrong.push(`${value} became ${back[i]} by a scale of ${scale}`)
      }
    })
    expect(wrong).toEqual([])
  }
})

test.each(NAMES)('%s again is the same codes: what was quantized stays as it is', (format) => {
  const first = quantize('w', [40, 60], numbers(2400, 60), format)
  const again = quantize('w', [40, 60], dequantize(readBack(first)), format)
  // The scale of a group is told by its greatest number, which a first quantizing may have cut off or rounded.
  const close = dequantize(readBack(again))
  const one = dequantize(readBack(first))
  const worst = one.reduce((most, value, i) => Math.max(most, Math.abs(value - close[i]!)), 0)
  const largest = one.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  expect(worst / largest).toBeLessThan(format === 'nvfp4' ? 0.05 : 1e-6)
})

test('mxfp4 by the rule of OCP MX, on paper', () => {
  const values = new Float32Array(64)
  values.set([7, -1.25, 0.75, 3, 0.2])
  values[32] = 2 ** -140
  const [data, scale] = quantize('w', [2, 32], values, 'mxfp4')
  // The greatest, 7, has the exponent 2, which is e2m1's too: the scale is 2^0, and 7 becomes 6.
  expect([...(scale!.data as Uint8Array)]).toEqual([127, 0])
  expect(data).toMatchObject({ name: 'w', dtype: 'e2m1', shape: [2, 32], scale: 'w.scale', axis: 1, groupSize: 32 })
  expect(scale).toMatchObject({ name: 'w.scale', dtype: 'e8m0', shape: [2, 1] })
  const back = dequantize(readBack([data!, scale!]))
  expect([...back.subarray(0, 6)]).toEqual([6, -1, 1, 3, 0, 0]) // -1.25 and 0.75 are ties, 0.2 is nearest to 0
  // The least scale, 2^-127, is as far as it goes.
  expect(back[32]).toBe(0)
})

test.each([
  ['mxfp4', 2], ['mxfp6e3m2', 4], ['mxfp6e2m3', 2], ['mxfp8e4m3', 8], ['mxfp8e5m2', 15],
] as const)('the scale of %s for every exponent of f32', (format, most) => {
  // A power of 2 and the f32 right below the next one have the same scale, which a rounded logarithm may get wrong.
  for (let exponent = -149; exponent < 128; exponent++) {
    const want = Math.max(exponent - most, -127) + 127
    for (const value of [2 ** exponent, Math.max(2 ** exponent, (2 - 2 ** -23) * 2 ** exponent)]) {
      if (Math.fround(value) !== value) continue
      const [, scale] = quantize('w', [1], [value], format)
      expect([value, (scale!.data as Uint8Array)[0]]).toEqual([value, want])
    }
  }
})

test('nvfp4, on paper', () => {
  const values = new Float32Array(32)
  values.set([6 * 448, 3 * 448, -448], 0)
  values.set([6 * 2, 2, 1.2], 16)
  const [data, scale, outer] = quantize('w', [32], values, 'nvfp4')
  expect(outer).toMatchObject({ name: 'w.outer', dtype: 'f32', shape: [1] })
  expect(new Float32Array((outer!.data as Uint8Array).buffer)[0]).toBe(1)
  expect(data).toMatchObject({ scale: 'w.scale', outer: 'w.outer', axis: 0, groupSize: 16 })
  expect([...(scale!.data as Uint8Array)]).toEqual([0x7e, 0x40]) // 448 and 2
  expect([...dequantize(readBack([data!, scale!, outer!]))].slice(0, 3)).toEqual([6 * 448, 3 * 448, -448])
  expect([...dequantize(readBack([data!, scale!, outer!]))].slice(16, 20)).toEqual([12, 2, 1, 0])
})

test('a group that is small beside the greatest keeps the least scale, and a group of zeros has none', () => {
  const values = new Float32Array(48)
  values[0] = 6 * 448
  values[16] = 2 ** -9 // its share would be 2^-9 / 6, which is nearer to 0 than to the least scale
  const set = quantize('w', [48], values, 'nvfp4')
  expect([...(set[1]!.data as Uint8Array)]).toEqual([0x7e, 0x01, 0x00])
  expect(dequantize(readBack(set))[16]).toBe(2 ** -9)
})

test('int8 and int4 are symmetric, and exact at the ends', () => {
  const [data, scale] = quantize('w', [2, 3], [127, -127, 63.5, -1e-3, 1e-3, 2e-4], 'int8:3')
  expect([...new Int8Array((data!.data as Uint8Array).buffer)]).toEqual([127, -127, 64, -127, 127, 25])
  expect([...new Float32Array((scale!.data as Uint8Array).buffer)]).toEqual([1, Math.fround(1e-3 / 127)])
  const int4 = quantize('w', [3], [7, -7, 3.5], 'int4:8')
  expect([...(int4[0]!.data as Uint8Array)]).toEqual([0x97, 0x04])
})

test.each(NAMES)('%s of zeros only, of the least and of the greatest numbers', (format) => {
  const max = (2 - 2 ** -23) * 2 ** 127
  for (const value of [0, 2 ** -149, 2 ** -126, max, -max]) {
    const back = dequantize(readBack(quantize('w', [3], [value, 0, -0], format)))
    expect(Number.isFinite(back[0])).toBe(true)
    expect(Math.abs(back[0]!)).toBeLessThanOrEqual(max)
    if (Math.abs(value) > 1) expect(Math.abs(back[0]! / value - 1)).toBeLessThanOrEqual(0.25)
    expect([...back.subarray(1)]).toEqual([0, -0].map((zero) => (format.startsWith('int') ? 0 : zero)))
  }
})

test('NaN and infinity are refused or named, and set no scale', () => {
  const withNan = Float32Array.of(1, NaN, 0.5)
  refuses(() => quantize('w', [3], withNan, 'mxfp4'), 'TYPE at [1]: e2m1 has no NaN')
  refuses(() => quantize('w', [3], withNan, 'int8:3'), 'TYPE at [1]: i8 has no NaN')
  const values = (format: QuantizationName, array: Float32Array, options: object) =>
    [...dequantize(readBack(quantize('w', [3], array, format, options)))]
  expect(values('mxfp4', withNan, { nan: 'zero' })).toEqual([1, 0, 0.5])
  expect(values('mxfp4', withNan, { nan: 'max' })).toEqual([1, 1.5, 0.5])
  expect(values('mxfp8e4m3', withNan, {})).toEqual([1, NaN, 0.5])
  const infinite = Float32Array.of(1, -Infinity, 0.5)
  for (const format of NAMES) {
    const message = "TYPE at [1]: -Infinity is past f32's numbers; pass infinity: 'saturate'"
    refuses(() => quantize('w', [3], infinite, format), message)
    refuses(() => quantize('w', [3, 2], Float32Array.of(1, -Infinity, 1, 1, 1, 1), format, { axis: 0 }), message)
  }
  expect(values('mxfp4', infinite, { infinity: 'saturate' })).toEqual([1, -1.5, 0.5])
  expect(values('int8:3', infinite, { infinity: 'saturate' })[1]).toBe(-1)
  const large = Float64Array.of(1, 1e39)
  refuses(() => quantize('w', [2], large, 'int8:2'), "TYPE at [1]: 1e+39 is past f32's numbers")
  // The index is that in the tensor, however far on it is.
  const many = new Float32Array(100_000)
  many[99_990] = NaN
  refuses(() => quantize('w', [100, 1000], many, 'mxfp4'), 'TYPE at [99990]')
  many[99_990] = Infinity
  refuses(() => quantize('w', [100, 1000], many, 'nvfp4'), 'TYPE at [99990]')
  refuses(() => quantize('w', [100, 1000], many, 'int8:64'), 'TYPE at [99990]')
})

test('names of formats', () => {
  expect(quantizationFormat('int8:128')).toEqual({
    name: 'int8', dtype: 'i8', scaleDtype: 'f32', rule: 'absmax', groupSize: 128,
  })
  expect(quantizationFormat('int4:4294967295').groupSize).toBe(2 ** 32 - 1)
  expect(quantizationFormat('int4:1').groupSize).toBe(1)
  expect(quantizationFormat('mxfp4').groupSize).toBe(32)
  expect(quantizationFormat('nvfp4').groupSize).toBe(16)
  const wrong: [string, string][] = [
    ['fp4', '"fp4" is no quantization; there are mxfp4, mxfp6e3m2, mxfp6e2m3, mxfp8e4m3, mxfp8e5m2, nvfp4, int8:N'],
    ['int8', 'int8 needs a group size from 1 to 4294967295 after a colon, such as int8:128'],
    ['int8:0', 'int8 needs a group size'], ['int8:1e3', 'int8 needs a group size'],
    ['int8:', 'int8 needs a group size'],
    ['int4:4294967296', 'int4 needs a group size'], ['int4:-1', 'int4 needs a group size'],
    ['mxfp4:32', 'mxfp4 always has groups of 32; leave :32 out'], ['int8:1:2', '"int8:1:2" is no quantization'],
    ['', '"" is no quantization'], ['toString', '"toString" is no quantization'],
  ]
  for (const [name, message] of wrong) refuses(() => quantizationFormat(name), message)
})

test('what quantize refuses', () => {
  refuses(() => quantize('', [2], [1, 2], 'mxfp4'), 'a quantized tensor needs a name')
  refuses(() => quantize('w', [], [1], 'mxfp4'), 'a tensor of rank 0 has no axis')
  refuses(() => quantize('w', [3], [1, 2], 'mxfp4'), 'shape [3] needs 3 numbers, there are 2')
  refuses(() => quantize('w', [2], [1, 2], 'mxfp4', { axis: 1 }), 'axis 1 is none of the 1 dimensions')
  refuses(() => quantize('w', [2], [1, 2], 'mxfp4', { axis: -1 }), 'axis -1 is none of the 1 dimensions')
  refuses(() => quantize('w', [-2], [1, 2], 'mxfp4'), 'a dimension is an integer from 0')
  refuses(() => quantize('w', [2], [1, 2], 'mxfp4', { nan: 'no' as 'zero' }), "nan is 'refuse', 'zero' or 'max'")
  const misspelt = { infinity: 'max' as 'refuse' }
  refuses(() => quantize('w', [2], [1, 2], 'mxfp4', misspelt), "infinity is 'refuse' or 'saturate', not \"max\"")
})

test('tensors without elements, however long their other dimensions are', () => {
  for (const shape of [[0], [0, 5], [5, 0], [0, 2 ** 40], [2 ** 40, 0]]) {
    for (let axis = 0; axis < shape.length; axis++) {
      const w = readBack(quantize('w', shape, [], 'nvfp4', { axis }))
      expect(dequantize(w)).toHaveLength(0)
    }
  }
})

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) {
    expect(chunk.length).toBeGreaterThan(0)
    expect(chunk.length).toBeLessThanOrEqual(262_144)
    parts.push(chunk)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** A payload that can be read again, in pieces of odd sizes; counts how often it was begun. */
function rereadable(bytes: Uint8Array, piece: number): { chunks: RereadableChunks; reads: () => number } {
  let reads = 0
  return {
    reads: () => reads,
    async *chunks() {
      reads++
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    },
  }
}

test.each(NAMES)('%s as a stream is the same set, bit for bit', async (format) => {
  const shape = [11, 41, 20]
  const values = numbers(11 * 41 * 20, 820)
  for (const [dtype, piece] of [['f32', 1021], ['bf16', 50_000], ['f64', 77]] as const) {
    const bytes = narrow(values, dtype, { mode: 'saturate' })
    const source: LinkedShape = { dtype, shape }
    for (let axis = 0; axis < 3; axis++) {
      const want = quantize('w', shape, widen({ dtype, shape, bytes }, 'f64'), format, { axis })
      const { chunks, reads } = rereadable(bytes, piece)
      const stream = streamQuantized('w', source, chunks, format, { axis })
      const described = stream.map(({ chunks: _chunks, byteLength: _byteLength, ...rest }) => rest)
      expect(described).toEqual(want.map(({ data: _data, ...rest }) => rest))
      for (const [i, { chunks: payload, byteLength }] of stream.entries()) {
        const got = await bytesOf(payload())
        expect(got.length).toBe(byteLength)
        expect(Buffer.compare(got, want[i]!.data as Uint8Array)).toBe(0)
      }
      // Once for elements and once for scales; for the outer scale once more, and not again for its payload.
      expect(reads()).toBe(format === 'nvfp4' ? 3 : 2)
      if (dtype !== 'f32') break
    }
  }
})

test('a quantized tensor can be quantized otherwise in one go, by its values', async () => {
  const first = readBack(quantize('w', [64, 64], numbers(4096, 64), 'mxfp8e4m3'))
  const { chunks } = rereadable(first.bytes, 100)
  const [data] = streamQuantized('w', first, chunks, 'int8:64')
  const want = quantize('w', [64, 64], dequantize(first), 'int8:64')
  expect(await bytesOf(data!.chunks())).toEqual(new Uint8Array(want[0]!.data as Uint8Array))
})

test('a stream hands its options to the source, and its errors on', async () => {
  const seen: unknown[] = []
  const signal = AbortSignal.timeout(60_000)
  const set = streamQuantized('w', { dtype: 'f32', shape: [4] }, (options) => {
    seen.push(options)
    return [new Uint8Array(8)]
  }, 'mxfp4')
  await refusesLater(bytesOf(set[0]!.chunks({ signal })), 'the payload is to have 16 bytes, and 8 came')
  expect(seen).toEqual([{ signal }])
  const nan = streamQuantized('w', { dtype: 'f32', shape: [1] }, () => [Uint8Array.of(0, 0, 0xc0, 0x7f)], 'mxfp4')
  await refusesLater(bytesOf(nan[0]!.chunks()), 'TYPE at [0]: e2m1 has no NaN')
  // A scale doesn't ask about NaN.
  expect([...(await bytesOf(nan[1]!.chunks()))]).toEqual([0])
  // What has no values is refused before anything is read.
  refuses(() => streamQuantized('w', { dtype: 'c64', shape: [1] }, () => [], 'mxfp4'), 'c64 is complex')
  const block = { dtype: 'ggml_q8_1', shape: [32] } as const
  refuses(() => streamQuantized('w', block, () => [], 'mxfp4'), "ggml_q8_1 can't be dequantized")
})

test('infinity in nvfp4 sets no outer scale either', () => {
  const set = quantize('w', [18], [6 * 448, Infinity, ...Array.from({ length: 14 }, () => 0), 12, -Infinity], 'nvfp4', {
    infinity: 'saturate',
  })
  expect(set.map(({ data }) => [...(data as Uint8Array)])).toEqual([
    [0x77, 0, 0, 0, 0, 0, 0, 0, 0xf7], [0x7e, 0x40], [0, 0, 0x80, 0x3f],
  ])
})

test('names and numbers that are none', () => {
  for (const name of ['', 7, undefined]) {
    const message = 'TYPE: a quantized tensor needs a name for its links'
    refuses(() => quantize(name as string, [1], [1], 'mxfp4'), message)
    refuses(() => streamQuantized(name as string, { dtype: 'f32', shape: [1] }, () => [], 'mxfp4'), message)
  }
  const bigints = BigInt64Array.of(1n) as never
  refuses(() => quantize('w', [1], bigints, 'mxfp4'), "TYPE: numbers can't come from a BigInt64Array")
  refuses(() => quantize('w', [1], ['1'] as never, 'mxfp4'), 'TYPE at [0]: this is no number but string')
})

test('a stream refuses misspelt choices before it is read, and rounds wide integers where asked', async () => {
  const f32 = { dtype: 'f32', shape: [1] } as const
  const unread = (): never => {
    throw new Error('read')
  }
  const wrong: [object, string][] = [
    [{ nan: 'no' }, "TYPE: nan is 'refuse', 'zero' or 'max', not \"no\""],
    [{ infinity: 'no' }, "TYPE: infinity is 'refuse' or 'saturate', not \"no\""],
    [{ inexact: 'no' }, "TYPE: inexact is 'refuse' or 'nearest', not \"no\""],
  ]
  for (const [options, message] of wrong) refuses(() => streamQuantized('w', f32, unread, 'mxfp4', options), message)
  const i64 = { dtype: 'i64', shape: [1] } as const
  const chunks = () => [new Uint8Array(BigInt64Array.of(2n ** 60n + 1n).buffer)]
  const [data, scale] = streamQuantized('w', i64, chunks, 'mxfp4', { inexact: 'nearest' })
  // 2^60 is 4 times 2^58.
  expect([[...(await bytesOf(data!.chunks()))], [...(await bytesOf(scale!.chunks()))]]).toEqual([[6], [127 + 58]])
  const [refused] = streamQuantized('w', i64, chunks, 'mxfp4')
  await refusesLater(bytesOf(refused!.chunks()), 'TYPE at [0]: 1152921504606846977 (i64) is no f64')
})

test('the outer scale of a stream: infinities refused with their place, or passed over', async () => {
  const values = new Float32Array(8208)
  values.set([12, -3])
  values[8200] = -Infinity
  const source = { dtype: 'f32', shape: [8208] } as const
  const chunks = () => [new Uint8Array(values.buffer)]
  const message = "TYPE at [8200]: -Infinity is past f32's numbers; pass infinity: 'saturate'"
  for (const { chunks: payload } of streamQuantized('w', source, chunks, 'nvfp4')) {
    await refusesLater(bytesOf(payload()), message)
  }
  const [, , outer] = streamQuantized('w', source, chunks, 'nvfp4', { infinity: 'saturate' })
  expect([...new Float32Array((await bytesOf(outer!.chunks())).buffer)]).toEqual([Math.fround(12 / 2688)])
})
