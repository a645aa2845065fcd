import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { kinds, rows, type Test } from './rows.js'

const packages = fileURLToPath(new URL('../../../', import.meta.url))
const texts = new Map<string, string>()

/** A table of tests rots unless it is looked at: files are moved, and titles changed. */
function missing([file, words]: Test): string[] {
  if (!texts.has(file)) texts.set(file, existsSync(packages + file) ? readFileSync(packages + file, 'utf8') : '')
  return texts.get(file)!.includes(words) ? [] : [`${file} has no ${words}`]
}

test.each(Object.entries(rows))('%s has its tests', (_, tests) => {
  expect(tests.length).toBeGreaterThan(0)
  expect(tests.flatMap(missing)).toEqual([])
})

test('every kind has rows of the table', () => {
  expect(kinds.length).toBe(20)
  for (const [kind, ids] of kinds) expect([kind, ids.filter((id) => rows[id] === undefined), ids.length > 1]).toEqual([kind, [], true])
})

const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url))
const reports = `${shared}/design/reports.md`
test.skipIf(!existsSync(reports))(`every row of ${reports} is in the table (skipped where it is missing)`, () => {
  const listed = [...readFileSync(reports, 'utf8').matchAll(/^\| (R\d+) \|/gm)].map(([, id]) => id)
  expect(Object.keys(rows)).toEqual(listed)
})
