import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import { writeGguf } from '../../src/gguf/write.js'
import type { GgufKeyValue } from '../../src/gguf/value-types.js'
import { fixturesOf } from '../support/fixtures.js'
import { memorySource, MemorySink } from '../support/memory.js'
import { fuzz, fuzzLine, FUZZ_RUNS } from '../support/mutations.js'
import { buildGguf } from './build.js'

const keyValues: readonly GgufKeyValue[] = [
  { key: 'general.architecture', type: 'string', value: 'test' },
  { key: 'general.alignment', type: 'uint32', value: 32 },
  { key: 'n', type: 'int64', value: -1n },
  { key: 'f', type: 'float32', value: 0.5 },
  { key: 'tokens', type: 'array', value: { itemType: 'string', items: ['a', 'ß', ''] } },
  { key: 'scores', type: 'array', value: { itemType: 'float64', items: Float64Array.of(1, 2) } },
  { key: 'flags', type: 'array', value: { itemType: 'bool', items: [true, false] } },
  {
    key: 'deep',
    type: 'array',
    value: {
      itemType: 'array',
      items: [{ itemType: 'array', items: [{ itemType: 'uint8', items: Uint8Array.of(1) }] }],
    },
  },
  { key: 'split.count', type: 'uint16', value: 1 },
]
const tensors = [
  { name: 'a', ne: [3, 2], type: 0, offset: 0, payload: new Uint8Array(24).fill(1) },
  { name: 'b', ne: [32], type: 2, offset: 32, payload: new Uint8Array(18).fill(2) },
  { name: 'c', ne: [], type: 28, offset: 64, payload: new Uint8Array(8).fill(3) },
]

test(`${FUZZ_RUNS} damaged files end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const seeds = [
    buildGguf(keyValues, tensors),
    buildGguf(keyValues, tensors, { littleEndian: false }),
    buildGguf(keyValues.slice(4), tensors, { version: 2 }),
    buildGguf(keyValues.slice(4), tensors, { version: 1 }),
    ...fixturesOf('gguf')
      .map(({ bytes }) => bytes)
      .filter(({ length }) => length < 11_000),
  ]
  const result = await fuzz(seeds, async (bytes) => {
    const source = memorySource(bytes)
    const model = await openGguf(source, { version1: true, alone: true })
    let total = 0
    for (const tensor of model.tensors) {
      let length = 0
      for await (const piece of tensor.chunks()) length += piece.length
      expect(length).toBe(tensor.byteLength)
      total += length
    }
    // No payload lies over another, so together they are no more than the file.
    expect(total).toBeLessThanOrEqual(bytes.length)
    // And what was read can be written, and read again as the same.
    const sink = new MemorySink()
    await writeGguf(model, sink)
    const again = await openGguf(memorySource(sink.bytes), { alone: true })
    expect(again.keyValues).toEqual(model.keyValues.filter(({ key }) => key !== 'gguf:types'))
    expect(again.tensors.map(({ name, dtype, shape }) => [name, dtype, shape])).toEqual(
      model.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
    )
  })
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('gguf', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(4)
  // Inputs are of some KiB; what is read at once, written and compared is a small multiple of that.
  expect(result.mostBuffers).toBeLessThan(2 ** 23)
  expect(result.mostHeap).toBeLessThan(2 ** 26)
})
