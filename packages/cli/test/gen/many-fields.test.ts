import { encode, parseSchema } from 'kiln-format'
import { expect, test } from 'vitest'
import { generate } from '../../src/gen/generate.js'
import { functionsOf, loadModule } from './support/load-module.js'
import { typeErrors } from './support/type-check.js'

const schemaOf = (count: number): string => `struct{${Array.from({ length: count }, (_, i) => `f${i}:u8,`).join('')}}`
const codeOf = (count: number): string => generate(schemaOf(count), { source: 'wide.kiln' }).code!

test('a struct of thousands of fields is a module that the compiler takes', () => {
  const count = 3000
  const code = codeOf(count)
  expect(typeErrors(new Map([['wide.ts', code]]))).toEqual([])
  const { encode: encodeWide, decode: decodeWide } = functionsOf(loadModule(code), 'Wide')
  const value = Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i % 256]))
  const bytes = encodeWide(value)
  expect(Buffer.compare(bytes, encode(parseSchema(schemaOf(count)), value))).toBe(0)
  expect(decodeWide(bytes)).toEqual(value)
  // What Object.prototype has is no field of a value, however many there are.
  const prototype = Object.prototype as { f2999?: number }
  delete value['f2999']
  prototype.f2999 = 7
  try {
    expect(() => encodeWide(value)).toThrow('TYPE at f2999')
  } finally {
    delete prototype.f2999
  }
})

test('up to 256 fields are asked for one by one, which costs nothing', () => {
  expect(codeOf(256)).toContain("    'f255' in objectPrototype\n")
  expect(codeOf(257)).toContain('  const inherited = wideFields.some((name) => name in objectPrototype)\n')
})
