import { expect, test } from 'vitest'
import { outcomeOf } from '../reference/run-case.js'
import type { Case } from '../build/case.js'
import { CASE_FILES, casesOf, everyCase } from './support/case-file.js'
import { plain } from './support/plain.js'

// Thousands of expected errors; making their stacks would take most of the time.
Error.stackTraceLimit = 1

/** What a case says, with what the notation leaves open left out. */
function expected(entry: Case): object {
  if (entry.error !== undefined) return { error: entry.error }
  if (entry.kind === 'schema') return { canonical: entry.canonical, hash: entry.hash }
  const { value, flags, strict, verify } = entry
  const rewritten = entry.canonical === true ? { rewritten: entry.hex } : {}
  return { value, flags, strict, verify, ...rewritten }
}

function got(entry: Case): object {
  const outcome = outcomeOf(entry)
  if (outcome.error !== undefined || entry.kind === 'schema') return outcome
  const { rewritten, ...rest } = outcome
  return entry.canonical === true ? { ...rest, rewritten } : rest
}

test.each(CASE_FILES)('the reference gives what every case of %s says', (name) => {
  const cases = casesOf(name)
  const others = cases.filter((entry) => JSON.stringify(sorted(expected(entry))) !== JSON.stringify(sorted(got(entry))))
  expect(others.map((entry) => ({ name: entry.name, expected: expected(entry), got: got(entry) }))).toEqual([])
  expect(cases.length).toBeGreaterThan(200)
})

function sorted(outcome: object): [string, unknown][] {
  return Object.entries(outcome)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

test('a case with a value that is not canonical is one that no writer gives, or has a scalar NaN', () => {
  const open = everyCase().filter((entry) => entry.value !== undefined && entry.canonical !== true)
  const same = open.filter((entry) => outcomeOf(entry).rewritten === entry.hex)
  const nans = same.filter(
    ({ schema, value }) =>
      JSON.stringify(value).includes('"bits"') && JSON.stringify(plain(schema ?? 'f32', value!)).includes('"nan"'),
  )
  expect(same.map(({ name }) => name)).toEqual(nans.map(({ name }) => name))
  expect(nans.length).toBeGreaterThan(5)
})

test('every strict prefix of canonical bytes is EOF, and one byte more is TRAILING', () => {
  const faults: string[] = []
  for (const entry of everyCase()) {
    if (entry.kind === 'schema' || entry.canonical !== true) continue
    const hex = entry.hex!
    // Every prefix of short bytes; of long ones about 60 at even distances, and the last.
    const size = hex.length / 2
    const lengths = new Set([size - 1])
    for (let length = 0; length < size; length += Math.max(1, Math.floor(size / 60))) lengths.add(length)
    for (const length of lengths) {
      if (outcomeOf({ ...entry, hex: hex.slice(0, 2 * length) }).error !== 'EOF')
        faults.push(`${entry.name} cut to ${length}`)
    }
    for (const more of ['00', 'ff']) {
      if (outcomeOf({ ...entry, hex: hex + more }).error !== 'TRAILING') faults.push(`${entry.name} and ${more}`)
    }
  }
  expect(faults).toEqual([])
})
