import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as kiln from 'kiln-format'
import * as debug from 'kiln-format/debug'

/** What a program can import at run time, by entry. A change here is a change of the public interface. */
test('the values that kiln-format exports', () => {
  expect(Object.keys(kiln).sort()).toMatchSnapshot()
})

test('the values that kiln-format/debug exports', () => {
  expect(Object.keys(debug).sort()).toEqual(['allocations', 'resetAllocations'])
})

test('kiln-format has no dependency and no install script', () => {
  const read = (path: string): Record<string, unknown> =>
    JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Record<string, unknown>
  for (const name of ['kiln', 'convert', 'cli', 'inspector']) {
    const manifest = read(`../../${name}/package.json`)
    const scripts = Object.keys((manifest['scripts'] ?? {}) as object)
    expect(scripts.filter((script) => /^(pre|post)?(install|prepare)$/.test(script))).toEqual([])
  }
  expect(read('../package.json')).not.toHaveProperty('dependencies')
  expect(read('../package.json')).not.toHaveProperty('peerDependencies')
})
