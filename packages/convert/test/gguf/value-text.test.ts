import { isKilnError } from 'kiln-format'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import { metadataOf, keyValuesOf } from '../../src/gguf/metadata.js'
import { parseValue, valueText } from '../../src/gguf/value-text.js'
import type { GgufArray, GgufKeyValue, GgufValue } from '../../src/gguf/value-types.js'
import { writeGguf } from '../../src/gguf/write.js'
import { memorySource, MemorySink } from '../support/memory.js'
import { buildGguf } from './build.js'

test.each<[GgufValue, string]>([
  [{ type: 'string', value: 'true' }, 'true'],
  [{ type: 'uint32', value: 7 }, '7'],
  [{ type: 'int64', value: -9_007_199_254_740_993n }, '-9007199254740993'],
  [{ type: 'bool', value: false }, 'false'],
  [{ type: 'float32', value: Math.fround(0.1) }, '0.1'],
  [{ type: 'float32', value: Math.fround(1e-5) }, '0.00001'],
  [{ type: 'float32', value: 16_777_216 }, '16777216'],
  [{ type: 'float32', value: Math.fround(3.4028234663852886e38) }, '3.4028234663852886e+38'],
  [{ type: 'float32', value: -0 }, '-0'],
  [{ type: 'float64', value: 0.1 }, '0.1'],
  [{ type: 'float64', value: 1e300 }, '1e+300'],
  [{ type: 'float64', value: Infinity }, 'inf'],
  [{ type: 'float32', value: NaN }, 'nan'],
  [{ type: 'float32', value: NaN, bits: 0x7f800001n }, 'nan:7f800001'],
  [{ type: 'array', value: { itemType: 'int16', items: Int16Array.of(-1, 2) } }, '[-1,2]'],
  [
    { type: 'array', value: { itemType: 'uint64', items: BigUint64Array.of(1n, 2n ** 63n) } },
    '["1","9223372036854775808"]',
  ],
  [
    { type: 'array', value: { itemType: 'float32', items: Float32Array.of(0.1, -0, Infinity, NaN) } },
    '[0.1,-0,"inf","nan"]',
  ],
  [{ type: 'array', value: { itemType: 'string', items: ['a', '"'] } }, '["a","\\""]'],
  [
    {
      type: 'array',
      value: {
        itemType: 'array',
        items: [
          { itemType: 'int32', items: Int32Array.of(1) },
          { itemType: 'bool', items: [true] },
        ],
      },
    },
    '[{"int32":[1]},{"bool":[true]}]',
  ],
])('%o as text', (value, text) => {
  expect(valueText(value)).toBe(text)
  const type = value.type === 'array' ? `${value.value.itemType}[]` : value.type
  const { bits: _bits, ...plain } = { bits: undefined, ...parseValue(type, text, 'it') }
  const { bits: _own, ...own } = { bits: undefined, ...value }
  expect(plain).toEqual(own)
})

test.each([
  ['bool', 'yes', /it is "yes"; a bool is true or false/],
  ['uint8', '256', /it is "256"; uint8 is an integer from 0 to 255/],
  ['uint8', '-1', /from 0 to 255/],
  ['int8', '-129', /from -128 to 127/],
  ['uint64', '18446744073709551616', /from 0 to 18446744073709551615/],
  ['int32', '1.0', /it is "1.0"; int32 is an integer/],
  ['int32', '', /int32 is an integer/],
  ['int32', ' 1', /int32 is an integer/],
  ['int32', '0x10', /int32 is an integer/],
  ['int64', '9'.repeat(100_000), /int64 is an integer/],
  ['float32', 'Infinity', /"Infinity", which is no float32/],
  ['float32', '1e39', /1e39, out of range for float32; write inf if that is meant/],
  ['float64', '1e400', /out of range for float64/],
  ['float64', '0x1p3', /which is no float64/],
  ['float64', 'nan:7ff0000000000000', /these are not the bits of a NaN of type float64/],
  ['float32', 'nan:17fc00000', /these are not the bits of a NaN of type float32/],
  ['float32', 'nan:', /no float32/],
  ['int128', '1', /has the type "int128", which GGUF has not/],
  ['array', '[]', /has the type "array", which GGUF has not/],
  ['int128[]', '[]', /has the type "int128\[\]", which GGUF has not/],
  ['uint8[]', '[1', /its text is not JSON/],
  ['uint8[]', '{"a":1}', /its text is no JSON array/],
  ['uint8[]', '[256]', /item 0 of it is "256"; uint8 is an integer from 0 to 255/],
  ['uint8[]', '[null]', /item 0 of it is null, which is no uint8/],
  ['uint8[]', '[[1]]', /item 0 of it is \[1\], which is no uint8/],
  ['int64[]', '[9007199254740993]', /item 0 of it is 9007199254740992, which is no int64/],
  ['bool[]', '[1]', /item 0 of it is 1, which is no bool/],
  ['string[]', '["a",null]', /item 1 of it is null, which is no string/],
  ['float32[]', '[1e39]', /out of range for float32/],
  ['float64[]', '[1e999]', /which is no float64/],
  ['array[]', '[[1]]', /item 0 of it is no array with its item type, such as/],
  ['array[]', '[{"int32":[1],"int8":[2]}]', /is no array with its item type/],
  ['array[]', '[{"int128":[1]}]', /is no array with its item type/],
  ['array[]', '[{"int32":1}]', /its text is no JSON array/],
])('the text of type %s is refused: %s', (type, text, detail) => {
  let error: unknown
  try {
    parseValue(type, text, 'it')
  } catch (caught) {
    error = caught
  }
  expect(isKilnError(error) && error.code).toBe('TYPE')
  expect(error).toMatchObject({ detail: expect.stringMatching(detail) as unknown })
})

test('arrays nested too deep in text are refused', () => {
  const text = (depth: number): string => '[{"array":'.repeat(depth - 1) + '[]' + '}]'.repeat(depth - 1)
  expect(parseValue('array[]', text(64), 'it').type).toBe('array')
  expect(() => parseValue('array[]', text(65), 'it')).toThrow(/nests arrays more than 64 deep/)
  // So deep that JSON.parse itself may give up.
  expect(() => parseValue('array[]', '['.repeat(1_000_000), 'it')).toThrow(/not JSON|more than 64 deep/)
})

test.each([
  ['no JSON', '{'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a type that is no string', '{"a":1}'],
  ['a type that there is none of', '{"a":"int128"}'],
])('types under gguf:types that are %s are refused', (_what, types) => {
  expect(() => [
    ...keyValuesOf(
      new Map([
        ['a', '1'],
        ['gguf:types', types],
      ]),
    ),
  ]).toThrow(/^TYPE/)
})

test('keys can be added, changed and removed in the metadata', () => {
  const metadata = metadataOf([
    { key: 'a', type: 'uint8', value: 1 },
    { key: 'b', type: 'float32', value: 2 },
    { key: 'c', type: 'string', value: 'x' },
  ])
  expect([...metadata]).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['c', 'x'],
    ['gguf:types', '{"a":"uint8","b":"float32"}'],
  ])
  metadata.delete('b')
  metadata.set('a', '200')
  metadata.set('d', '7')
  expect([...keyValuesOf(metadata)]).toEqual([
    { key: 'a', type: 'uint8', value: 200 },
    { key: 'c', type: 'string', value: 'x' },
    { key: 'd', type: 'string', value: '7' },
  ])
})

const floats = (bytes: 4 | 8): fc.Arbitrary<Uint8Array> =>
  fc
    .uint8Array({ minLength: 0, maxLength: 6 * bytes })
    .map((array) => array.slice(0, array.length - (array.length % bytes)))
const text = fc.string({ unit: 'grapheme', maxLength: 12 })

const array: fc.Arbitrary<GgufArray> = fc.letrec<{ array: GgufArray }>((tie) => ({
  array: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array().map((items): GgufArray => ({ itemType: 'uint8', items })),
    fc.int8Array().map((items): GgufArray => ({ itemType: 'int8', items })),
    fc.uint16Array().map((items): GgufArray => ({ itemType: 'uint16', items })),
    fc.int16Array().map((items): GgufArray => ({ itemType: 'int16', items })),
    fc.uint32Array().map((items): GgufArray => ({ itemType: 'uint32', items })),
    fc.int32Array().map((items): GgufArray => ({ itemType: 'int32', items })),
    fc.bigUint64Array().map((items): GgufArray => ({ itemType: 'uint64', items })),
    fc.bigInt64Array().map((items): GgufArray => ({ itemType: 'int64', items })),
    // From bytes, so that NaNs of every kind are among them.
    floats(4).map((bytes): GgufArray => ({ itemType: 'float32', items: new Float32Array(bytes.slice().buffer) })),
    floats(8).map((bytes): GgufArray => ({ itemType: 'float64', items: new Float64Array(bytes.slice().buffer) })),
    fc.array(fc.boolean()).map((items): GgufArray => ({ itemType: 'bool', items })),
    fc.array(text).map((items): GgufArray => ({ itemType: 'string', items })),
    fc.array(tie('array'), { maxLength: 4 }).map((items): GgufArray => ({ itemType: 'array', items })),
  ),
})).array

const value: fc.Arbitrary<GgufValue> = fc.oneof(
  fc.nat(255).map((n): GgufValue => ({ type: 'uint8', value: n })),
  fc.integer({ min: -32_768, max: 32_767 }).map((n): GgufValue => ({ type: 'int16', value: n })),
  fc.integer().map((n): GgufValue => ({ type: 'int32', value: n })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((n): GgufValue => ({ type: 'uint64', value: n })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n): GgufValue => ({ type: 'int64', value: n })),
  fc.float({ noNaN: true }).map((n): GgufValue => ({ type: 'float32', value: n })),
  fc.double({ noNaN: true }).map((n): GgufValue => ({ type: 'float64', value: n })),
  fc.boolean().map((b): GgufValue => ({ type: 'bool', value: b })),
  text.map((s): GgufValue => ({ type: 'string', value: s })),
  array.map((a): GgufValue => ({ type: 'array', value: a })),
)

const keyValues: fc.Arbitrary<GgufKeyValue[]> = fc
  .uniqueArray(
    text.filter((key) => key !== 'gguf:types' && key !== 'general.alignment'),
    { maxLength: 5 },
  )
  .chain((keys) => fc.tuple(...keys.map((key) => value.map((v): GgufKeyValue => ({ key, ...v })))))

test('any key-values come back from their text with types and bits', async () => {
  await fc.assert(
    fc.asyncProperty(keyValues, async (list) => {
      const sink = new MemorySink()
      await writeGguf({ tensors: [], metadata: metadataOf(list) }, sink)
      const model = await openGguf(memorySource(sink.bytes))
      expect(model.keyValues).toEqual(list)
      expect(sink.bytes).toEqual(buildGguf(list.map((keyValue) => keyValue)))
      const again = new MemorySink()
      await writeGguf({ tensors: [], metadata: model.metadata }, again)
      expect(again.bytes).toEqual(sink.bytes)
    }),
    { seed: 20_261_130, numRuns: 500 },
  )
})
