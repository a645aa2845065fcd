import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encode, encodeFrame, iterate, k, placeFor, selectionOf, type Schema } from 'kiln-format'
import { emitModule } from '../../src/gen/emit/module.js'
import type { ProjectionRequest } from '../../src/gen/emit/projected-names.js'
import { modelOfSchema } from '../../src/gen/model/from-kiln.js'
import { codeOf, isSame, outcome, steps, type Outcome } from './support/compare.js'
import { loadModule } from './support/load-module.js'
import { mutated } from './support/mutated.js'
import { projectAny, projectViewAny } from './support/project-any.js'
import { pathsOf, randomPaths } from './support/random-paths.js'
import { Random } from './support/random.js'
import { randomSchema, randomStruct } from './support/random-schema.js'
import { randomValue } from './support/random-value.js'

const SCHEMAS = 150
const LIMITS = [
  {},
  {},
  { strict: true },
  { limits: { count: 3, string: 30, numbers: 100, tensors: 2 } },
  { limits: { count: 1 } },
  { limits: { string: 4 } },
]

const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

type Read = (bytes: Uint8Array, options?: object) => unknown
type Rows = (bytes: Uint8Array, options?: object) => Iterable<unknown>

function moduleOf(schema: Schema, int64: 'bigint' | 'number', projections: ProjectionRequest[]): Record<string, unknown> {
  const document = { root: modelOfSchema(schema), docs: {} }
  return loadModule(emitModule({ document, schema, name: 'Root', source: 'random', int64, projections }).code)
}

function expectSame(dynamic: Outcome, generated: Outcome, what: object): void {
  if (isSame(dynamic, generated)) return
  const text = (result: Outcome): string => inspect({ ...what, ...result }, { depth: null })
  expect(text(generated)).toBe(text(dynamic))
}

/** A schema with a struct in it, inside lists, options and dicts at times. */
function projectable(random: Random): Schema {
  for (;;) {
    const schema = random.chance(2) ? randomStruct(random, 3) : randomSchema(random, 4)
    if (pathsOf(schema).length > 0) return schema
  }
}

/** Bytes as they are but for 64 before them, at an odd offset, and mutated ones. */
function inputs(random: Random, bytes: Uint8Array): Uint8Array[] {
  const shifted = new Uint8Array(bytes.length + 3).subarray(3)
  shifted.set(bytes)
  return [shifted, ...Array.from({ length: 9 }, () => mutated(random, bytes))]
}

test(`${SCHEMAS} random projections read and refuse as the engine does`, () => {
  const random = new Random(20261201)
  const codes = new Map<unknown, number>()
  let iterated = 0
  for (let n = 0; n < SCHEMAS; n++) {
    const schema = projectable(random)
    const int64 = random.chance(4) ? 'number' : 'bigint'
    const selections = [randomPaths(random, schema), randomPaths(random, schema)]
    const projections = selections.map((paths, i) => ({
      name: `Some${'AB'[i]!}`,
      selection: selectionOf(schema, paths) as ProjectionRequest['selection'],
    }))
    const generated = moduleOf(schema, int64, projections)
    for (const [i, paths] of selections.entries()) {
      const name = `Some${'AB'[i]!}`
      const read = generated[`project${name}`] as Read
      const view = (generated[`project${name}View`] ?? read) as Read
      const dynamic = projectAny(schema, paths)
      const dynamicView = projectViewAny(schema, paths)
      for (let m = 0; m < 2; m++) {
        const bytes = encode(schema, randomValue(random, schema))
        for (const input of inputs(random, bytes)) {
          const options = random.of(LIMITS)
          const what = { schema: schema.text, paths, options, input: Buffer.from(input).toString('hex') }
          const wanted = outcome(() => dynamic(input, { ...options, int64 }))
          expectSame(wanted, outcome(() => read(input, options)), { what: 'project', ...what })
          expectSame(
            outcome(() => dynamicView(input, { ...options, int64 })),
            outcome(() => view(input, options)),
            { what: 'projectView', ...what },
          )
          const rows = generated[`iterate${name}`] as Rows | undefined
          expect(rows === undefined).toBe(schema.kind !== 'list')
          if (rows !== undefined && 'value' in wanted) {
            expect(steps(() => rows(input, options))).toEqual({
              value: [wanted.value, { value: undefined }],
            })
            iterated++
          }
          codes.set(codeOf(wanted), (codes.get(codeOf(wanted)) ?? 0) + 1)
        }
      }
    }
  }
  const found = [...codes.keys()].filter((code) => code !== undefined)
  expect(found.sort()).toEqual(['EOF', 'FRAME', 'LIMIT', 'TRAILING', 'TYPE', 'UTF8'])
  expect(codes.get(undefined)).toBeGreaterThan(SCHEMAS)
  expect(iterated).toBeGreaterThan(SCHEMAS / 4)
}, 600_000)

test('elements of a projected list that come before a fault, and the fault', () => {
  const schema = k.list(k.struct({ name: k.string, id: k.u8 }))
  const generated = moduleOf(schema, 'bigint', [{ name: 'Ids', selection: new Map([['id', 'all']]) }])
  const bytes = encode(schema, [{ name: 'ab', id: 1 }, { name: 'c', id: 2 }])
  const rows = generated['iterateIds'] as Rows
  expect(steps(() => rows(bytes.subarray(0, -1)))).toEqual({
    value: [[{ id: 1 }], { error: ['EOF', '[1].id', 16, '1 bytes of u8 announced, 0 left'] }],
  })
  expect(steps(() => iterate(schema, bytes.subarray(0, -1)))).toEqual({
    value: [[{ name: 'ab', id: 1 }], { error: ['EOF', '[1].id', 16, '1 bytes of u8 announced, 0 left'] }],
  })
})

test('200 random schemas with tensors are placed, and refused, as by the engine', () => {
  const random = new Random(20261202)
  const codes = new Set<unknown>()
  let moved = 0
  for (let n = 0; n < 200; n++) {
    const inner = randomSchema(random, 3)
    const schema = random.of([
      k.struct([['a', inner], ['t', k.tensors], ['z', k.u8]]),
      k.struct([['a', inner], ['b', k.option(k.struct([['c', inner], ['t', k.tensors]]))], ['s', k.string]]),
      k.list(k.struct([['a', inner], ['t', k.option(k.tensors)]])),
      k.dict(k.string, k.struct([['a', inner], ['l', k.list(k.tensors)]])),
      k.tensors,
    ])
    const generated = moduleOf(schema, 'bigint', [])
    const place = generated['placeRoot'] as (bytes: Uint8Array, options?: object) => Uint8Array
    for (let m = 0; m < 3; m++) {
      const bytes = encode(schema, randomValue(random, schema) as never)
      for (const input of inputs(random, bytes)) {
        const options = random.of(LIMITS)
        const what = { schema: schema.text, options, input: Buffer.from(input).toString('hex') }
        const where = (placed: Uint8Array): unknown => [placed === input, placed.byteOffset % 64, Buffer.from(placed)]
        const wanted = outcome(() => where(placeFor(schema, input, options)))
        expectSame(wanted, outcome(() => where(place(input, options))), { what: 'place', ...what })
        codes.add(codeOf(wanted))
        if ('value' in wanted && (wanted.value as unknown[])[0] === false) moved++
      }
      const frame = encodeFrame(schema, randomValue(random, schema) as never, { schema: random.chance(2) })
      for (const input of inputs(random, frame)) {
        const where = (placed: Uint8Array): unknown => [placed === input, placed.byteOffset % 64]
        expectSame(
          outcome(() => where(placeFor(schema, input, { frame: true }))),
          outcome(() => where(place(input, { frame: true }))),
          { schema: schema.text },
        )
      }
    }
  }
  expect([...codes].sort()).toEqual(['EOF', 'LIMIT', 'TYPE', undefined])
  expect(moved).toBeGreaterThan(300)
}, 600_000)
