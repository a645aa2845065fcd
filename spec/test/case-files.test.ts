import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { caseFiles } from '../build/files.js'
import { ruleLines, rulesOf } from '../build/rules.js'
import { CASE_FILES, caseFileText, everyCase } from './support/case-file.js'

const page = readFileSync(fileURLToPath(new URL('../SPEC.md', import.meta.url)), 'utf8')

const files = caseFiles(page)

test.each(CASE_FILES)('%s is what its builders state', (name) => {
  const stated = files.find((file) => file.name === name)!.text.split('\n')
  const there = caseFileText(name).split('\n')
  const first = stated.findIndex((line, i) => line !== there[i])
  // Only the first line that differs: the files are long.
  expect(there[first] ?? 'the end', `${name} is stale at line ${first + 1}; npm run cases writes it`).toBe(
    stated[first] ?? 'the end',
  )
  expect(there.length).toBe(stated.length)
})

test('names are used once over all files', () => {
  const names = everyCase().map(({ name }) => name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

test('every rule of SPEC.md is pinned by cases, and every pattern there names some', () => {
  const cases = everyCase()
  const rules = rulesOf(page)
  expect(rules.map(({ id }) => id)).toEqual([...new Set(rules.map(({ id }) => id))])
  const pinned = new Set(cases.map(({ rule }) => rule))
  expect(rules.filter(({ id }) => !pinned.has(id)).map(({ id }) => id)).toEqual([])
  const idle = rules
    .flatMap(({ id, patterns }) =>
      patterns.filter(({ expression }) => !cases.some(({ name, rule }) => rule === id && expression.test(name))),
    )
    .map(({ text }) => text)
  expect(idle).toEqual([])
})

test('every rule has cases that end with each code that it states', () => {
  const every = everyCase()
  const missing = ruleLines(page).flatMap((line) => {
    const id = /§\d+\.\d+/.exec(line)![0]
    const text = line.split('*Cases:*')[0]!
    const codes = [...text.matchAll(/`(EOF|TRAILING|FRAME|TYPE|LIMIT|UTF8|CHECKSUM|SCHEMA)`/g)].map(([, code]) => code!)
    const cases = every.filter(({ rule }) => rule === id)
    return codes
      .filter((code) => !cases.some(({ error, strict, verify }) => [error, strict, verify].includes(code as never)))
      .map((code) => `${id} ${code}`)
  })
  expect(missing).toEqual([])
})

test('rules are numbered in their order, section by section', () => {
  const ids = rulesOf(page).map(({ id }) => id.slice(1).split('.').map(Number))
  ids.reduce(
    (before, id) => {
      expect(id[0] === before[0] ? id[1] : 0, id.join('.')).toBe(id[0] === before[0] ? before[1]! + 1 : 0)
      if (id[0] !== before[0]) expect(id).toEqual([expect.toSatisfy((section) => section > before[0]!), 1])
      return id
    },
    [0, 0],
  )
})
