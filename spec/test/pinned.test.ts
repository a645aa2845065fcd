import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Case } from '../build/case.js'
import { PINNED_BYTES } from '../build/pinned-bytes.js'
import { BUILT_BYTES } from '../build/pinned.js'
import { casesOf } from './support/case-file.js'

const names = [
  'kiln-pod-list-f32',
  'kiln-v2-f32',
  'kiln-v2-in-struct',
  'kiln-v2-framed',
  'kiln-v2-bad-version',
  'kiln-v2-scales',
  'kiln-v2-scales-outer',
  'kiln-v2-scale-count',
]

/** The cases that open the first two files. */
const opening: readonly Case[] = [
  ...casesOf('kiln-pod-cases.json').slice(0, 1),
  ...casesOf('kiln-v2-cases.json').slice(0, 7),
]

test('the pinned cases open the case files, with their bytes', () => {
  expect(opening.map(({ name, hex }) => [name, hex])).toEqual(names.map((name) => [name, PINNED_BYTES.get(name)]))
})

test('the pinned bytes are what the builders make of the same values', () => {
  expect(Object.fromEntries(BUILT_BYTES)).toEqual(Object.fromEntries(PINNED_BYTES))
})

test('the pinned bytes are as long as the format says, and hold what it says', () => {
  const bytes = (name: string): string => PINNED_BYTES.get(name)!
  expect(bytes('kiln-pod-list-f32')).toBe('020000000000803f000000c0')
  expect(bytes('kiln-v2-f32').length).toBe(2 * 200)
  expect(bytes('kiln-v2-f32').slice(-16)).toBe('0000803f000000c0')
  expect(bytes('kiln-v2-in-struct').length).toBe(2 * 208)
  expect(bytes('kiln-v2-framed').length).toBe(2 * 104)
  expect(bytes('kiln-v2-framed').slice(32, 48)).toBe('820d2f55c7ad8ae5')
})

const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url))
const original = `${shared}/design/pinned-cases.json`

test.skipIf(!existsSync(original))(`the pinned cases are those of ${original} (skipped where it is missing)`, () => {
  const { cases } = JSON.parse(readFileSync(original, 'utf8')) as { cases: Case[] }
  const bare = (entry: Case): object => ({ ...entry, note: undefined, rule: undefined })
  expect(opening.map(bare)).toEqual(cases.map(bare))
})
