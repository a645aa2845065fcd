import { folderOf, openTfjs } from 'kiln-convert'
import { expect, test } from 'vitest'
import { utf8 } from '../support/bytes.js'
import { jsonMutations } from '../support/json-mutations.js'
import { memorySource } from '../support/memory.js'
import { contents } from '../support/model.js'
import { fuzz, fuzzLine, FUZZ_RUNS } from '../support/mutations.js'

test(`${FUZZ_RUNS} damaged TensorFlow.js manifests end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const weights = [
    { name: 'a', dtype: 'float32', shape: [2, 1] },
    { name: 'q', dtype: 'float32', shape: [3], quantization: { dtype: 'uint8', scale: 0.1, min: -1, original_dtype: 'float32' } },
    { name: 's', dtype: 'string', shape: [1] },
    { name: 'h', dtype: 'float32', shape: [], quantization: { dtype: 'float16' }, group: 'g' },
  ]
  const manifest = [{ paths: ['a.bin', 'b.bin'], weights }, { paths: ['c.bin'], weights: [{ name: 'c', dtype: 'bool', shape: [1] }] }]
  const seeds = [{ format: 'layers-model', modelTopology: { x: [1] }, weightsManifest: manifest }, manifest].map((json) => utf8(JSON.stringify(json)))
  const folder = folderOf([
    ['a.bin', memorySource(new Uint8Array(9))],
    // What is left of `q`, a string of two bytes, and `h`.
    ['b.bin', memorySource(Uint8Array.of(1, 2, 2, 0, 0, 0, 104, 105, 3, 4))],
    ['c.bin', memorySource(Uint8Array.of(1))],
  ])
  const result = await fuzz(
    seeds,
    async (bytes) => {
      const model = await openTfjs(memorySource(bytes), folder)
      for (const [, , , payload] of await contents(model)) expect(payload.length / 2).toBeLessThanOrEqual(40)
      await model.close()
    },
    jsonMutations((bytes) => [0, bytes.length]),
  )
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('tfjs', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(4)
  expect(result.mostBuffers).toBeLessThan(2 ** 23)
})
