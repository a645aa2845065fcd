import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { iterateFrames } from 'kiln-format'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { NGINX, startNginx } from '../support/nginx.mjs'
import { writeDataset } from './dataset.mjs'
import { Sample, SIDE } from './messages.mjs'
import { batches } from './samples.mjs'

// That the model learns is checked by `npm run examples`, which has TensorFlow.js.
vi.setConfig({ testTimeout: 180_000 })

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-samples-'))
  await writeDataset(folder, { shards: 3, samples: 100, block: 16, seed: 1 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Options = Parameters<typeof batches>[1]

/** Samples as text, in the order in which they come. */
async function read(place: string, options: Options): Promise<{ samples: string[]; counts: number[] }> {
  const samples: string[] = []
  const counts: number[] = []
  for await (const { features, labels, count } of batches(place, options)) {
    counts.push(count)
    for (let i = 0; i < count; i++) {
      const pixels = features.subarray(i * SIDE * SIDE, (i + 1) * SIDE * SIDE)
      samples.push(`${labels[i]} ${Array.from(pixels, (pixel) => Math.round(pixel * 255)).join(' ')}`)
    }
  }
  return { samples, counts }
}

async function written(): Promise<string[]> {
  const shards = await Promise.all([0, 1, 2].map((i) => readFile(join(folder, `shard-00${i}.kiln`))))
  return shards.flatMap((bytes) =>
    Array.from(iterateFrames(bytes, Sample), ({ value }) => `${value.label} ${value.features.get('pixels').bytes.join(' ')}`),
  )
}

test('every sample once, in another order for another seed, the same however many threads read', async () => {
  const { samples, counts } = await read(folder, { seed: 1, threads: 2 })
  const all = await written()
  // Seven blocks a shard, the last of four samples; eight blocks a batch.
  expect(counts).toHaveLength(3)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300)
  expect(samples).not.toEqual(all)
  expect([...samples].sort()).toEqual([...all].sort())
  expect((await read(folder, { seed: 1, threads: 1, ahead: 0 })).samples).toEqual(samples)
  expect((await read(folder, { seed: 2, threads: 2 })).samples).not.toEqual(samples)
})

test('some shards alone', async () => {
  const { samples } = await read(folder, { seed: 1, shards: { from: 2, to: 3 } })
  expect(samples.sort()).toEqual((await written()).slice(200).sort())
})

test.skipIf(NGINX === undefined)(`the same from nginx, by ranges${NGINX === undefined ? ' (NOT RUN: no nginx)' : ''}`, async () => {
  const server = await startNginx(folder)
  try {
    expect(await read(server.origin, { seed: 1 })).toEqual(await read(folder, { seed: 1 }))
    const requests = await server.requests()
    expect(requests.filter(({ status }) => status !== 206)).toEqual([])
    expect(requests.length).toBeGreaterThanOrEqual(21)
  } finally {
    await server.stop()
  }
})

test('damage ends the loop with what is wrong', async () => {
  const path = join(folder, 'shard-001.kiln')
  const bytes = await readFile(path)
  await writeFile(path, bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte)))
  await expect(read(folder, { seed: 1 })).rejects.toMatchObject({ code: 'CHECKSUM' })
  await writeFile(path, bytes)
})
