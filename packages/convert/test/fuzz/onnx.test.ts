import { folderOf, openOnnx, openTensorProto, type ForeignModel } from 'kiln-convert'
import { expect, test } from 'vitest'
import { concat, hex, utf8 } from '../support/bytes.js'
import { fixturesOf } from '../support/fixtures.js'
import { memorySource } from '../support/memory.js'
import { contents } from '../support/model.js'
import { fuzz, fuzzLine, FUZZ_RUNS } from '../support/mutations.js'
import { external, field, fixed, initializer, int, modelProto, packed, tensorProto } from '../support/protobuf.js'

const raw = (name: string): Uint8Array => tensorProto([2, 2], 2, name, field(9, hex('01020304')))
const tensors = [
  raw('raw'),
  tensorProto([3], 1, 'floats', field(4, new Uint8Array(12)), field(12, 'doc')),
  tensorProto([1], 11, 'double', fixed(10, new Uint8Array(8))),
  tensorProto([5], 21, 'u4', packed(5, [0x21, 0x43, 0x05])),
  tensorProto([2], 7, 'longs', int(7, -1), packed(7, [2 ** 40])),
  tensorProto([2], 13, 'ulongs', packed(11, [1, 2n ** 64n - 1n])),
  tensorProto([4], 2, 'ext', external({ location: 'w.bin', offset: '4', length: '4' })),
]
const folder = folderOf([['w.bin', memorySource(new Uint8Array(16))]])

/** Two tensors may have the same bytes of external data, so only each is bounded, by the files that there are. */
async function readAll(model: ForeignModel, most: number): Promise<void> {
  for (const [, , , payload] of await contents(model)) expect(payload.length / 2).toBeLessThanOrEqual(most)
  await model.close()
}

test(`${FUZZ_RUNS} damaged ONNX models end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const node = field(1, field(4, 'If'), field(5, field(1, 'then_branch'), field(6, initializer(raw('inner')))))
  const sparse = field(15, field(1, raw('sparse')), field(2, tensorProto([1], 7, '', field(9, new Uint8Array(8)))))
  const constant = field(1, field(5, field(1, 'value'), field(5, raw('constant'))))
  const seeds = [
    modelProto(...tensors.map(initializer), node, sparse, constant),
    ...tensors.map((tensor) => modelProto(initializer(tensor))),
    concat(modelProto(), field(14, field(1, 'k'), field(2, 'v')), field(20, field(1, initializer(raw('t')))), field(25, node)),
    ...fixturesOf('onnx').flatMap(({ bytes, expect: wanted }) => (wanted !== undefined && bytes.length < 3000 ? [bytes] : [])),
  ]
  const result = await fuzz(seeds, async (bytes) => {
    // An entry of a packed list takes a byte, and up to eight when it is narrowed to its dtype.
    await readAll(await openOnnx(memorySource(bytes), folder, { subgraphs: bytes.length % 2 === 0 }), 8 * bytes.length + 16)
  })
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('onnx', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(4)
  expect(result.mostBuffers).toBeLessThan(2 ** 23)
})

test(`${FUZZ_RUNS} damaged ONNX tensors end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const seeds = [...tensors, ...fixturesOf('onnx-tensorproto').map(({ bytes }) => bytes), concat(tensors[3]!, utf8('x'))]
  const result = await fuzz(seeds, async (bytes) => {
    await readAll(await openTensorProto(memorySource(bytes), folder), 8 * bytes.length + 16)
  })
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('tensorproto', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(4)
  expect(result.mostBuffers).toBeLessThan(2 ** 23)
})
