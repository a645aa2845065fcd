import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generate } from '../../src/gen/generate.js'
import { fixtures, hasFixtures } from '../support/shared.js'
import { typeErrors } from './support/type-check.js'

const folder = join(fixtures, 'jsonschema')

/** What each document does: which keywords have to be dropped, or where and why it is refused all the same. */
interface Expectation {
  readonly ignore?: readonly string[]
  readonly pointer?: string
  /** Pointers of what is refused when those keywords are dropped. */
  readonly refused?: readonly string[]
  /** A word of each refusal's text. */
  readonly says?: string
}

const expectations: Readonly<Record<string, Expectation>> = {
  'huggingface-tasks/table-question-answering.input.json': { ignore: ['enum'] },
  'huggingface-tasks/text-generation.output.json': { ignore: ['enum', 'minimum'] },
  'huggingface-tasks/token-classification.output.json': {},
  'openapi/circular.json': {
    pointer: '#/components/schemas/ErrorMessage',
    ignore: ['enum'],
    refused: ['#/components/schemas/ErrorMessage'],
    says: 'contains itself',
  },
  'schemastore/bosh-cpi-config.json': { refused: ['#/definitions/CPIs/properties/properties'], says: 'holds anything' },
  'schemastore/changepacks.json': {},
  'schemastore/commitlintrc.json': { refused: ['#'], says: 'add "type": "object"' },
  'schemastore/drupal-config.json': {
    refused: [
      '#/definitions/configItem/properties/translation context',
      '#/definitions/configItem/properties/constraints',
      '#/definitions/configItem',
      '#/definitions/configItem',
    ],
  },
  'schemastore/eslint-suppressions.json': { ignore: ['propertyNames', 'minimum'] },
  'schemastore/github-discussion.json': {
    ignore: ['enum'],
    refused: ['#/properties/labels/oneOf'],
    says: 'a choice of schemas',
  },
  'schemastore/img-catapult-psp-1.0.0.json': { ignore: ['maxLength', 'pattern'] },
  'schemastore/mail-servers-config.json': { ignore: ['minProperties', 'minimum', 'maximum'] },
  'schemastore/minecraft-trim-material.json': {},
  'schemastore/openweather.roadrisk.json': {},
  'schemastore/sake.json': { ignore: ['enum'] },
  'schemastore/unist.json': { ignore: ['minimum'], refused: ['#', '#/properties/data', '#/properties/value'] },
  'schemastore/webjobs-list.json': {},
  'schemastore/xunit.runner.schema.json': { refused: ['#/$ref'], says: 'nothing is fetched' },
}

function textOf(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

describe.skipIf(!hasFixtures)('documents of other projects', () => {
  test('each of the manifest has its expectation', () => {
    const [, ...lines] = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => line.split('\t')[0])).toEqual(Object.keys(expectations))
  })

  const modules = new Map<string, string>()

  test.each(Object.entries(expectations))('%s', (file, { ignore = [], pointer, refused = [], says = '' }) => {
    const source = file.split('/')[1]!
    const plain = generate(textOf(file), { source, pointer })
    const dropped = new Set(
      plain.refusals.map((refusal) => refusal.pointer.split('/').at(-1)!).filter((word) => ignore.includes(word)),
    )
    // Every keyword that is dropped below stands in the way without it, and says so.
    expect([...dropped].sort()).toEqual([...ignore].sort())
    const { code, refusals } = generate(textOf(file), { source, pointer, ignore })
    expect(refusals.map((refusal) => refusal.pointer)).toEqual(refused)
    for (const { detail } of refusals) expect(detail).toContain(says)
    expect(code === undefined).toBe(refused.length > 0)
    if (code !== undefined) modules.set(source.replace(/\.json$/, '.ts'), code)
  })

  test('what was generated passes the strictest settings of the compiler, in one program', () => {
    expect(modules.size).toBe(11)
    expect(typeErrors(modules)).toEqual([])
  })

  test.each(Object.keys(expectations))(
    '%s: its features and what is refused agree on recursion and on other documents',
    (file) => {
      const features = `${join(folder, file)}.features.json`
      if (!existsSync(features)) throw new Error(`${features} is missing`)
      const { recursive, remote } = JSON.parse(readFileSync(features, 'utf8')) as {
        recursive: unknown[]
        remote: unknown[]
      }
      const { refusals } = generate(textOf(file), { source: file, pointer: expectations[file]!.pointer })
      const details = refusals.map(({ detail }) => detail)
      expect(details.some((detail) => detail.includes('leads out of this document'))).toBe(remote.length > 0)
      expect(details.some((detail) => detail.includes('contains itself'))).toBe(recursive.length > 0)
    },
  )
})
