import { describe, expect, test } from 'vitest'
import { generate, type Generation, type GenerateOptions } from '../../src/gen/generate.js'
import { functionsOf, loadModule } from './support/load-module.js'

function run(document: unknown, options: Partial<GenerateOptions> = {}): Generation {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return generate(text, { source: 'thing.json', name: 'Thing', ...options })
}

/** The Kiln schema that a document becomes. */
function schemaOf(document: unknown, options: Partial<GenerateOptions> = {}): string {
  const { code, refusals } = run(document, options)
  expect(refusals).toEqual([])
  return functionsOf(loadModule(code!), 'Thing').text
}

/** Where a document is refused. */
function refusedAt(document: unknown, options: Partial<GenerateOptions> = {}): string[] {
  const { code, refusals } = run(document, options)
  expect(code).toBeUndefined()
  return refusals.map(({ pointer }) => pointer)
}

describe('types', () => {
  test.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'boolean' }, 'bool'],
    [{ type: 'integer' }, 'i64'],
    [{ type: 'number' }, 'f64'],
    [{ type: 'integer', format: 'int8' }, 'i8'],
    [{ type: 'integer', format: 'int16' }, 'i16'],
    [{ type: 'integer', format: 'int32' }, 'i32'],
    [{ type: 'integer', format: 'int64' }, 'i64'],
    [{ type: 'integer', format: 'uint8' }, 'u8'],
    [{ type: 'integer', format: 'uint16' }, 'u16'],
    [{ type: 'integer', format: 'uint32' }, 'u32'],
    [{ type: 'integer', format: 'uint64' }, 'u64'],
    [{ type: 'number', format: 'float' }, 'f32'],
    [{ type: 'number', format: 'double' }, 'f64'],
    [{ type: 'number', format: 'float16' }, 'f16'],
    [{ type: 'number', format: 'bfloat16' }, 'bf16'],
    [{ type: 'string', contentEncoding: 'base64' }, 'bytes'],
    [{ type: 'string', format: 'byte' }, 'bytes'],
    [{ type: 'string', format: 'date-time' }, 'string'],
    [{ type: 'integer', format: 'unix-time' }, 'i64'],
    [{ type: 'array', items: { type: 'number', format: 'float' } }, 'list<f32>'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'dict<string,bool>'],
    [{ type: 'object', properties: {}, additionalProperties: { type: 'boolean' } }, 'dict<string,bool>'],
    [{ type: ['string'] }, 'string'],
    [{ type: ['string', 'null'] }, 'option<string>'],
    [{ type: ['null', 'integer'], format: 'uint8' }, 'option<u8>'],
    [{ type: 'string', nullable: true }, 'option<string>'],
    [{ type: 'string', nullable: false }, 'string'],
    [{ type: ['string', 'null'], nullable: true }, 'option<string>'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'option<string>'],
    [{ oneOf: [{ type: 'null' }, { type: 'array', items: { type: 'boolean' } }] }, 'option<list<bool>>'],
    [{ allOf: [{ type: 'string' }], nullable: true, description: 'one' }, 'option<string>'],
    [{ type: 'array', items: { type: ['boolean', 'null'] } }, 'list<option<bool>>'],
  ])('%j is %s', (document, schema) => {
    expect(schemaOf(document)).toBe(schema)
  })

  test('fields keep the order of the document, names that look like numbers too', () => {
    const document = '{"type":"object","properties":{"b":{"type":"string"},"2":{"type":"boolean"},"a":{"type":"number"},"1":{"type":"integer"}},"required":["1","2"]}'
    expect(schemaOf(document)).toBe('struct{b:option<string>,2:bool,a:option<f64>,1:i64,}')
  })

  test('a member that may be missing and one that may be null are told apart in what encode takes', () => {
    const member = { type: 'string' }
    const { code } = run({
      type: 'object',
      required: ['required', 'nullable'],
      properties: { required: member, optional: member, nullable: { ...member, nullable: true }, both: { type: ['string', 'null'] } },
    })
    expect(code).toContain('required: string\n  optional: string | undefined\n  nullable: string | undefined\n  both: string | undefined\n')
    expect(code).toContain('readonly required: string\n')
    expect(code).toContain('readonly optional?: string | undefined\n')
    expect(code).toContain('readonly nullable: string | null | undefined\n')
    expect(code).toContain('readonly both?: string | null | undefined\n')
  })

  test('keywords that are names of members are members', () => {
    const properties = Object.fromEntries(['description', 'type', 'properties', 'required', '$ref', 'enum', 'title'].map((name) => [name, { type: 'string' }]))
    expect(schemaOf({ type: 'object', properties, required: Object.keys(properties) })).toBe(
      'struct{description:string,type:string,properties:string,required:string,$ref:string,enum:string,title:string,}',
    )
  })

  test('annotations and keywords that nobody knows are passed over', () => {
    const notes = {
      $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://example.org/x', $comment: 'c', title: 't', description: 'd',
      default: 1, examples: [1], example: 1, deprecated: true, readOnly: true, writeOnly: true, externalDocs: {}, xml: {},
      markdownDescription: 'm', 'x-anything': { enum: [1] }, definitions: { Unused: { oneOf: [] } },
    }
    expect(schemaOf({ ...notes, type: 'integer' })).toBe('i64')
  })
})

describe('references', () => {
  const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }

  test.each(['$defs', 'definitions'])('into %s', (place) => {
    const document = { [place]: { Point: point }, type: 'object', properties: { a: { $ref: `#/${place}/Point` }, b: { $ref: `#/${place}/Point` } }, required: ['a'] }
    expect(schemaOf(document)).toBe('struct{a:struct{x:f64,},b:option<struct{x:f64,}>,}')
    const { code } = run(document)
    expect(code!.match(/^export interface \w+/gm)).toEqual(['export interface Thing', 'export interface ThingInput', 'export interface Point'])
  })

  test('names with slashes, tildes and spaces, escaped', () => {
    const document = { $defs: { 'a/b ~c': { type: 'boolean' } }, type: 'array', items: { $ref: '#/$defs/a~1b%20~0c' } }
    expect(schemaOf(document)).toBe('list<bool>')
  })

  test('by the document\'s own $id', () => {
    const document = { $id: 'https://example.org/s.json', $defs: { A: { type: 'boolean' } }, $ref: 'https://example.org/s.json#/$defs/A' }
    expect(schemaOf(document)).toBe('bool')
  })

  test('inside a schema with an $id of its own, from there', () => {
    const inner = { $id: 'https://example.org/inner', $defs: { A: { type: 'boolean' } }, type: 'array', items: { $ref: '#/$defs/A' } }
    expect(schemaOf({ $defs: { A: { type: 'string' }, Inner: inner }, $ref: '#/$defs/Inner' })).toBe('list<bool>')
  })

  test('a cycle is refused with the way around it', () => {
    const document = { $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node', description: 'd' } } } }, $ref: '#/$defs/Node' }
    const { refusals } = run(document)
    expect(refusals).toHaveLength(1)
    expect(refusals[0]!.detail).toContain('contains itself: #/$defs/Node → #/$defs/Node/properties/next → #/$defs/Node.')
  })

  test('a definition that is used twice at every level costs no more than its text', () => {
    const $defs: Record<string, unknown> = { D0: { type: 'boolean' } }
    for (let i = 1; i <= 60; i++) {
      const ref = { $ref: `#/$defs/D${i - 1}` }
      $defs[`D${i}`] = { type: 'object', properties: { a: ref, b: ref }, required: ['a', 'b'] }
    }
    expect(() => run({ $defs, $ref: '#/$defs/D60' })).toThrow(/^LIMIT: the Kiln schema of this document would take \d+ bytes of text/)
    expect(schemaOf({ $defs, $ref: '#/$defs/D9' })).toMatch(/^struct\{a:struct\{/)
  })

  test.each([
    [{ $ref: 'other.json#/a' }, '#/$ref'],
    [{ $ref: 'https://example.org/schema' }, '#/$ref'],
    [{ $ref: '#/nowhere' }, '#/$ref'],
    [{ $ref: '#anchor', $defs: { a: { $anchor: 'anchor', type: 'string' } } }, '#/$ref'],
    [{ $ref: 5 }, '#/$ref'],
    [{ $dynamicRef: '#a' }, '#/$dynamicRef'],
    [{ $ref: '#/$defs/A', type: 'string', $defs: { A: { type: 'string' } } }, '#/type'],
  ])('%j is refused', (document, pointer) => {
    expect(refusedAt(document)).toEqual([pointer])
  })

  test('beside a reference nothing counts up to draft 7, and that is said', () => {
    const document = { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { A: { type: 'string' } }, type: 'array', items: { $ref: '#/definitions/A', minLength: 3, description: 'd' } }
    expect(schemaOf(document)).toBe('list<string>')
    expect(run(document).notes).toEqual(['#/items: in draft 7 nothing beside "$ref" counts; passed over: minLength'])
    expect(refusedAt({ ...document, $schema: 'https://json-schema.org/draft/2019-09/schema' })).toEqual(['#/items/minLength'])
  })
})

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
    ['no further members', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false, unevaluatedProperties: false }],
    ['further members', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }],
  ])('%s changes nothing', (_, document) => {
    expect(run(document).code).toBeDefined()
  })

  test('a limit inside of the type\'s own counts', () => {
    expect(refusedAt({ type: 'integer', format: 'uint8', minimum: 1, maximum: 254 })).toEqual(['#/minimum', '#/maximum'])
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
    [{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }, '#/additionalProperties'],
    [{ type: 'object', properties: { a: { type: 'string' } }, patternProperties: { '^x': { type: 'string' } } }, '#/patternProperties'],
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
    [{ type: 'object', properties: { a: { type: 'string' } }, allOf: [{ properties: { b: { type: 'string' } } }] }, '#/allOf'],
    [{ $schema: 'https://example.org/own', type: 'string' }, '#/$schema'],
    [{ openapi: '3.0.1', components: { schemas: { A: { type: 'string' } } } }, '#'],
    [{ openapi: '2.9', components: {} }, '#'],
    [{ swagger: '2.0', definitions: {} }, '#'],
  ])('%j is refused at %s', (document, pointer) => {
    expect(refusedAt(document)).toEqual([pointer])
  })

  test('what lies in a branch is not dropped with it', () => {
    const document = { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ properties: { b: { type: 'string' } } }] }
    expect(refusedAt(document, { ignore: ['allOf'] })).toEqual(['#/allOf'])
  })

  test('everything that is in the way is told at once', () => {
    const properties = { a: { type: 'string', pattern: 'x' }, b: { oneOf: [] }, c: { type: 'array' }, d: { type: 'boolean' } }
    expect(refusedAt({ type: 'object', properties })).toEqual(['#/properties/a/pattern', '#/properties/b/oneOf', '#/properties/c'])
  })

  test('a document that is far from the subset is told in part', () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'null' }]))
    const { refusals, moreRefusals } = run({ type: 'object', properties })
    expect([refusals.length, moreRefusals]).toEqual([40, 60])
  })
})

describe('OpenAPI', () => {
  const document = (openapi: string): unknown => ({
    openapi,
    info: { title: 't', version: '1' },
    paths: {},
    components: {
      schemas: {
        User: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, pet: { $ref: '#/components/schemas/Pet' } } },
        Pet: { type: 'object', properties: { tag: { type: 'string', nullable: true } } },
      },
    },
  })

  test.each(['3.0.0', '3.0.3', '3.1.0'])('%s by --pointer', (version) => {
    expect(schemaOf(document(version), { pointer: '#/components/schemas/User' })).toBe('struct{name:string,pet:option<struct{tag:option<string>,}>,}')
  })

  test('without a pointer the schemas are listed', () => {
    expect(run(document('3.1.0')).refusals[0]!.detail).toBe(
      'this is an OpenAPI document; name one of its schemas by --pointer: #/components/schemas/User, #/components/schemas/Pet',
    )
    expect(run(document('3.1.0'), { pointer: '#/components/schemas/None' }).refusals[0]!.detail).toContain('there is nothing at')
    expect(run(document('3.1.0'), { pointer: 'User' }).refusals[0]!.detail).toContain('is no JSON Pointer')
  })

  test('the pointer names the type', () => {
    const { code } = generate(JSON.stringify(document('3.0.3')), { source: 'api.json', pointer: '/components/schemas/User' })
    expect(code).toContain('export function decodeUser(')
    expect(code).toContain('export interface Pet {')
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

  test('nesting without end is LIMIT, in JSON and in what it stands for', () => {
    expect(() => run('['.repeat(100_000))).toThrow(/^LIMIT: the JSON nests over 256 levels deep/)
    expect(() => run('{"a":'.repeat(100_000))).toThrow(/^LIMIT/)
    let document: unknown = { type: 'string' }
    for (let i = 0; i < 65; i++) document = { type: 'array', items: document }
    expect(() => run(document)).toThrow(/^LIMIT: schemas nest at most 64 levels deep/)
  })
})

test('schema text, with white space, of every type', () => {
  const { code } = generate('struct{ id: i64, batch: tensors }\n', { source: 'sample.kiln' })
  expect(code).toContain('export const sampleHash = 0xe58aadc7552f0d82n\n')
  expect(code).toContain('batch: Directory\n')
})

test('line ends, a byte order mark and white space of the document change nothing', () => {
  const text = JSON.stringify({ type: 'object', title: 'A b', properties: { a: { type: 'string', description: 'one\ntwo' } } }, null, 2)
  const { code } = run(text)
  expect(run(`\ufeff${text.replaceAll('\n', '\r\n')}`).code).toBe(code)
  expect(run(text.replaceAll('one\\ntwo', 'one\\r\\ntwo')).code).toBe(code)
  expect(run(text).code).toBe(code)
})
