import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { generate } from '../../src/gen/generate.js'
import { CONSTRAINTS } from '../../src/gen/json-schema/keywords.js'
import { loadModule } from './support/load-module.js'
import { typeErrors } from './support/type-check.js'

const page = readFileSync(new URL('../../../../docs/generated-code.md', import.meta.url), 'utf8')

function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(page)![1]!
}

test('the example of the page generates, type-checks and prints what it says', () => {
  const { code, notes } = generate(block('json'), { source: 'user.schema.json' })
  expect(notes).toEqual([])
  const use = block('typescript')
  const shown = `declare const console: { log(...values: unknown[]): void }\n${use}\nexport {}\n`
  expect(
    typeErrors(
      new Map([
        ['user.ts', code!],
        ['use.ts', shown],
      ]),
    ),
  ).toEqual([])
  const printed: string[] = []
  const log = (...values: unknown[]): void => {
    printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
  }
  loadModule(use, { './user.js': loadModule(code!) }, { log })
  expect(printed).toEqual([...use.matchAll(/^console\.log.* \/\/ (.*)$/gm)].map(([, said]) => said))
})

test('the messages of the page are those that the command prints', () => {
  const document = { type: 'object', properties: { age: { type: 'integer', minimum: 0 }, tags: { type: 'array' } } }
  const { refusals } = generate(JSON.stringify(document), { source: 'user.json' })
  const lines = refusals.map(({ pointer, detail }) => `kiln: SCHEMA at user.json${pointer}: ${detail}\n`)
  expect(block('text')).toBe(lines.join(''))
})

test('keywords that the page says can be dropped are such', () => {
  const listed = /drops a keyword where[^:]*: ([^]*?)\. Check such limits/.exec(page)![1]!
  const keywords = [...listed.matchAll(/`(\w+)`/g)].map(([, word]) => word!).filter((word) => word !== 'type')
  expect(keywords.length).toBeGreaterThan(10)
  expect(keywords.filter((keyword) => (CONSTRAINTS.get(keyword)?.ignore ?? 'no') === 'no')).toEqual([])
})
