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
