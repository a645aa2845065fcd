import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import { writeGguf } from '../../src/gguf/write.js'
import type { GgufArray, GgufKeyValue } from '../../src/gguf/value-types.js'
import { memorySource, MemorySink } from '../support/memory.js'
import { buildGguf, TYPE_IDS } from './build.js'
import type { Builder } from './build.js'

const read = async (keyValue: GgufKeyValue | ((file: Builder) => void), littleEndian = true): Promise<GgufKeyValue> => {
  const model = await openGguf(memorySource(buildGguf([keyValue], [], { littleEndian })))
  return model.keyValues[0]!
}

const written = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const { tensors, metadata } = await openGguf(memorySource(bytes))
  const sink = new MemorySink()
  await writeGguf({ tensors, metadata: new Map(metadata) }, sink)
  return sink.bytes
}

const scalars: readonly GgufKeyValue[] = [
  { key: 'k', type: 'uint8', value: 255 },
  { key: 'k', type: 'int8', value: -128 },
  { key: 'k', type: 'uint16', value: 65_535 },
  { key: 'k', type: 'int16', value: -32_768 },
  { key: 'k', type: 'uint32', value: 4_294_967_295 },
  { key: 'k', type: 'int32', value: -2_147_483_648 },
  { key: 'k', type: 'uint64', value: 18_446_744_073_709_551_615n },
  { key: 'k', type: 'uint64', value: 9_007_199_254_740_993n },
  { key: 'k', type: 'int64', value: -9_223_372_036_854_775_808n },
  { key: 'k', type: 'float32', value: Math.fround(0.1) },
  { key: 'k', type: 'float32', value: -0 },
  { key: 'k', type: 'float32', value: 2 ** -149 },
  { key: 'k', type: 'float64', value: 0.1 },
  { key: 'k', type: 'float64', value: -Infinity },
  { key: 'k', type: 'bool', value: true },
  { key: 'k', type: 'bool', value: false },
  { key: 'k', type: 'string', value: '' },
  { key: 'k', type: 'string', value: '\ufeffa\u0000b 日本 🙂' },
]

for (const littleEndian of [true, false]) {
  test.each(scalars)(`a scalar %o, littleEndian ${littleEndian}`, async (keyValue) => {
    expect(await read(keyValue, littleEndian)).toEqual(keyValue)
  })
}

test.each(scalars)('a scalar %o comes back from its text in the same bytes', async (keyValue) => {
  const bytes = buildGguf([keyValue])
  expect(await written(bytes)).toEqual(bytes)
})

const arrays: readonly GgufArray[] = [
  { itemType: 'uint8', items: Uint8Array.of(0, 255) },
  { itemType: 'int8', items: Int8Array.of(-128, 127) },
  { itemType: 'uint16', items: Uint16Array.of(1, 65_535) },
  { itemType: 'int16', items: Int16Array.of(-1, 256) },
  { itemType: 'uint32', items: Uint32Array.of(4_294_967_295) },
  { itemType: 'int32', items: Int32Array.of(-2_147_483_648, 7) },
  { itemType: 'uint64', items: BigUint64Array.of(2n ** 64n - 1n, 2n ** 53n + 1n) },
  { itemType: 'int64', items: BigInt64Array.of(-(2n ** 63n), -(2n ** 53n) - 1n) },
  { itemType: 'float32', items: Float32Array.of(0.1, -0, Infinity, -Infinity, 3.4028234663852886e38, 1e-45) },
  { itemType: 'float64', items: Float64Array.of(0.1, -0, Infinity, 5e-324, 1.7976931348623157e308) },
  { itemType: 'bool', items: [true, false] },
  { itemType: 'string', items: ['', 'ß', '"\\'] },
  { itemType: 'string', items: [] },
  { itemType: 'int64', items: new BigInt64Array(0) },
  { itemType: 'array', items: [] },
  {
    itemType: 'array',
    items: [
      { itemType: 'int32', items: Int32Array.of(1) },
      { itemType: 'string', items: ['a'] },
      { itemType: 'array', items: [{ itemType: 'bool', items: [] }] },
      { itemType: 'uint64', items: BigUint64Array.of(2n ** 63n) },
    ],
  },
]

for (const value of arrays) {
  const what = `an array of ${value.itemType} with ${value.items.length} items`
  test(`${what}, in both byte orders, and back from its text`, async () => {
    const keyValue: GgufKeyValue = { key: 'k', type: 'array', value }
    expect(await read(keyValue)).toEqual(keyValue)
    expect(await read(keyValue, false)).toEqual(keyValue)
    const bytes = buildGguf([keyValue])
    expect(await written(bytes)).toEqual(bytes)
  })
}

const NANS32 = [0x7fc00000, 0xffc00000, 0x7f800001, 0xffbfffff, 0x7fedcba9]
const NANS64 = [0x7ff8000000000000n, 0xfff8000000000000n, 0x7ff0000000000001n, 0xffffffffffffffffn, 0x7ffc0ffee0ddf00dn]

test.each(NANS32)('the NaN %i of 32 bits keeps its bits as a scalar and in arrays', async (bits) => {
  const scalar = buildGguf([(file) => file.text('k').u32(TYPE_IDS.float32).u32(bits)])
  const { keyValues } = await openGguf(memorySource(scalar))
  expect(keyValues).toEqual([{ key: 'k', type: 'float32', value: NaN, bits: BigInt(bits) }])
  expect(await written(scalar)).toEqual(scalar)
  const array = buildGguf([
    (file) => file.text('k').u32(TYPE_IDS.array).u32(TYPE_IDS.float32).count(3).u32(bits).float(4, 1.5).u32(bits),
  ])
  expect(await written(array)).toEqual(array)
})

test.each(NANS64)('the NaN %i of 64 bits keeps its bits as a scalar and in arrays', async (bits) => {
  const scalar = buildGguf([(file) => file.text('k').u32(TYPE_IDS.float64).u64(bits)])
  const { keyValues } = await openGguf(memorySource(scalar))
  expect(keyValues).toEqual([{ key: 'k', type: 'float64', value: NaN, bits }])
  expect(await written(scalar)).toEqual(scalar)
  const array = buildGguf([
    (file) => file.text('k').u32(TYPE_IDS.array).u32(TYPE_IDS.float64).count(3).u64(bits).float(8, 1.5).u64(bits),
  ])
  expect(await written(array)).toEqual(array)
})

/** An array of arrays of …, `depth` levels in all. */
const nested =
  (depth: number) =>
  (file: Builder): void => {
    file.text('k').u32(TYPE_IDS.array)
    for (let i = 1; i < depth; i++) file.u32(TYPE_IDS.array).count(1)
    file.u32(TYPE_IDS.uint8).count(1).raw(9)
  }

test('arrays nest 64 deep and no deeper', async () => {
  const deepest = buildGguf([nested(64)])
  expect(await written(deepest)).toEqual(deepest)
  for (const depth of [65, 1000, 20_000]) {
    await expect(read(nested(depth))).rejects.toMatchObject({
      code: 'LIMIT',
      detail: 'the value of "k" nests arrays more than 64 deep',
    })
  }
})

const array = (file: Builder): Builder => file.text('k').u32(TYPE_IDS.array)

test.each<[string, (file: Builder) => void, string, RegExp]>([
  [
    'a bool of 2',
    (file) => file.text('k').u32(7).raw(2),
    'TYPE',
    /the value of "k" is a bool of byte 2; only 0 and 1 are/,
  ],
  [
    'a bool of 255 in an array',
    (file) => array(file).u32(7).count(2).raw(1, 255),
    'TYPE',
    /item 1 of the value of "k" is a bool of byte 255/,
  ],
  [
    'a type of 13',
    (file) => file.text('k').u32(13),
    'TYPE',
    /the value of "k" has type 13; GGUF has the types 0 to 12/,
  ],
  ['an item type of 13', (file) => array(file).u32(13).count(0), 'TYPE', /the items of the value of "k" has type 13/],
  [
    'a key that is no UTF-8',
    (file) => file.text(Uint8Array.of(0x61, 0xff)).u32(0).raw(0),
    'UTF8',
    /key 0 is not UTF-8/,
  ],
  [
    'a long key that is no UTF-8',
    (file) => file.text(new Uint8Array(100).fill(0xe2)).u32(0).raw(0),
    'UTF8',
    /key 0 is not UTF-8/,
  ],
  [
    'a value that is no UTF-8',
    (file) => file.text('k').u32(8).text(Uint8Array.of(0xc0, 0x80)),
    'UTF8',
    /the value of "k" is not UTF-8/,
  ],
  [
    'a surrogate in UTF-8',
    (file) =>
      file
        .text('k')
        .u32(8)
        .text(Uint8Array.of(0xed, 0xa0, 0x80)),
    'UTF8',
    /not UTF-8/,
  ],
  [
    'a string that is cut in a character',
    (file) =>
      array(file)
        .u32(8)
        .count(1)
        .text(Uint8Array.of(0xf0, 0x9f, 0x99)),
    'UTF8',
    /not UTF-8/,
  ],
  [
    'a key of 65,536 bytes',
    (file) => file.text('k'.repeat(65_536)).u32(0).raw(0),
    'LIMIT',
    /key 0 has 65536 bytes; at most 65535 are allowed/,
  ],
  [
    '2^63 numbers',
    (file) =>
      array(file)
        .u32(10)
        .count(2n ** 63n),
    'EOF',
    /9223372036854776000 announced, of 8 bytes or more each/,
  ],
  [
    'more bools than bytes',
    (file) => array(file).u32(7).count(10_000),
    'EOF',
    /10000 announced, of 1 bytes or more each/,
  ],
  [
    'more strings than fit',
    (file) =>
      array(file)
        .u32(8)
        .count(2 ** 31),
    'EOF',
    /2147483648 announced, of 8 bytes or more each/,
  ],
  [
    'more arrays than fit',
    (file) =>
      array(file)
        .u32(9)
        .count(2 ** 40),
    'EOF',
    /1099511627776 announced, of 12 bytes or more each/,
  ],
  [
    'a string of 2^64 - 1 bytes',
    (file) =>
      file
        .text('k')
        .u32(8)
        .u64(2n ** 64n - 1n),
    'EOF',
    /the value of "k" needs 18446744073709552000 bytes/,
  ],
])('%s is refused', async (_what, write, code, detail) => {
  await expect(read(write)).rejects.toMatchObject({ code, detail: expect.stringMatching(detail) as unknown })
})

test('a key of 65,535 bytes is read and written', async () => {
  const bytes = buildGguf([{ key: 'k'.repeat(65_535), type: 'uint8', value: 1 }])
  expect(await written(bytes)).toEqual(bytes)
})

test('a key that stands twice is refused where it stands', async () => {
  const twice: readonly GgufKeyValue[] = [
    { key: 'a', type: 'uint8', value: 1 },
    { key: 'a', type: 'uint8', value: 1 },
  ]
  await expect(openGguf(memorySource(buildGguf(twice)))).rejects.toMatchObject({
    code: 'TYPE',
    offset: 24 + 8 + 1 + 4 + 1,
    detail: 'the key "a" stands twice',
  })
})

test('keys that mean something to JavaScript are keys like others', async () => {
  const bytes = buildGguf([
    { key: '__proto__', type: 'uint8', value: 1 },
    { key: 'constructor', type: 'string', value: 'x' },
    { key: '', type: 'bool', value: true },
    { key: '7', type: 'int8', value: 7 },
  ])
  expect(await written(bytes)).toEqual(bytes)
})

test('the key under which Kiln keeps types is reported where a file has its own', async () => {
  const model = await openGguf(
    memorySource(
      buildGguf([
        { key: 'gguf:types', type: 'string', value: '{"n":"uint8"}' },
        { key: 'n', type: 'string', value: '7' },
      ]),
    ),
  )
  expect([...model.metadata]).toEqual([['n', '7']])
  expect(model.omitted).toEqual([
    { name: 'key gguf:types', reason: "under this key a Kiln file keeps the other keys' types" },
  ])
})

test('every prefix of a file is refused as cut short', async () => {
  const bytes = buildGguf(
    [...scalars, ...arrays.map((value): GgufKeyValue => ({ key: 'k', type: 'array', value }))].map((keyValue, i) => ({
      ...keyValue,
      key: `k${i}`,
    })),
    [{ name: 't', ne: [3], type: 0, offset: 0, payload: new Uint8Array(12).fill(1) }],
  )
  const whole = await openGguf(memorySource(bytes))
  expect(whole.tensors).toHaveLength(1)
  const needed = whole.dataStart! + 12
  // Shorter than the magic it is taken for text.
  for (let length = 4; length < needed; length++) {
    await expect(openGguf(memorySource(bytes.subarray(0, length)))).rejects.toMatchObject({ code: 'EOF' })
  }
  for (let length = needed; length < bytes.length; length++) {
    await expect(openGguf(memorySource(bytes.subarray(0, length)))).resolves.toMatchObject({ omitted: [] })
  }
})
