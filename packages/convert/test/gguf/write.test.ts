import { decodeFrame, encodeFrame, k, tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import { writeGguf } from '../../src/gguf/write.js'
import type { ForeignTensor } from '../../src/model.js'
import { fixturesOf, hasFixtures, sha256 } from '../support/fixtures.js'
import { memorySource, MemorySink, memoryTensor, payload } from '../support/memory.js'
import { buildGguf } from './build.js'

const four = memoryTensor('t', 'f32', [1], Uint8Array.of(1, 2, 3, 4))

test('a file is written to the byte', async () => {
  const sink = new MemorySink()
  const metadata = new Map([
    ['general.architecture', 'test'],
    ['n', '5'],
    ['general.alignment', '64'],
    ['gguf:types', '{"n":"uint16","general.alignment":"uint32"}'],
  ])
  const tensors = [
    four,
    memoryTensor('m', 'ggml_q8_0', [2, 32], new Uint8Array(68).fill(9)),
    memoryTensor('none', 'i8', [0, 3], new Uint8Array(0)),
  ]
  const size = await writeGguf({ tensors, metadata }, sink)
  const expected = buildGguf(
    [
      { key: 'general.architecture', type: 'string', value: 'test' },
      { key: 'n', type: 'uint16', value: 5 },
      { key: 'general.alignment', type: 'uint32', value: 64 },
    ],
    [
      { name: 't', ne: [1], type: 0, offset: 0, payload: Uint8Array.of(1, 2, 3, 4) },
      { name: 'm', ne: [32, 2], type: 8, offset: 64, payload: new Uint8Array(68).fill(9) },
      { name: 'none', ne: [3, 0], type: 24, offset: 192, payload: new Uint8Array(0) },
    ],
    { alignment: 64 },
  )
  expect(sink.bytes).toEqual(expected)
  expect(size).toBe(expected.length)
})

test('a model without tensors and metadata is a head of 32 bytes', async () => {
  const sink = new MemorySink()
  expect(await writeGguf({ tensors: [] }, sink)).toBe(32)
  expect(sink.bytes).toEqual(buildGguf([]))
})

test.each<[string, readonly ForeignTensor[], ReadonlyMap<string, string>, string, RegExp]>([
  [
    'a dtype that GGUF has not',
    [memoryTensor('t', 'u8', [1], Uint8Array.of(1))],
    new Map(),
    'TYPE',
    /tensor "t" is u8, which GGUF has no type for/,
  ],
  [
    'five dimensions',
    [memoryTensor('t', 'i8', [1, 1, 1, 1, 1], Uint8Array.of(1))],
    new Map(),
    'TYPE',
    /has 5 dimensions; GGUF has at most 4/,
  ],
  [
    'a name of 64 bytes',
    [memoryTensor('ä'.repeat(32), 'i8', [1], Uint8Array.of(1))],
    new Map(),
    'TYPE',
    /has 64 bytes; readers of GGUF take at most 63/,
  ],
  [
    'a name with half a pair',
    [memoryTensor('\ud800', 'i8', [1], Uint8Array.of(1))],
    new Map(),
    'UTF8',
    /lone surrogate/,
  ],
  ['a name twice', [four, four], new Map(), 'TYPE', /tensor "t" is there twice/],
  [
    'bytes that are too few',
    [memoryTensor('t', 'f32', [2], new Uint8Array(4))],
    new Map(),
    'TYPE',
    /f32 of shape \[2\] needs 8 bytes, and it says that it has 4/,
  ],
  [
    'half a block',
    [memoryTensor('t', 'ggml_q4_0', [2, 16], new Uint8Array(18))],
    new Map(),
    'TYPE',
    /not of whole blocks of 32, as ggml_q4_0 needs/,
  ],
  [
    'a dimension that is none',
    [memoryTensor('t', 'i8', [0.5, 2], new Uint8Array(1))],
    new Map(),
    'TYPE',
    /not of whole numbers/,
  ],
  ['a key that is too long', [four], new Map([['k'.repeat(65_536), '']]), 'LIMIT', /longer than the 65535 bytes/],
  ['a key with half a pair', [four], new Map([['\udc00', '']]), 'UTF8', /lone surrogate/],
  ['a value with half a pair', [four], new Map([['k', '\udc00']]), 'UTF8', /lone surrogate/],
  ['an alignment that is a string', [four], new Map([['general.alignment', '32']]), 'TYPE', /must be of type uint32/],
  [
    'a text that is not of its type',
    [four],
    new Map([
      ['k', 'x'],
      ['gguf:types', '{"k":"bool"}'],
    ]),
    'TYPE',
    /metadata "k" is "x"; a bool is/,
  ],
])('%s is refused before anything is written', async (_what, tensors, metadata, code, detail) => {
  const sink = new MemorySink()
  await expect(writeGguf({ tensors, metadata }, sink)).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
  expect(sink.pieces).toEqual([])
  expect(sink.ended).toBe('aborted')
})

test.each([3, 5])('a tensor that gives %i bytes in place of 4 aborts the file', async (length) => {
  const sink = new MemorySink()
  const wrong = { ...memoryTensor('t', 'f32', [1], new Uint8Array(length)), byteLength: 4 }
  await expect(writeGguf({ tensors: [wrong] }, sink)).rejects.toMatchObject({ code: 'TYPE' })
  expect(sink.ended).toBe('aborted')
})

test('a signal ends writing, and the file with it', async () => {
  const controller = new AbortController()
  const sink = new MemorySink()
  const stopping: ForeignTensor = {
    ...four,
    async *chunks() {
      controller.abort(new Error('enough'))
      yield Uint8Array.of(1, 2, 3, 4)
    },
  }
  await expect(writeGguf({ tensors: [stopping] }, sink, { signal: controller.signal })).rejects.toThrow('enough')
  expect(sink.ended).toBe('aborted')
})

const Model = k.struct({ tensors: k.tensors, metadata: k.dict(k.string, k.string) })

for (const { file, bytes, expect: expected } of fixturesOf('gguf')) {
  // Those that are whole and in the writer's form.
  if (expected === undefined || expected.length === 0 || file.includes('split')) continue
  test.skipIf(!hasFixtures)(`${file} through a Kiln file and back is the same bytes`, async () => {
    const model = await openGguf(memorySource(bytes), { alone: true })
    const inputs = []
    for (const t of model.tensors) inputs.push(tensor(t.name, t.dtype, t.shape, await payload(t)))
    const frame = encodeFrame(Model, { tensors: inputs, metadata: model.metadata }, { schema: true, checksum: true })
    const { value } = decodeFrame(frame, Model)
    const tensors = [...value.tensors].map((t) => memoryTensor(t.name, t.dtype, t.shape, t.bytes))
    const sink = new MemorySink()
    await writeGguf({ tensors, metadata: value.metadata }, sink)
    expect(sha256(sink.bytes)).toBe(sha256(bytes))
  })
}
