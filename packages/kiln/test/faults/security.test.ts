import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultLimits } from 'kiln-format'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const text = readFileSync(`${root}SECURITY.md`, 'utf8')

test('every promise of SECURITY.md names tests that are there', () => {
  const rows = text.slice(text.indexOf('| promise |'), text.indexOf('The packages have')).trim().split('\n').slice(2)
  expect(rows.length).toBeGreaterThan(12)
  for (const row of rows) {
    const files = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file]) => file!)
    expect([row, files.length > 0, files.filter((file) => !existsSync(root + file))]).toEqual([row, true, []])
  }
})

test('the caps of SECURITY.md are those that hold', () => {
  const listed = [...text.matchAll(/^\| `(\w+)` \|.*\| (?:2\^(\d+)|2\^30 from a stream, else none) \|$/gm)]
  const stated = listed.map(([, name, power]) => [name, power === undefined ? Infinity : 2 ** Number(power)])
  expect(Object.fromEntries(stated)).toEqual(defaultLimits)
})
