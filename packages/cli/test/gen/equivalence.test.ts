import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decode, encode, encodedSize, encodeParts, iterate, iterateView, MessageWriter, view } from 'kiln-format'
import type { Int64, Schema } from 'kiln-format'
import { emitModule } from '../../src/gen/emit/module.js'
import { modelOfSchema } from '../../src/gen/model/from-kiln.js'
import { codeOf, isSame, outcome, plain, steps, type Outcome } from './support/compare.js'
import { functionsOf, loadModule, type Generated } from './support/load-module.js'
import { mutated } from './support/mutated.js'
import { Random } from './support/random.js'
import { randomSchema } from './support/random-schema.js'
import { randomValue, spoiled } from './support/random-value.js'

const SCHEMAS = 1000

// Nine of ten inputs are refused, and a stack for each would take most of the time.
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

function generatedFor(schema: Schema, int64: 'bigint' | 'number'): Generated {
  const document = { root: modelOfSchema(schema), docs: {} }
  return functionsOf(loadModule(emitModule({ document, schema, name: 'Root', source: 'random', int64 }).code), 'Root')
}

function expectSame(dynamic: Outcome, generated: Outcome, schema: Schema, what: string): void {
  if (isSame(dynamic, generated)) return
  const text = (result: Outcome): string => inspect({ what, schema: schema.text, ...result }, { depth: null })
  expect(text(generated)).toBe(text(dynamic))
}

test(`${SCHEMAS} random schemas read, write and refuse as the engine does`, () => {
  const random = new Random(20261130)
  const codes = new Map<unknown, number>()
  let refusals = 0
  let unwritable = 0
  const writer = new MessageWriter()
  for (let n = 0; n < SCHEMAS; n++) {
    const schema = randomSchema(random)
    const int64: Int64 = random.chance(4) ? 'number' : 'bigint'
    const generated = generatedFor(schema, int64)
    expect([generated.text, generated.hash]).toEqual([schema.text, schema.hash])
    for (let m = 0; m < 2; m++) {
      const value = randomValue(random, schema)
      const bytes = encode(schema, value)
      expectSame(
        { value: plain(bytes) },
        outcome(() => generated.encode(value)),
        schema,
        'encode',
      )
      expect(generated.encodedSize(value)).toBe(encodedSize(schema, value))
      const target = new Uint8Array(bytes.length + 2).fill(0xaa)
      expect(generated.encodeInto(value, target.subarray(1, -1))).toBe(bytes.length)
      expect([target[0], plain(target.slice(1, -1)), target.at(-1)]).toEqual([0xaa, plain(bytes), 0xaa])
      expect(plain(Uint8Array.from(generated.encodeReusing(writer, value)))).toEqual(plain(bytes))
      expect(plain(generated.encodeParts(value))).toEqual(plain(encodeParts(schema, value)))
      for (let i = 0; i < 4; i++) {
        const bad = spoiled(random, value)
        const dynamic = outcome(() => encode(schema, bad as never))
        expectSame(
          dynamic,
          outcome(() => generated.encode(bad)),
          schema,
          'encode, spoiled',
        )
        if ('error' in dynamic) unwritable++
      }
      // At an odd offset of a larger buffer, as messages come from a socket.
      const shifted = new Uint8Array(bytes.length + 3).subarray(3)
      shifted.set(bytes)
      for (let i = 0; i < 8; i++) {
        const input = i === 0 ? shifted : mutated(random, bytes)
        const options = random.of([
          {},
          { strict: true },
          { limits: { count: 3, string: 30, numbers: 100, tensors: 2 } },
        ])
        const owned = outcome(() => decode(schema, input, { ...options, int64 }))
        expectSame(
          owned,
          outcome(() => generated.decode(input, options)),
          schema,
          'decode',
        )
        expectSame(
          outcome(() => view(schema, input, { ...options, int64 })),
          outcome(() => generated.view(input, options)),
          schema,
          'view',
        )
        if (schema.kind === 'list' && generated.iterate !== undefined) {
          const rows = { ...options, int64 }
          expectSame(
            steps(() => iterate(schema, input, rows)),
            steps(() => generated.iterate!(input, options)),
            schema,
            'iterate',
          )
          const views = generated.iterateView ?? generated.iterate
          expectSame(
            steps(() => iterateView(schema, input, rows)),
            steps(() => views(input, options)),
            schema,
            'iterateView',
          )
        }
        codes.set(codeOf(owned), (codes.get(codeOf(owned)) ?? 0) + 1)
        if ('error' in owned) refusals++
      }
    }
  }
  // The mutations reach every error that a body can have.
  expect([...codes.keys()].filter((code) => code !== undefined).sort()).toEqual([
    'EOF',
    'FRAME',
    'LIMIT',
    'TRAILING',
    'TYPE',
    'UTF8',
  ])
  expect(unwritable).toBeGreaterThan(SCHEMAS)
  expect(refusals).toBeGreaterThan(SCHEMAS * 4)
}, 600_000)
