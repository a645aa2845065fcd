import { dtypes } from 'kiln-format'
import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import { dtypeOfGgml, ggmlOfDtype } from '../../src/gguf/tensor-types.js'
import { writeGguf } from '../../src/gguf/write.js'
import { memorySource, MemorySink, payload } from '../support/memory.js'
import { buildGguf } from './build.js'

// Every type of ggml with its block, as FORMAT §4 lists them; written out here so that a table that
// lacks one is found.
const TYPES: readonly (readonly [type: number, dtype: string, elements: number, bytes: number])[] = [
  [0, 'f32', 1, 4],
  [1, 'f16', 1, 2],
  [2, 'ggml_q4_0', 32, 18],
  [3, 'ggml_q4_1', 32, 20],
  [6, 'ggml_q5_0', 32, 22],
  [7, 'ggml_q5_1', 32, 24],
  [8, 'ggml_q8_0', 32, 34],
  [9, 'ggml_q8_1', 32, 36],
  [10, 'ggml_q2_k', 256, 84],
  [11, 'ggml_q3_k', 256, 110],
  [12, 'ggml_q4_k', 256, 144],
  [13, 'ggml_q5_k', 256, 176],
  [14, 'ggml_q6_k', 256, 210],
  [15, 'ggml_q8_k', 256, 292],
  [16, 'ggml_iq2_xxs', 256, 66],
  [17, 'ggml_iq2_xs', 256, 74],
  [18, 'ggml_iq3_xxs', 256, 98],
  [19, 'ggml_iq1_s', 256, 50],
  [20, 'ggml_iq4_nl', 32, 18],
  [21, 'ggml_iq3_s', 256, 110],
  [22, 'ggml_iq2_s', 256, 82],
  [23, 'ggml_iq4_xs', 256, 136],
  [24, 'i8', 1, 1],
  [25, 'i16', 1, 2],
  [26, 'i32', 1, 4],
  [27, 'i64', 1, 8],
  [28, 'f64', 1, 8],
  [29, 'ggml_iq1_m', 256, 56],
  [30, 'bf16', 1, 2],
  [34, 'ggml_tq1_0', 256, 54],
  [35, 'ggml_tq2_0', 256, 66],
  [39, 'ggml_mxfp4', 32, 17],
  [40, 'ggml_nvfp4', 64, 36],
  [41, 'ggml_q1_0', 128, 18],
  [42, 'ggml_q2_0', 64, 18],
]

const pattern = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 37 + 11) % 256)

test.each(TYPES)('type %i is %s, in and out', async (type, dtype, elements, bytes) => {
  expect(dtypeOfGgml(type)?.name).toBe(dtype)
  expect(ggmlOfDtype(dtype)).toBe(type)
  const content = pattern(6 * bytes)
  const file = buildGguf([], [{ name: 't', ne: [2 * elements, 3], type, offset: 0, payload: content }])
  const model = await openGguf(memorySource(file))
  expect(model.tensors).toMatchObject([
    { name: 't', dtype, shape: [3, 2 * elements], byteLength: 6 * bytes, ggmlType: type },
  ])
  expect(await payload(model.tensors[0]!)).toEqual(content)
  const sink = new MemorySink()
  await writeGguf(model, sink)
  expect(sink.bytes).toEqual(file)
})

test('no other type and no other dtype is taken', async () => {
  const known = new Set(TYPES.map(([type]) => type))
  for (let type = 0; type < 100; type++) expect(dtypeOfGgml(type) !== undefined).toBe(known.has(type))
  expect(dtypeOfGgml(0xffffffff)).toBeUndefined()
  const names = new Set(TYPES.map(([, dtype]) => dtype))
  for (const { name } of dtypes) expect(ggmlOfDtype(name) !== undefined).toBe(names.has(name))
  await expect(
    openGguf(memorySource(buildGguf([], [{ name: 't', ne: [32], type: 31, offset: 0 }]))),
  ).rejects.toMatchObject({
    code: 'TYPE',
    detail: `tensor "t" is of ggml's type 31, Q4_0_4_4, which ggml has removed: convert the model anew`,
  })
})

// In files of big-endian hosts: which bytes of a block change places, as pairs.
const SWAPS: readonly (readonly [
  type: number,
  elements: number,
  bytes: number,
  swapped: readonly (readonly number[])[],
])[] = [
  [0, 1, 4, [[0, 1, 2, 3]]],
  [1, 1, 2, [[0, 1]]],
  [24, 1, 1, []],
  [25, 1, 2, [[0, 1]]],
  [26, 1, 4, [[0, 1, 2, 3]]],
  [27, 1, 8, [[0, 1, 2, 3, 4, 5, 6, 7]]],
  [28, 1, 8, [[0, 1, 2, 3, 4, 5, 6, 7]]],
  [30, 1, 2, [[0, 1]]],
  [2, 32, 18, [[0, 1]]],
  [8, 32, 34, [[0, 1]]],
  [
    12,
    256,
    144,
    [
      [0, 1],
      [2, 3],
    ],
  ],
  [14, 256, 210, [[208, 209]]],
  [39, 32, 17, []],
]

test.each(SWAPS)('type %i of a big-endian file is turned round', async (type, elements, bytes, swapped) => {
  const content = pattern(2 * bytes)
  const turned = content.slice()
  for (const block of [0, bytes]) {
    for (const places of swapped)
      places.forEach((place, i) => (turned[block + place] = content[block + places[places.length - 1 - i]!]!))
  }
  const file = buildGguf([], [{ name: 't', ne: [2 * elements], type, offset: 0, payload: content }], {
    littleEndian: false,
  })
  const source = memorySource(file)
  const model = await openGguf(source)
  expect(await payload(model.tensors[0]!)).toEqual(turned)
  // And once more: what was read was not turned round in place.
  expect(await payload(model.tensors[0]!)).toEqual(turned)
})

test('block types whose order in big-endian files is not defined are refused there', async () => {
  const swaps = new Set(SWAPS.map(([type]) => type))
  for (const [type, dtype, elements, bytes] of TYPES) {
    if (swaps.has(type)) continue
    const file = buildGguf([], [{ name: 't', ne: [elements], type, offset: 0, payload: pattern(bytes) }], {
      littleEndian: false,
    })
    await expect(openGguf(memorySource(file))).rejects.toMatchObject({
      code: 'TYPE',
      detail: expect.stringContaining(`tensor "t" is ${dtype} in a big-endian file`) as unknown,
    })
  }
})

test('a large big-endian tensor is read in pieces of whole numbers', async () => {
  const content = pattern(3 * 2 ** 20 + 8)
  const file = buildGguf([], [{ name: 't', ne: [content.length / 8], type: 27, offset: 0 }], { littleEndian: false })
  const whole = new Uint8Array(file.length + content.length)
  whole.set(file)
  whole.set(content, file.length)
  const source = memorySource(whole)
  const model = await openGguf(source)
  const turned = await payload(model.tensors[0]!)
  const numbers = new DataView(turned.buffer)
  const stored = new DataView(content.buffer)
  for (let i = 0; i < content.length; i += 4096 * 8 + 8)
    expect(numbers.getBigInt64(i, true)).toBe(stored.getBigInt64(i, false))
  expect(source.reads.longest).toBeLessThanOrEqual(2 ** 20)
})
