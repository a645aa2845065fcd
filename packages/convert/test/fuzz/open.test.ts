import { folderOf, openForeign } from 'kiln-convert'
import { expect, test } from 'vitest'
import { utf8 } from '../support/bytes.js'
import { fixturesOf } from '../support/fixtures.js'
import { madeFiles } from '../support/made-files.js'
import { memorySource } from '../support/memory.js'
import { fuzz, fuzzLine, FUZZ_RUNS } from '../support/mutations.js'

test(`${FUZZ_RUNS} damaged files of any format, opened by their content, end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const formats = ['safetensors', 'gguf', 'npy', 'npz', 'onnx', 'onnx-tensorproto']
  const seeds = [
    utf8('{"weightsManifest":[{"paths":["w.bin"],"weights":[]}]}'),
    ...madeFiles.map(({ bytes }) => bytes),
    ...formats.flatMap((format) => fixturesOf(format).map(({ bytes }) => bytes).filter(({ length }) => length < 3000)),
  ]
  const folder = folderOf([['w.bin', memorySource(new Uint8Array(0))]])
  const names = ['', 'x.safetensors', 'x-00001-of-00002.safetensors', 'x-00001-of-00002.gguf', 'x.npz', 'x.onnx', 'x.pb', 'x.npy']
  const result = await fuzz(seeds, async (bytes) => {
    const name = names[bytes.length % names.length]!
    const model = await openForeign(memorySource(bytes), { name, folder, alone: bytes.length % 3 === 0 })
    expect(model.metadata.size + model.tensors.length + model.omitted.length).toBeGreaterThanOrEqual(0)
    for (const tensor of model.tensors) {
      let length = 0
      for await (const piece of tensor.chunks()) length += piece.length
      expect(length).toBe(tensor.byteLength)
    }
    await model.close()
  })
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('any format', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(5)
  expect(result.mostBuffers).toBeLessThan(2 ** 24)
})
