import { expect, test } from 'vitest'
import { dtypes } from 'kiln-format'
import { streamValues, valueBlocks } from 'kiln-format/numeric'
import { valueWidth } from '../../src/numeric/value-blocks.js'
import type { LinkedTensor } from '../../src/numeric/tensor.js'
import { refuses, refusesLater } from './refuses.js'

const bytesOf = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** Copies of all blocks, since their array is used again. */
async function blocksOf(tensor: LinkedTensor, ...cuts: number[]): Promise<number[][]> {
  const { bytes, ...described } = tensor
  const ends = [...cuts, bytes.length]
  const chunks = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
  const blocks: number[][] = []
  for await (const block of streamValues(described, chunks)) blocks.push([...block])
  return blocks
}

test('blocks have 8,192 values but the last, and there is no empty one', async () => {
  for (const [elements, lengths] of [[0, []], [1, [1]], [8191, [8191]], [8192, [8192]], [8193, [8192, 1]]] as const) {
    const bytes = Uint8Array.from({ length: elements }, (_, i) => i)
    const tensor: LinkedTensor = { dtype: 'u8', shape: [elements], bytes }
    expect([...valueBlocks(tensor)].map(({ length }) => length)).toEqual(lengths)
    expect((await blocksOf(tensor)).map(({ length }) => length)).toEqual(lengths)
    expect((await blocksOf(tensor)).flat()).toEqual([...tensor.bytes])
  }
})

test('an element that ends a block may be cut', async () => {
  const elements = 8192 + 4
  const want = Array.from({ length: elements }, (_, i) => i)
  const tensor: LinkedTensor = { dtype: 'u16', shape: [elements], bytes: bytesOf(Uint16Array.from(want)) }
  for (const cuts of [[16_383], [16_383, 16_384], [16_384], [1, 16_383, 16_385], [16_383, 16_383]]) {
    const blocks = await blocksOf(tensor, ...cuts)
    expect(blocks.map(({ length }) => length)).toEqual([8192, 4])
    expect(blocks.flat()).toEqual(want)
  }
  // The block comes as soon as its last element is whole.
  let given = 0
  const stream = streamValues({ dtype: 'u16', shape: [elements] }, (function* () {
    for (const [from, to] of [[0, 16_383], [16_383, 16_384], [16_384, 16_392]] as const) {
      given = to
      yield tensor.bytes.subarray(from, to)
    }
  })())
  expect((await stream.next()).value).toHaveLength(8192)
  expect(given).toBe(16_384)
})

test.each([
  ['e2m3', 5, [0x41, 0x21, 0x0c, 0x02], [0.125, 0.125 * 5, 0.125 * 2, 0.125 * 3, 0.25]],
  ['u2', 5, [0b11100100, 0b10], [0, 1, 2, 3, 2]], ['u1', 9, [0b10010011, 1], [1, 1, 0, 0, 1, 0, 0, 1, 1]],
  ['i4', 3, [0xf7, 0x08], [7, -1, -8]],
] as const)('%s, cut anywhere', async (dtype, elements, bytes, values) => {
  const tensor: LinkedTensor = { dtype, shape: [elements], bytes: Uint8Array.from(bytes) }
  expect([...valueBlocks(tensor)].map((block) => [...block])).toEqual([values])
  for (let one = 0; one <= bytes.length; one++) {
    for (let other = one; other <= bytes.length; other++) expect(await blocksOf(tensor, one, other)).toEqual([values])
  }
})

test('values are f64 where f32 does not hold them and no link makes them f32', () => {
  const wide = dtypes.filter(({ name }) => valueWidth({ dtype: name, shape: [] }) === 'f64').map(({ name }) => name)
  expect(wide.sort()).toEqual(['f64', 'i32', 'i64', 'u32', 'u64'])
  expect(valueWidth({ dtype: 'f16', shape: [] })).toBe('f32')
  const i32: LinkedTensor = { dtype: 'i32', shape: [2], bytes: bytesOf(Int32Array.of(2 ** 24 + 1, -3)) }
  expect([...valueBlocks(i32)]).toEqual([Float64Array.of(2 ** 24 + 1, -3)])
  const scale = { dtype: 'e8m0', shape: [1], bytes: Uint8Array.of(128) } as const
  // The element is rounded to f32 first, as the rule says, whatever the options are.
  const linked: LinkedTensor = { ...i32, axis: 0, groupSize: 2, scale }
  expect([...valueBlocks(linked)]).toEqual([Float32Array.of(2 ** 25, -6)])
  expect([...valueBlocks(linked, { inexact: 'refuse' })]).toEqual([Float32Array.of(2 ** 25, -6)])
  expect([...valueBlocks({ ...linked, scheme: 0 })]).toEqual([Float64Array.of(2 ** 24 + 1, -3)])
})

test('what is wrong is refused before the first block is asked for', async () => {
  const short: LinkedTensor = { dtype: 'f16', shape: [3], bytes: new Uint8Array(5) }
  refuses(() => valueBlocks(short), 'TYPE: the payload has 5 bytes, but f16 of shape [3] needs 6')
  refuses(() => valueBlocks({ ...short, bytes: new Uint8Array(7) }), 'TYPE: the payload has 7 bytes')
  const whole: LinkedTensor = { ...short, bytes: new Uint8Array(6) }
  refuses(() => valueBlocks(whole, { inexact: 'up' as 'nearest' }), "TYPE: inexact is 'refuse' or 'nearest', not \"up\"")
  refuses(() => valueBlocks({ ...whole, dtype: 'c64', bytes: new Uint8Array(24) }), 'TYPE: c64 is complex')
  const unknown = { dtype: 'ggml_q8_1', shape: [32], bytes: new Uint8Array(36) } as const
  refuses(() => valueBlocks(unknown), "TYPE: ggml_q8_1 can't be dequantized")
  await refusesLater(blocksOf(short), 'TYPE: the payload is to have 6 bytes, and 5 came')
  const long = { ...short, bytes: new Uint8Array(7) }
  await refusesLater(blocksOf(long, 6), 'TYPE: the payload is to have 6 bytes, and more than that')
})
