import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import { openGgufSet } from '../../src/gguf/open-set.js'
import { writeGguf } from '../../src/gguf/write.js'
import { writeGgufSet } from '../../src/gguf/write-set.js'
import type { GgufArray, GgufKeyValue } from '../../src/gguf/value-types.js'
import { folderOf } from '../../src/paths/memory-folder.js'
import { fixturesOf, hasFixtures, sha256 } from '../support/fixtures.js'
import { memorySource, MemorySink, payload } from '../support/memory.js'
import { Builder } from './build.js'

const fixtures = fixturesOf('gguf')

test.skipIf(!hasFixtures)('the folder is not empty', () => {
  expect(fixtures.length).toBe(23)
})

// What a malformed file is refused for: the fault that its manifest names.
const REFUSED: Readonly<Record<string, readonly [code: string, word: RegExp]>> = {
  'bitnet/mini.gguf': ['LIMIT', /key 0 has 962072674336 bytes; at most 65535 are allowed/],
  'gguf-rs/test-be-v3.gguf': ['TYPE', /the key "general.architecture" stands twice/],
  'gguf-rs/test-le-v3-duplicate-key.gguf': ['TYPE', /the key "general.architecture" stands twice/],
  'quantized/bad-dimensions-overflow.gguf': [
    'EOF',
    /"token_embd.weight" of shape \[1099511627776, 1099511627776\] needs \d{24} bytes/,
  ],
  'quantized/bad-five-dimensions.gguf': ['TYPE', /"blk.0.ffn_up.weight" has 5 dimensions; GGUF has at most 4/],
  'quantized/bad-offset-misaligned.gguf': [
    'TYPE',
    /"blk.0.attn_k.weight" lies at offset \d+, no multiple of the alignment 32/,
  ],
  'quantized/bad-offset-past-end.gguf': ['EOF', /ends at byte \d+, and the file at 6240/],
  'quantized/bad-overlap.gguf': ['TYPE', /"blk.0.attn_v.weight" begins inside tensor "blk.0.attn_k.weight"/],
  'quantized/bad-string-length.gguf': ['EOF', /the value of "kiln.scalar.string" needs 10369 bytes/],
  'quantized/bad-tensor-count.gguf': ['LIMIT', /9223372036854776000 tensors announced/],
  'quantized/bad-type-99.gguf': ['TYPE', /"blk.0.attn_k.weight" is of ggml's type 99, which is not known/],
}

for (const { file, bytes, note, expect: expected, meta } of fixtures) {
  if (expected === undefined || meta === undefined) {
    test(`${file} is refused: ${note}`, async () => {
      const [code, word] = REFUSED[file]!
      await expect(openGguf(memorySource(bytes))).rejects.toMatchObject({
        code,
        detail: expect.stringMatching(word) as unknown,
      })
    })
    continue
  }
  const version1 = meta['version'] === 1

  test(`${file} gives what is expected`, async () => {
    const model = await openGguf(memorySource(bytes), { alone: true, version1 })
    expect(model.omitted).toEqual([])
    const found = []
    for (const tensor of model.tensors) {
      found.push({
        name: tensor.name,
        dtype: tensor.dtype.replace('ggml_', ''),
        shape: tensor.shape,
        byte_length: tensor.byteLength,
        sha256: sha256(await payload(tensor)),
        native_dtype: tensor.ggmlType,
        ne: [...tensor.shape].reverse(),
        offset: tensor.offset,
      })
    }
    expect(found).toEqual(expected.map((tensor) => ({ ...tensor, dtype: tensor.dtype.replace(/^ggml_/, '') })))
    expect({
      version: model.version,
      alignment: model.alignment,
      data_start: model.dataStart ?? null,
      kv: model.keyValues.map((keyValue) => asExpected(keyValue, version1 ? 1 : 3)),
    }).toEqual(meta)
  })

  test(`${file} comes back the same from Kiln's tensors and metadata`, async () => {
    const model = await openGguf(memorySource(bytes), { alone: true, version1 })
    const sink = new MemorySink()
    const size = await writeGguf({ tensors: model.tensors, metadata: new Map(model.metadata) }, sink)
    expect(sink.ended).toBe('closed')
    expect(sink.bytes.length).toBe(size)
    const again = await openGguf(memorySource(sink.bytes), { alone: true })
    expect(again.omitted).toEqual([])
    expect(again.keyValues).toEqual(model.keyValues)
    expect(again.tensors.map(({ name, dtype, shape }) => [name, dtype, shape])).toEqual(
      model.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
    )
    for (const [i, tensor] of again.tensors.entries()) expect(sha256(await payload(tensor))).toBe(expected[i]!.sha256)
    const same = sha256(sink.bytes) === sha256(bytes)
    expect(same).toBe(!OTHER_FORM.has(file))
  })
}

/** Not in the writer's form: version 1, and files that end without the padding of their head. */
const OTHER_FORM = new Set([
  'llama/ggml-vocab-llama.v1.gguf',
  'bitnet/gpt2-50k.gguf',
  'llama/ggml-vocab-llama-spm.gguf',
])

test.skipIf(!hasFixtures)('version 1 is refused with what to do, unless it is asked for', async () => {
  const { bytes } = fixtures.find(({ file }) => file === 'llama/ggml-vocab-llama.v1.gguf')!
  await expect(openGguf(memorySource(bytes, 'old.gguf'))).rejects.toMatchObject({
    code: 'FRAME',
    detail:
      'old.gguf is of GGUF version 1, which was given up in 2023: ' +
      'convert the model anew, or read it as it is with the option version1',
  })
})

for (const [set, count, shardSize] of [
  ['docker-split/dummy', 2, undefined],
  ['quantized/fp4-ternary', 2, 1536],
] as const) {
  test.skipIf(!hasFixtures)(`the set ${set} opens as one model, by any of its files`, async () => {
    const names = Array.from({ length: count }, (_, i) => `${set}-0000${i + 1}-of-0000${count}.gguf`)
    const files = names.map((name) => fixtures.find(({ file }) => file === name)!)
    const plain = (name: string): string => name.slice(name.indexOf('/') + 1)
    const folder = folderOf(files.map(({ file, bytes }) => [plain(file), memorySource(bytes)] as const))
    for (const name of names) {
      const model = await openGgufSet(folder, plain(name))
      expect(model.tensors.map((tensor) => tensor.name)).toEqual(
        files.flatMap(({ expect: e }) => e!.map((tensor) => tensor.name)),
      )
      const first = files[0]!.meta!['kv'] as readonly { readonly key: string }[]
      expect(model.keyValues.map(({ key }) => key)).toEqual(
        first.map(({ key }) => key).filter((key) => !key.startsWith('split.')),
      )
      expect(model.omitted).toEqual([])
      for (const tensor of model.tensors) {
        const expected = files.flatMap(({ expect: e }) => e!).find((e) => e.name === tensor.name)!
        expect(sha256(await payload(tensor))).toBe(expected.sha256)
      }
      await model.close()
      if (shardSize === undefined) continue
      const sinks = new Map<string, MemorySink>()
      const written = await writeGgufSet(
        model,
        (file) => {
          const sink = new MemorySink()
          sinks.set(file, sink)
          return Promise.resolve(sink)
        },
        { shardSize, name: plain(set) },
      )
      expect(written.files).toEqual(names.map(plain))
      expect([...sinks].map(([file, sink]) => [file, sink.ended, sha256(sink.bytes)])).toEqual(
        files.map(({ file, bytes }) => [plain(file), 'closed', sha256(bytes)]),
      )
    }
    await expect(openGguf(memorySource(files[0]!.bytes))).rejects.toMatchObject({
      code: 'TYPE',
      detail: 'this is file 1 of a split set of 2: open the set by its folder, or this file with the option alone',
    })
  })
}

function asExpected({ key, ...value }: GgufKeyValue, version: number): unknown {
  if (value.type !== 'array') return { key, type: value.type, value: scalarAsExpected(value.value) }
  return { key, type: 'array', value: arrayAsExpected(value.value, version) }
}

function arrayAsExpected(array: GgufArray, version: number): unknown {
  const first: unknown[] =
    array.itemType === 'array'
      ? array.items.slice(0, 4).map((item) => arrayAsExpected(item, version))
      : Array.from(array.items.slice(0, 4), scalarAsExpected)
  return {
    item_type: array.itemType,
    length: array.items.length,
    first,
    sha256_of_items: sha256(new Builder({ version }).items(array).done()),
  }
}

/** The expectations have floats that JSON has not as words, and integers as bigints where they are long. */
function scalarAsExpected(value: number | bigint | boolean | string): unknown {
  if (typeof value === 'bigint') return Math.abs(Number(value)) < 1e15 ? Number(value) : value
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  return value
}
