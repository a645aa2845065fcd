import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decode, parseSchema, placeFor, view } from 'kiln-format'
import { generate } from '../../src/gen/generate.js'
import { codeOf, outcome } from './support/compare.js'
import { functionsOf, loadModule, type Generated } from './support/load-module.js'
import { projectAny } from './support/project-any.js'
import { pathsOf } from './support/random-paths.js'

interface Case {
  readonly name: string
  readonly kind: string
  readonly schema: string
  readonly hex: string
  readonly error?: string
  readonly caps?: Readonly<Record<string, number>>
  readonly canonical?: boolean
}

function casesOf(file: string): Case[] {
  const { cases } = JSON.parse(readFileSync(new URL(`../../../../spec/${file}`, import.meta.url), 'utf8')) as {
    cases: Case[]
  }
  return cases.filter(({ kind }) => kind === 'frozen')
}

type Projecting = (bytes: Uint8Array, options: object) => unknown

interface Module {
  readonly code: Generated
  /** Every path into the schema, and what reads it alone. */
  readonly paths: readonly (readonly [path: string, read: Projecting])[]
}

const modules = new Map<string, Module>()

function generated(schema: string): Module {
  const known = modules.get(schema)
  if (known !== undefined) return known
  const paths = pathsOf(parseSchema(schema))
  const projections = paths.map((path, i) => ({ name: `Path${i}`, paths: [path] }))
  const exports = loadModule(generate(schema, { source: 'cases', name: 'Case', projections }).code!)
  const made = {
    code: functionsOf(exports, 'Case'),
    paths: paths.map((path, i) => [path, exports[`projectPath${i}`] as Projecting] as const),
  }
  modules.set(schema, made)
  return made
}

for (const [file, least] of [
  ['kiln-pod-cases.json', 600],
  ['kiln-v2-cases.json', 50],
] as const) {
  const cases = casesOf(file)
  test(`${file} has its bodies`, () => {
    expect(cases.length).toBeGreaterThanOrEqual(least)
  })
  test.each(cases)('$name', (item) => {
    const bytes = Buffer.from(item.hex, 'hex')
    const options = item.caps === undefined ? {} : { limits: item.caps }
    const schema = parseSchema(item.schema)
    const { code, paths } = generated(item.schema)
    const owned = outcome(() => code.decode(bytes, options))
    expect(codeOf(owned)).toBe(item.error)
    expect(owned).toEqual(outcome(() => decode(schema, bytes, options)))
    expect(outcome(() => code.view(bytes, options))).toEqual(outcome(() => view(schema, bytes, options)))
    expect(outcome(() => code.place?.(bytes, options))).toEqual(
      outcome(() => (code.place === undefined ? undefined : placeFor(schema, bytes, options))),
    )
    for (const [path, read] of paths)
      expect(outcome(() => read(bytes, options))).toEqual(outcome(() => projectAny(schema, [path])(bytes, options)))
    if (item.canonical === true)
      expect(Buffer.from(code.encode(code.view(bytes, options))).toString('hex')).toBe(item.hex)
  })
}
