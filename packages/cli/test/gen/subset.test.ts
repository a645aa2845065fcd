import { describe, expect, test } from 'vitest'
import { generate } from '../../src/gen/generate.js'
import { refusedAt, run, schemaOf } from './support/run.js'

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
    const document =
      '{"type":"object","required":["1","2"],"properties":{"b":{"type":"string"},"2":{"type":"boolean"},' +
      '"a":{"type":"number"},"1":{"type":"integer"}}}'
    expect(schemaOf(document)).toBe('struct{b:option<string>,2:bool,a:option<f64>,1:i64,}')
  })

  test('a member that may be missing and one that may be null are told apart in what encode takes', () => {
    const member = { type: 'string' }
    const { code } = run({
      type: 'object',
      required: ['required', 'nullable'],
      properties: {
        required: member,
        optional: member,
        nullable: { ...member, nullable: true },
        both: { type: ['string', 'null'] },
      },
    })
    expect(code).toContain(
      'required: string\n  optional: string | undefined\n  nullable: string | undefined\n  both: string | undefined\n',
    )
    expect(code).toContain('readonly required: string\n')
    expect(code).toContain('readonly optional?: string | undefined\n')
    expect(code).toContain('readonly nullable: string | null | undefined\n')
    expect(code).toContain('readonly both?: string | null | undefined\n')
  })

  test('keywords that are names of members are members', () => {
    const properties = Object.fromEntries(
      ['description', 'type', 'properties', 'required', '$ref', 'enum', 'title'].map((name) => [
        name,
        { type: 'string' },
      ]),
    )
    expect(schemaOf({ type: 'object', properties, required: Object.keys(properties) })).toBe(
      'struct{description:string,type:string,properties:string,required:string,$ref:string,enum:string,title:string,}',
    )
  })

  test('annotations and keywords that nobody knows are passed over', () => {
    const notes = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.org/x',
      $comment: 'c',
      title: 't',
      description: 'd',
      default: 1,
      examples: [1],
      example: 1,
      deprecated: true,
      readOnly: true,
      writeOnly: true,
      externalDocs: {},
      xml: {},
      markdownDescription: 'm',
      'x-anything': { enum: [1] },
      definitions: { Unused: { oneOf: [] } },
    }
    expect(schemaOf({ ...notes, type: 'integer' })).toBe('i64')
  })
})

describe('references', () => {
  const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }

  test.each(['$defs', 'definitions'])('into %s', (place) => {
    const document = {
      [place]: { Point: point },
      type: 'object',
      properties: { a: { $ref: `#/${place}/Point` }, b: { $ref: `#/${place}/Point` } },
      required: ['a'],
    }
    expect(schemaOf(document)).toBe('struct{a:struct{x:f64,},b:option<struct{x:f64,}>,}')
    const { code } = run(document)
    expect(code!.match(/^export interface \w+/gm)).toEqual([
      'export interface Thing',
      'export interface ThingInput',
      'export interface Point',
    ])
  })

  test('names with slashes, tildes and spaces, escaped', () => {
    const document = { $defs: { 'a/b ~c': { type: 'boolean' } }, type: 'array', items: { $ref: '#/$defs/a~1b%20~0c' } }
    expect(schemaOf(document)).toBe('list<bool>')
  })

  test("by the document's own $id", () => {
    const document = {
      $id: 'https://example.org/s.json',
      $defs: { A: { type: 'boolean' } },
      $ref: 'https://example.org/s.json#/$defs/A',
    }
    expect(schemaOf(document)).toBe('bool')
  })

  test('inside a schema with an $id of its own, from there', () => {
    const inner = {
      $id: 'https://example.org/inner',
      $defs: { A: { type: 'boolean' } },
      type: 'array',
      items: { $ref: '#/$defs/A' },
    }
    expect(schemaOf({ $defs: { A: { type: 'string' }, Inner: inner }, $ref: '#/$defs/Inner' })).toBe('list<bool>')
  })

  test('a cycle is refused with the way around it', () => {
    const document = {
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node', description: 'd' } } } },
      $ref: '#/$defs/Node',
    }
    const { refusals } = run(document)
    expect(refusals).toHaveLength(1)
    expect(refusals[0]!.detail).toContain(
      'contains itself: #/$defs/Node → #/$defs/Node/properties/next → #/$defs/Node.',
    )
  })

  test('a definition that is used twice at every level costs no more than its text', () => {
    const $defs: Record<string, unknown> = { D0: { type: 'boolean' } }
    for (let i = 1; i <= 60; i++) {
      const ref = { $ref: `#/$defs/D${i - 1}` }
      $defs[`D${i}`] = { type: 'object', properties: { a: ref, b: ref }, required: ['a', 'b'] }
    }
    expect(() => run({ $defs, $ref: '#/$defs/D60' })).toThrow(
      /^LIMIT: the Kiln schema of this document would take \d+ bytes of text/,
    )
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
    const document = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { A: { type: 'string' } },
      type: 'array',
      items: { $ref: '#/definitions/A', minLength: 3, description: 'd' },
    }
    expect(schemaOf(document)).toBe('list<string>')
    expect(run(document).notes).toEqual(['#/items: in draft 7 nothing beside "$ref" counts; passed over: minLength'])
    expect(refusedAt({ ...document, $schema: 'https://json-schema.org/draft/2019-09/schema' })).toEqual([
      '#/items/minLength',
    ])
  })
})

describe('OpenAPI', () => {
  const document = (openapi: string): unknown => ({
    openapi,
    info: { title: 't', version: '1' },
    paths: {},
    components: {
      schemas: {
        User: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, pet: { $ref: '#/components/schemas/Pet' } },
        },
        Pet: { type: 'object', properties: { tag: { type: 'string', nullable: true } } },
      },
    },
  })

  test.each(['3.0.0', '3.0.3', '3.1.0'])('%s by --pointer', (version) => {
    expect(schemaOf(document(version), { pointer: '#/components/schemas/User' })).toBe(
      'struct{name:string,pet:option<struct{tag:option<string>,}>,}',
    )
  })

  test('without a pointer the schemas are listed', () => {
    expect(run(document('3.1.0')).refusals[0]!.detail).toBe(
      'this is an OpenAPI document; name one of its schemas by --pointer: ' +
        '#/components/schemas/User, #/components/schemas/Pet',
    )
    expect(run(document('3.1.0'), { pointer: '#/components/schemas/None' }).refusals[0]!.detail).toContain(
      'there is nothing at',
    )
    expect(run(document('3.1.0'), { pointer: 'User' }).refusals[0]!.detail).toContain('is no JSON Pointer')
  })

  test('the pointer names the type', () => {
    const { code } = generate(JSON.stringify(document('3.0.3')), {
      source: 'api.json',
      pointer: '/components/schemas/User',
    })
    expect(code).toContain('export function decodeUser(')
    expect(code).toContain('export interface Pet {')
  })
})

test('schema text, with white space, of every type', () => {
  const { code } = generate('struct{ id: i64, batch: tensors }\n', { source: 'sample.kiln' })
  expect(code).toContain('export const sampleHash = 0xe58aadc7552f0d82n\n')
  expect(code).toContain('batch: Directory\n')
})

test('line ends, a byte order mark and white space of the document change nothing', () => {
  const text = JSON.stringify(
    { type: 'object', title: 'A b', properties: { a: { type: 'string', description: 'one\ntwo' } } },
    null,
    2,
  )
  const { code } = run(text)
  expect(run(`\ufeff${text.replaceAll('\n', '\r\n')}`).code).toBe(code)
  expect(run(text.replaceAll('one\\ntwo', 'one\\r\\ntwo')).code).toBe(code)
  expect(run(text).code).toBe(code)
})
