import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTarget } from '../../../../scripts/fuzz/run.mjs'
import { targets } from '../../../../scripts/fuzz/targets.mjs'

// `npm run fuzz` is the same for longer, with other seeds.
const INPUTS = Number(process.env['KILN_FUZZ_INPUTS'] ?? 400)
const SEED = Number(process.env['KILN_FUZZ_SEED'] ?? 20261130)

// Most inputs are refused, and a stack for each would take most of the time.
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 4
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

test.each(targets.map((target) => [target.name, target] as const))(
  '%s: damaged and made inputs end in a value or a KilnError, and all readers agree',
  { timeout: 3_600_000 },
  async (_, target) => {
    const seeds = target.seeds().length
    const { inputs, read, refused, finding } = await runTarget(target, SEED, (done) => done < seeds + INPUTS)
    expect(finding?.error).toBeUndefined()
    expect(inputs).toBe(seeds + INPUTS)
    // Inputs of both kinds come up, so that neither half of the readers goes untried.
    if (seeds > 0) expect(read).toBeGreaterThan(0)
    if (seeds > 1) expect(refused.size).toBeGreaterThan(0)
  },
)

test('an input that breaks a reader, or is written to, ends the run and is kept as it was given', async () => {
  const broken = { name: 'broken', words: ['ab'], seeds: () => [Uint8Array.of(1, 2, 3)] }
  const byError = (bytes: Uint8Array): void => {
    if (bytes.includes(0xff)) throw new RangeError('out of bounds')
  }
  const first = await runTarget({ ...broken, run: byError }, 1, (done) => done < 10_000)
  expect(first.finding?.error).toBeInstanceOf(RangeError)
  expect(first.finding?.bytes.includes(0xff)).toBe(true)
  expect(await runTarget({ ...broken, run: byError }, 1, (done) => done < 10_000)).toMatchObject({ inputs: first.inputs })
  const second = await runTarget({ ...broken, run: (bytes) => void bytes.fill(0) }, 1, (done) => done < 10)
  expect([second.inputs, second.finding?.bytes]).toEqual([1, Uint8Array.of(1, 2, 3)])
})
