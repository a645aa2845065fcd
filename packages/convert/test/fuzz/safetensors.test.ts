import { folderOf, openSafetensors, openSafetensorsSet, writeSafetensors, type ForeignModel } from 'kiln-convert'
import { expect, test } from 'vitest'
import { hex, utf8 } from '../support/bytes.js'
import { fixturesOf } from '../support/fixtures.js'
import { jsonMutations } from '../support/json-mutations.js'
import { memorySource, MemorySink } from '../support/memory.js'
import { contents } from '../support/model.js'
import { fuzz, fuzzLine, FUZZ_RUNS, mutated } from '../support/mutations.js'
import { safetensors } from '../support/safetensors.js'

const made = safetensors(
  '{"__metadata__":{"format":"pt","é":"\\u0000"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},' +
    '"n":{"dtype":"F4","shape":[4],"data_offsets":[8,10]},"e":{"dtype":"I64","shape":[0],"data_offsets":[10,10]}}  ',
  hex('0000803f 00000040 1234'),
)

const headerOf = jsonMutations((bytes) => {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  return [8, 8 + length]
})

/** Reads all of a model; payloads of one file never lie over each other. */
async function readAll(model: ForeignModel, most: number): Promise<void> {
  let total = 0
  for (const [, , , payload] of await contents(model)) total += payload.length / 2
  expect(total).toBeLessThanOrEqual(most)
}

test(`${FUZZ_RUNS} damaged safetensors files end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const seeds = [
    made,
    ...fixturesOf('safetensors').flatMap(({ bytes, expect: wanted, file }) =>
      wanted !== undefined && file.endsWith('.safetensors') && bytes.length < 8000 ? [bytes] : [],
    ),
  ]
  const result = await fuzz(
    seeds,
    async (bytes) => {
      const model = await openSafetensors(memorySource(bytes))
      await readAll(model, bytes.length)
      // What was read can be written, and read again as the same.
      const sink = new MemorySink()
      await writeSafetensors(model, sink)
      const again = await openSafetensors(memorySource(sink.bytes))
      const sorted = async (from: ForeignModel) => [...(await contents(from))].sort(([a], [b]) => (a < b ? -1 : 1))
      expect(await sorted(again)).toEqual(await sorted(model))
      expect([...again.metadata]).toEqual([...model.metadata])
    },
    (bytes, random) => (random(3) === 0 ? mutated(bytes, random) : headerOf(bytes, random)),
  )
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('safetensors', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(5)
  expect(result.mostBuffers).toBeLessThan(2 ** 23)
})

test(`${FUZZ_RUNS} damaged indexes of a set end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const shard = (name: string): Uint8Array => safetensors({ [name]: { dtype: 'U8', shape: [1], data_offsets: [0, 1] } }, hex('01'))
  const shards: [string, Uint8Array][] = [['m-00001-of-00002.safetensors', shard('a')], ['m-00002-of-00002.safetensors', shard('b')]]
  const index = utf8(
    '{"metadata":{"total_size":2,"by":[1,{"x":null}]},"weight_map":{"a":"m-00001-of-00002.safetensors","b":"m-00002-of-00002.safetensors"}}',
  )
  const result = await fuzz(
    [index],
    async (bytes) => {
      const files: [string, Uint8Array][] = [...shards, ['m.safetensors.index.json', bytes]]
      const folder = folderOf(files.map(([name, file]) => [name, memorySource(file, name)]))
      await readAll(await openSafetensorsSet(folder, 'm.safetensors.index.json'), 2)
    },
    jsonMutations((bytes) => [0, bytes.length]),
  )
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('safetensors index', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(4)
  expect(result.mostBuffers).toBeLessThan(2 ** 23)
})
