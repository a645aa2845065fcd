import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { generate } from '../../src/gen/generate.js'
import { CONSTRAINTS } from '../../src/gen/json-schema/keywords.js'
import { parseProjection } from '../../src/gen/projections.js'
import { loadModule } from './support/load-module.js'
import { typeErrors } from './support/type-check.js'

const page = readFileSync(new URL('../../../../docs/generated-code.md', import.meta.url), 'utf8')

function blocks(language: string, text = page): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, body]) => body!)
}

function block(language: string): string {
  return blocks(language)[0]!
}

/** Type-checks a program of the page beside the module it imports, runs it, and compares what it prints. */
function expectSaid(use: string, module: string, code: string): void {
  const shown = `declare const console: { log(...values: unknown[]): void }\n${use}\nexport {}\n`
  expect(
    typeErrors(
      new Map([
        [`${module}.ts`, code],
        ['use.ts', shown],
      ]),
    ),
  ).toEqual([])
  const printed: string[] = []
  const log = (...values: unknown[]): void => {
    printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
  }
  loadModule(use, { [`./${module}.js`]: loadModule(code) }, { log })
  expect(printed).toEqual([...use.matchAll(/^.*console\.log.* \/\/ (.*)$/gm)].map(([, said]) => said))
}

test('the example of the page generates, type-checks and prints what it says', () => {
  const { code, notes } = generate(block('json'), { source: 'user.schema.json' })
  expect(notes).toEqual([])
  expectSaid(block('typescript'), 'user', code!)
})

test('so does the example of projections', () => {
  const section = page.slice(page.indexOf('## Some of the fields'))
  const [shell] = blocks('sh', section)
  const schema = /^echo '(.*)' > rows\.kiln$/m.exec(shell!)![1]!
  const projections = [...shell!.matchAll(/--project (\S+)/g)].map(([, option]) => parseProjection(option!)!)
  expect(projections).toHaveLength(2)
  expectSaid(blocks('typescript', section)[0]!, 'rows', generate(schema, { source: 'rows.kiln', projections }).code!)
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
