import { describe, expect, test } from 'vitest'
import { refusedAt, run } from './support/run.js'

describe('refusals', () => {
  test.each([
    ['enum', { type: 'string', enum: ['a'] }],
    ['const', { type: 'string', const: 'a' }],
    ['pattern', { type: 'string', pattern: '^a' }],
    ['minLength', { type: 'string', minLength: 1 }],
    ['maxLength', { type: 'string', maxLength: 1 }],
    ['minimum', { type: 'integer', minimum: 0 }],
    ['maximum', { type: 'number', maximum: 0 }],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0 }],
    ['exclusiveMaximum', { type: 'number', exclusiveMaximum: true }],
    ['multipleOf', { type: 'integer', multipleOf: 2 }],
    ['minItems', { type: 'array', items: { type: 'string' }, minItems: 1 }],
    ['maxItems', { type: 'array', items: { type: 'string' }, maxItems: 1 }],
    ['uniqueItems', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
    ['contains', { type: 'array', items: { type: 'string' }, contains: { const: 'a' } }],
    ['minProperties', { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 }],
    ['propertyNames', { type: 'object', additionalProperties: { type: 'string' }, propertyNames: { maxLength: 3 } }],
    ['dependentRequired', { type: 'object', properties: { a: { type: 'string' } }, dependentRequired: { a: ['a'] } }],
    ['not', { type: 'string', not: { const: 'a' } }],
    ['oneOf', { type: 'string', oneOf: [{ enum: ['a'] }, { pattern: 'b' }] }],
    ['anyOf', { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] }],
    ['allOf', { type: 'string', allOf: [{ minLength: 2 }, { maxLength: 3 }] }],
    ['if', { type: 'string', if: { minLength: 2 } }],
  ])('"%s" is refused, and dropped when that is asked for', (keyword, document) => {
    expect(refusedAt(document)).toEqual([`#/${keyword}`])
    expect(run(document).refusals[0]!.detail).toContain(`--ignore ${keyword}`)
    expect(run(document, { ignore: [keyword] }).code).toBeDefined()
    expect(refusedAt(document, { ignore: ['title'] })).toEqual([`#/${keyword}`])
  })

  test.each([
    ['what allows everything', { type: 'string', minLength: 0 }],
    ['no uniqueness', { type: 'array', items: { type: 'string' }, uniqueItems: false, minItems: 0 }],
    ['a limit of another type', { type: 'string', minimum: 3, maxItems: 1 }],
    ['the limits that the type has anyway', { type: 'integer', format: 'uint8', minimum: 0, maximum: 255 }],
    [
      'no further members',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: false,
        unevaluatedProperties: false,
      },
    ],
    ['further members', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }],
  ])('%s changes nothing', (_, document) => {
    expect(run(document).code).toBeDefined()
  })

  test("a limit inside of the type's own counts", () => {
    expect(refusedAt({ type: 'integer', format: 'uint8', minimum: 1, maximum: 254 })).toEqual([
      '#/minimum',
      '#/maximum',
    ])
  })

  test.each([
    [{}, '#'],
    [true, '#'],
    [false, '#'],
    [[], '#'],
    ['"text"', '#'],
    [{ properties: { a: { type: 'string' } } }, '#'],
    [{ type: 'null' }, '#/type'],
    [{ type: ['string', 'integer'] }, '#/type'],
    [{ type: 'any' }, '#/type'],
    [{ type: 5 }, '#/type'],
    [{ type: 'object' }, '#'],
    [{ type: 'object', additionalProperties: true }, '#'],
    [{ type: 'object', additionalProperties: {} }, '#/additionalProperties'],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
      '#/additionalProperties',
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, patternProperties: { '^x': { type: 'string' } } },
      '#/patternProperties',
    ],
    [{ type: 'object', properties: { a: { type: 'string' } }, required: ['b'] }, '#/required/0'],
    [{ type: 'object', properties: { a: { type: 'string' } }, required: true }, '#/required'],
    [{ type: 'object', properties: { 'a b': { type: 'string' } } }, '#/properties/a b'],
    [{ type: 'object', properties: { '': { type: 'string' } } }, '#/properties/'],
    ['{"type":"object","properties":{"__proto__":{"type":"string"}}}', '#/properties/__proto__'],
    [{ type: 'object', properties: { 'a/b{': { type: 'string' } } }, '#/properties/a~1b{'],
    [{ type: 'array' }, '#'],
    [{ type: 'array', items: [{ type: 'string' }] }, '#/items'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, '#/prefixItems'],
    [{ type: 'array', items: true }, '#/items'],
    [{ type: 'string', contentEncoding: 'base32' }, '#/contentEncoding'],
    [{ type: 'string', format: 'binary' }, '#/format'],
    [{ type: 'integer', format: 'float' }, '#/format'],
    [{ type: 'number', format: 'int32' }, '#/format'],
    [{ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, '#/oneOf'],
    [
      { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ properties: { b: { type: 'string' } } }] },
      '#/allOf',
    ],
    [{ $schema: 'https://example.org/own', type: 'string' }, '#/$schema'],
    [{ openapi: '3.0.1', components: { schemas: { A: { type: 'string' } } } }, '#'],
    [{ openapi: '2.9', components: {} }, '#'],
    [{ swagger: '2.0', definitions: {} }, '#'],
  ])('%j is refused at %s', (document, pointer) => {
    expect(refusedAt(document)).toEqual([pointer])
  })

  test('what lies in a branch is not dropped with it', () => {
    const document = {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ properties: { b: { type: 'string' } } }],
    }
    expect(refusedAt(document, { ignore: ['allOf'] })).toEqual(['#/allOf'])
  })

  test('everything that is in the way is told at once', () => {
    const properties = {
      a: { type: 'string', pattern: 'x' },
      b: { oneOf: [] },
      c: { type: 'array' },
      d: { type: 'boolean' },
    }
    expect(refusedAt({ type: 'object', properties })).toEqual([
      '#/properties/a/pattern',
      '#/properties/b/oneOf',
      '#/properties/c',
    ])
  })

  test('a document that is far from the subset is told in part', () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'null' }]))
    const { refusals, moreRefusals } = run({ type: 'object', properties })
    expect([refusals.length, moreRefusals]).toEqual([40, 60])
  })
})

describe('documents that are no JSON', () => {
  test.each([
    ['{"type": "string"', /^SCHEMA: this is no JSON: "," or "}" expected \(line 1, column 18\), the text ends$/],
    ['{"type":\n "string", }', /^SCHEMA: this is no JSON: a key in double quotes expected \(line 2, column 12\)/],
    ['{"type": "string"} x', /^SCHEMA: this is no JSON: the end of the document expected/],
    ['{"a": 1, "a": 2}', /^SCHEMA: the key "a" stands twice in one object \(line 1, column 10\); remove one$/],
    ['{"a": "\n"}', /^SCHEMA: this is no JSON: a string that ends in its line/],
    ['{"a": 01}', /^SCHEMA: this is no JSON/],
    ['{"a": nul}', /^SCHEMA: this is no JSON: a value expected/],
    ['[', /^SCHEMA: this is no JSON/],
    ['struct{a:nope}', /^SCHEMA \(byte 9\): "nope" is no type$/],
    ['', /^SCHEMA/],
  ])('%j', (text, message) => {
    expect(() => run(text)).toThrow(message)
  })

  test('a chain of references without end is refused', () => {
    const $defs = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]))
    const { code, refusals } = run({ $defs: { ...$defs, d20000: { type: 'string' } }, $ref: '#/$defs/d0' })
    expect(code).toBeUndefined()
    expect(refusals).toEqual([
      { pointer: '#/$defs/d499', detail: 'schemas refer to one another over 500 levels deep; shorten the chain' },
    ])
  })

  test('nesting without end is LIMIT, in JSON and in what it stands for', () => {
    expect(() => run('['.repeat(100_000))).toThrow(/^LIMIT: the JSON nests over 256 levels deep/)
    expect(() => run('{"a":'.repeat(100_000))).toThrow(/^LIMIT/)
    let document: unknown = { type: 'string' }
    for (let i = 0; i < 65; i++) document = { type: 'array', items: document }
    expect(() => run(document)).toThrow(/^LIMIT: schemas nest at most 64 levels deep/)
  })
})
