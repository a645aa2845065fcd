import { expect, test } from 'vitest'
import { declaration } from '../scripts/declarations.mjs'
import { ruleCode } from '../scripts/rule-code.mjs'
import { caseCounts, rulePages } from '../scripts/rule-pages.mjs'
import { readRules, specificationPage } from '../scripts/specification.mjs'

const rules = readRules() as { number: string; text: string }[]

test('every rule of the specification is told where it stands in the code, and no other', () => {
  expect(rules.length).toBeGreaterThan(80)
  expect(Object.keys(ruleCode).sort()).toEqual(rules.map(({ number }) => number).sort())
})

test('all rules but the pinned cases have code', () => {
  const without = Object.entries(ruleCode as Record<string, string[]>).filter(([, places]) => places.length === 0)
  expect(without.map(([number]) => number)).toEqual(['8.1'])
})

test.each(Object.entries(ruleCode as Record<string, string[]>))('the code of §%s is there', (_, places) => {
  for (const place of places) expect(declaration(place).text.length).toBeGreaterThan(20)
})

test('code that is not there is a fault', () => {
  expect(() => declaration('frozen/scalar.ts#noSuchThing')).toThrow('there is no noSuchThing in packages/kiln/src/frozen/scalar.ts')
})

test('code that moved is found where it is', () => {
  expect(declaration('frozen/no-such-file.ts#takeCount').file).toBe('bytes/reader.ts')
})

test('every rule has cases, and its page shows each', () => {
  const counts = caseCounts()
  for (const [number, page] of rulePages()) {
    expect(counts.get(number), number).toBeGreaterThan(0)
    expect(page.match(/^### /gm)?.length, number).toBe(counts.get(number))
  }
})

test('the page of the specification leads to each rule’s page', () => {
  const page = specificationPage(caseCounts())
  for (const { number } of rules) expect(page).toContain(`(./rules/${number.replace('.', '-')}.md)`)
  expect(page).not.toContain('*Cases:*')
  expect(page).toContain('Every rule that bytes can show has a number, and a page')
  expect(page.match(/^!\[.*\]\(\.\/.*\.svg\)$/gm)?.length).toBe(3)
})
