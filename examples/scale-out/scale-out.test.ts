import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { bytesSource, decodeFrame, encodeFrame, iterateFrames, k } from 'kiln-format'
import { expect, test, vi } from 'vitest'
import { entryOf, Index } from './index.mjs'
import { balanceOf, byFile, movedBytes } from './measure.mjs'
import { planReading, type Range, type Shard } from './plan.mjs'
import { madeUpShards } from './sizes.mjs'

vi.setConfig({ testTimeout: 300_000 })

const shards = madeUpShards(10_000)
const workers = Array.from({ length: 1000 }, (_, i) => `worker-${i}`)
const total = shards.reduce((sum, { size }) => sum + size, 0)
const plan = planReading(shards, workers)

/** Faults of a plan: bytes that are read twice or not at all, and reads that begin or end inside a frame. */
function faultsOf(given: readonly Shard[], made: Map<string, Range[]>): string[] {
  const faults: string[] = []
  const files = byFile(made)
  for (const { file, size, cuts } of given) {
    const places = new Set([0, size, ...Array.from(cuts)])
    let at = 0
    for (const { start, end } of files.get(file) ?? []) {
      if (start !== at) faults.push(`${file}: read to ${at}, then from ${start}`)
      if (!places.has(start) || !places.has(end) || end <= start) faults.push(`${file}: ${start} to ${end}`)
      at = end
    }
    if (at !== size) faults.push(`${file}: read to ${at} of ${size}`)
    files.delete(file)
  }
  return [...faults, ...files.keys()]
}

test('10,000 shards, 1,000 workers: every byte is read once, in whole frames', () => {
  expect(plan.size).toBe(1000)
  expect(faultsOf(shards, plan)).toEqual([])
})

test('no worker reads more than 0.2 % beside the mean, in eleven requests', () => {
  const { least, most, requests } = balanceOf(plan)
  expect(least).toBeGreaterThan(0.998)
  expect(most).toBeLessThan(1.002)
  // A shard that isn't cut is one request; each of the 999 cuts makes one more.
  expect(requests).toBeLessThanOrEqual((10_000 + 999) / 1000)
})

test('the same plan whoever computes it, and another for another seed', () => {
  const again = planReading([...shards].reverse(), [...workers].reverse())
  const digest = (made: Map<string, Range[]>): string =>
    createHash('sha256').update(JSON.stringify([...made])).digest('hex').slice(0, 16)
  expect(digest(again)).toBe(digest(plan))
  expect(digest(plan)).toBe('f2b371706bb1510c')
  const other = planReading(shards, workers, { seed: 'epoch 2' })
  expect(faultsOf(shards, other)).toEqual([])
  expect(movedBytes(plan, other) / total).toBeGreaterThan(0.99)
})

test('when a worker leaves, its bytes move and no other: a thousandth', () => {
  const without = planReading(shards, workers, { gone: ['worker-500'] })
  expect(faultsOf(shards, without)).toEqual([])
  expect(without.has('worker-500')).toBe(false)
  const own = plan.get('worker-500')!.reduce((sum, { start, end }) => sum + end - start, 0)
  expect(movedBytes(plan, without)).toBe(own)
  expect(own / total).toBeCloseTo(0.001, 5)
  for (const [worker, ranges] of without) expect(ranges.slice(0, plan.get(worker)!.length)).toEqual(plan.get(worker))
  const { least, most } = balanceOf(without)
  expect(least).toBeGreaterThan(0.996)
  expect(most).toBeLessThan(1.004)
})

test('when a tenth is gone the rest is still within 5 %, and the next that leaves moves little', () => {
  const gone = workers.filter((_, i) => i % 10 === 3)
  const without = planReading(shards, workers, { gone })
  expect(faultsOf(shards, without)).toEqual([])
  const { least, most } = balanceOf(without)
  expect(least).toBeGreaterThan(0.95)
  expect(most).toBeLessThan(1.05)
  // In whichever order they left.
  expect(planReading(shards, workers, { gone: [...gone].reverse() })).toEqual(without)
  const next = planReading(shards, workers, { gone: [...gone, 'worker-0'] })
  expect(movedBytes(without, next) / total).toBeLessThan(0.04)
})

test('any shards and workers: every byte once', () => {
  const shard = fc.record({
    size: fc.integer({ min: 0, max: 1000 }),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
  })
  fc.assert(
    fc.property(fc.array(shard, { maxLength: 12 }), fc.integer({ min: 1, max: 12 }), fc.nat(), (made, count, seed) => {
      const given = made.map(({ size, cuts }, i) => ({
        file: `${i}`, size, cuts: cuts.map((part) => Math.floor(part * size)).sort((a, b) => a - b),
      }))
      const roster = Array.from({ length: count }, (_, i) => `w${i}`)
      const gone = roster.slice(1).filter((_, i) => Math.floor(seed / 2 ** i) % 2 === 1)
      expect(faultsOf(given, planReading(given, roster, { gone, seed: `${seed}` }))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('what makes no plan is refused', () => {
  const shard = { file: 'a', size: 10, cuts: [0, 5] }
  expect(() => planReading([shard], [])).toThrow('no worker is left')
  expect(() => planReading([shard], ['a'], { gone: ['a'] })).toThrow('no worker is left')
  expect(() => planReading([shard], ['a'], { gone: ['b'] })).toThrow("b can't be gone")
  expect(() => planReading([shard, shard], ['a'])).toThrow('the shard a is there twice')
  expect(() => planReading([shard], ['a', 'a'])).toThrow('the worker a is there twice')
  expect(() => planReading([{ ...shard, cuts: [5, 3] }], ['a'])).toThrow('a: cut 1 is 3, after 5, of 10 bytes')
  expect(() => planReading([{ ...shard, cuts: [11] }], ['a'])).toThrow('a: cut 0 is 11, after 0, of 10 bytes')
  expect(() => planReading([{ ...shard, size: NaN }], ['a'])).toThrow('a: NaN is no size')
})

test('five workers read real shards by an index that was a frame: every sample once', async () => {
  const Sample = k.struct({ label: k.u32, text: k.string })
  const files = new Map(
    Array.from({ length: 12 }, (_, shard) => {
      const frames = Array.from({ length: 20 + shard }, (_, i) =>
        encodeFrame(Sample, { label: shard * 100 + i, text: 'x'.repeat(i % 7) }, { schema: i === 0, checksum: true }),
      )
      return [`${shard}.kiln`, new Uint8Array(Buffer.concat(frames))]
    }),
  )
  const entries = await Promise.all(Array.from(files, ([file, bytes]) => entryOf(Sample, file, bytes, 100)))
  const bytes = encodeFrame(Index, { schema: Sample.text, shards: entries }, { checksum: true })
  const { value: index } = decodeFrame(bytes, Index)

  const labels: number[] = []
  const given = index.shards.map(({ file, size, cuts }) => ({ file, size: Number(size), cuts }))
  for (const [worker, ranges] of planReading(given, ['a', 'b', 'c', 'd', 'e'], { gone: ['d'] })) {
    expect(worker).not.toBe('d')
    for (const { file, start, end } of ranges) {
      const bytes = await bytesSource(files.get(file)!).read(start, end - start)
      for (const { value } of iterateFrames(bytes, Sample)) labels.push(value.label)
    }
  }
  const all = Array.from({ length: 12 }, (_, shard) => Array.from({ length: 20 + shard }, (_, i) => shard * 100 + i))
  expect(labels.sort((a, b) => a - b)).toEqual(all.flat())
})
