import { deflateSync } from 'fflate'
import { expect, test } from 'vitest'
import { openNpz } from '../../src/npz/open.js'
import { writeNpz } from '../../src/npz/write.js'
import { buildNpy, headerOf } from '../npy/build.js'
import { fixturesOf } from '../support/fixtures.js'
import { memorySource, MemorySink } from '../support/memory.js'
import { fuzz, fuzzLine, FUZZ_RUNS } from '../support/mutations.js'
import { buildZip } from './build.js'

test(`${FUZZ_RUNS} damaged archives end in a value or a KilnError`, { timeout: 3_600_000 }, async () => {
  const npy = buildNpy(headerOf('<i2', [3]), new Uint8Array(6))
  const turned = buildNpy(headerOf('>f4', [3, 4], true), new Uint8Array(48).fill(3))
  const zeros = buildNpy(headerOf('|u1', [200_000]), new Uint8Array(200_000))
  const seeds = [
    buildZip([
      { name: 'a.npy', data: npy },
      { name: 'b.npy', data: turned, method: 8 },
    ]),
    buildZip(
      [
        { name: 'a.npy', data: npy, method: 8, descriptor: 'marked' },
        { name: 'x/', data: new Uint8Array(0) },
      ],
      { comment: 'a comment' },
    ),
    buildZip(
      [
        { name: 'a.npy', data: npy, zip64: 'both' },
        { name: 'ä.npy', data: turned, descriptor: 'bare' },
      ],
      { zip64: true },
    ),
    buildZip([{ name: 'z.npy', data: zeros, method: 8 }]),
    ...fixturesOf('npz')
      .map(({ bytes }) => bytes)
      .filter(({ length }) => length < 4096),
  ]
  const result = await fuzz(seeds, async (bytes) => {
    const model = await openNpz(memorySource(bytes))
    let total = 0
    for (const tensor of model.tensors) {
      let length = 0
      for await (const piece of tensor.chunks()) length += piece.length
      expect(length).toBe(tensor.byteLength)
      total += length
    }
    // Deflated data is at most 1,032 times as long when inflated.
    expect(total).toBeLessThanOrEqual(bytes.length * 1032)
    const sink = new MemorySink()
    await writeNpz(model, sink)
    const again = await openNpz(memorySource(sink.bytes))
    expect(again.tensors.map(({ name, dtype, shape }) => [name, dtype, shape])).toEqual(
      model.tensors.map(({ name, dtype, shape }) => [name, dtype, shape]),
    )
  })
  if (FUZZ_RUNS > 2000) console.log(fuzzLine('npz', result))
  expect(result.values).toBeGreaterThan(FUZZ_RUNS / 50)
  expect(result.refused.size).toBeGreaterThanOrEqual(5)
  // A piece of 4 KiB inflates to at most 4 MiB, and some are waiting to be collected.
  expect(result.mostBuffers).toBeLessThan(2 ** 25)
  expect(result.mostHeap).toBeLessThan(2 ** 26)
})

test(
  `${FUZZ_RUNS} damaged members of whole archives end in a value or a KilnError`,
  { timeout: 3_600_000 },
  async () => {
    const content = Uint8Array.from({ length: 5000 }, (_, i) => (i % 7 < 3 ? i % 251 : 9))
    const npy = buildNpy(headerOf('|u1', [5000]), content)
    const streams = [deflateSync(npy), deflateSync(npy, { level: 1 }), deflateSync(npy, { level: 0 })]
    const result = await fuzz(streams, async (stored) => {
      const model = await openNpz(memorySource(buildZip([{ name: 'a.npy', data: npy, method: 8, stored }])))
      let length = 0
      for await (const piece of model.tensors[0]!.chunks()) length += piece.length
      expect(length).toBe(5000)
    })
    if (FUZZ_RUNS > 2000) console.log(fuzzLine('npz members', result))
    // A fault in what is deflated is not always one that inflating finds, and then the checksum does.
    expect([...result.refused.keys()]).toEqual(expect.arrayContaining(['CHECKSUM', 'EOF', 'FRAME', 'TRAILING']))
    expect(result.mostBuffers).toBeLessThan(2 ** 25)
  },
)
