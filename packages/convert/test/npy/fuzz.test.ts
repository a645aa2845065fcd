import { expect, test } from 'vitest'
import { openNpy } from '../../src/npy/open.js'
import { writeNpy } from '../../src/npy/write.js'
import { fixturesOf, sha256 } from '../support/fixtures.js'
import { memorySource, MemorySink, payload } from '../support/memory.js'
import { fuzz, fuzzLine, FUZZ_RUNS } from '../support/mutations.js'
import { buildNpy, headerOf } from './build.js'

test(`${FUZZ_RUNS} damaged files end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const seeds = [
    buildNpy(headerOf('<f4', [2, 3]), new Uint8Array(24)),
    buildNpy(headerOf('>i8', [3, 2, 2], true), new Uint8Array(96), 2),
    buildNpy(headerOf('<c16', []), new Uint8Array(16), 3),
    buildNpy(headerOf('|b1', [0])),
    buildNpy(
      `{'descr': [('a', '<f4'), ('b', [('c', 'S3', (2, 2))])], 'fortran_order': False, 'shape': (2L,)}`,
      new Uint8Array(32),
    ),
    ...fixturesOf('npy')
      .map(({ bytes }) => bytes)
      .filter(({ length }) => length < 4096),
  ]
  const result = await fuzz(seeds, async (bytes) => {
    const model = await openNpy(memorySource(bytes))
    const data = await payload(model.tensors[0]!)
    expect(data.length).toBeLessThanOrEqual(bytes.length)
    const sink = new MemorySink()
    await writeNpy(model.tensors[0]!, sink)
    const again = await openNpy(memorySource(sink.bytes))
    expect(sha256(await payload(again.tensors[0]!))).toBe(sha256(data))
  })
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('npy', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(4)
  expect(result.mostBuffers).toBeLessThan(2 ** 23)
  expect(result.mostHeap).toBeLessThan(2 ** 26)
})
