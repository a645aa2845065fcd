import { k, type Schema } from 'kiln-format'
import type { BytesCase } from './case.js'
import { differenceOf, type Difference } from './compare.js'
import type { Engine } from './engines.js'
import { outcomeOf, shown, shownOutcome, type Mismatch, type Outcome } from './outcome.js'
import { oddOffsets, placedAt, prefixLengths, withOneMore } from './placed.js'

/** Collects what did not hold. */
export type Report = (mismatch: Mismatch) => void

/** What the engines of a kind must say, as an outcome that can be compared. */
export interface Expectation {
  readonly outcome: Outcome
  /** Of the value, or the value in the frame. */
  readonly schema: Schema
  /** Whether the value is wrapped as an engine of frames does. */
  readonly framed: boolean
}

/** Compares what came with what a case expects; undefined if it is the same. */
function mismatchOf(check: string, { outcome, schema, framed }: Expectation, came: Outcome): Mismatch | undefined {
  if ('error' in outcome || 'error' in came) {
    const same = 'error' in outcome && 'error' in came && outcome.error === came.error
    return same ? undefined : { check, expected: shownOutcome(outcome), came: shownOutcome(came) }
  }
  const difference = framed ? frameDifference(schema, outcome.value, came.value) : differenceOf(schema, outcome.value, came.value)
  if (difference === undefined) return undefined
  const place = difference.path === '' ? '' : `${difference.path} is `
  return { check, expected: place + shown(difference.expected), came: place + shown(difference.came) }
}

function frameDifference(schema: Schema, expected: unknown, came: unknown): Difference | undefined {
  const { value, flags, schema: text } = expected as { value: unknown; flags?: number; schema?: string }
  const got = came as { value: unknown; flags: number; schema: string }
  if (flags !== undefined && flags !== got.flags) return { path: 'flags', expected: flags, came: got.flags }
  if (text !== undefined && text !== got.schema) return { path: 'schema', expected: text, came: got.schema }
  return differenceOf(schema, value, got.value)
}

/** Every engine, on the bytes as they are and at odd offsets of a larger buffer. */
export async function checkReaders(subject: BytesCase, engines: readonly Engine[], expectation: Expectation, report: Report): Promise<void> {
  const trailing = 'error' in expectation.outcome && expectation.outcome.error === 'TRAILING'
  for (const engine of engines) {
    // What leaves the rest to the next call has nothing against it.
    if (trailing && engine.leavesRest === true) continue
    for (const offset of [0, ...oddOffsets(subject.bytes.length)]) {
      const bytes = offset === 0 ? subject.bytes : placedAt(subject.bytes, offset)
      const check = offset === 0 ? engine.name : `${engine.name}, ${offset} bytes into a buffer`
      const mismatch = mismatchOf(check, expectation, await outcomeOf(() => engine.read(bytes)))
      if (mismatch === undefined) continue
      report(mismatch)
      break
    }
  }
}

/** A canonical message cut anywhere is `EOF`; with a byte more it is `TRAILING`, or the same where the rest is left. */
export async function checkEnds(subject: BytesCase, engines: readonly Engine[], expectation: Expectation, report: Report): Promise<void> {
  const cut: Expectation = { outcome: { error: 'EOF' }, schema: k.bool, framed: false }
  const over: Expectation = { outcome: { error: 'TRAILING' }, schema: k.bool, framed: false }
  const longer = withOneMore(subject.bytes)
  for (const [i, engine] of engines.entries()) {
    const lengths = prefixLengths(subject.bytes.length)
    // The first engine meets every cut, the others the shortest and the longest.
    for (const length of i === 0 ? lengths : lengths.filter((l) => l === subject.bytes.length - 1 || (l === 0 && engine.leavesRest !== true))) {
      const mismatch = mismatchOf(`${engine.name}, the first ${length} bytes`, cut, await outcomeOf(() => engine.read(subject.bytes.subarray(0, length))))
      if (mismatch === undefined) continue
      report(mismatch)
      break
    }
    const came = await outcomeOf(() => engine.read(longer))
    const mismatch = mismatchOf(`${engine.name}, one byte more`, engine.leavesRest === true ? expectation : over, came)
    if (mismatch !== undefined) report(mismatch)
  }
}

/** What a writer made, against the bytes that the case has. */
export function reportBytes(check: string, expected: string, came: Outcome, report: Report): void {
  if ('value' in came && came.value === expected) return
  report({ check, expected: shown(expected), came: shownOutcome(came) })
}
