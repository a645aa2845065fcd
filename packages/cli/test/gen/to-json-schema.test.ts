import { expect, test } from 'vitest'
import { parseSchema } from 'kiln-format'
import { generate } from '../../src/gen/generate.js'
import { toJsonSchema } from '../../src/gen/to-json-schema.js'
import { kiln } from '../support/in-process.js'
import { functionsOf, loadModule } from './support/load-module.js'
import { Random } from './support/random.js'
import { randomSchema } from './support/random-schema.js'

test('a schema as a document', () => {
  const schema = parseSchema('struct{2:u8,1:option<list<f32>>,raw:bytes,m:dict<string,option<i64>>}')
  expect(toJsonSchema(schema, 'Thing')).toBe(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Thing",
  "type": "object",
  "properties": {
    "2": {
      "type": "integer",
      "format": "uint8",
      "minimum": 0,
      "maximum": 255
    },
    "1": {
      "type": "array",
      "items": {
        "type": "number",
        "format": "float"
      }
    },
    "raw": {
      "type": "string",
      "contentEncoding": "base64"
    },
    "m": {
      "type": "object",
      "additionalProperties": {
        "type": ["integer", "null"],
        "format": "int64"
      }
    }
  },
  "required": ["2", "raw", "m"],
  "additionalProperties": false
}
`)
})

test('gen reads it back to the same schema', () => {
  const random = new Random(7)
  let same = 0
  while (same < 100) {
    const schema = randomSchema(random)
    if (/tensors|dict<(?!string)/.test(schema.text)) continue
    const { code, refusals } = generate(toJsonSchema(schema, undefined), { source: 'x.json', name: 'Root' })
    expect(refusals).toEqual([])
    expect(functionsOf(loadModule(code!), 'Root').text).toBe(schema.text)
    same++
  }
})

test.each([
  ['struct{a:struct{b:list<tensors>}}', /^SCHEMA at \["a\.b\[\]"\]|SCHEMA at .*JSON Schema can't say tensors/],
  ['dict<u8,string>', /^SCHEMA: JSON Schema can't say a dict with keys of u8/],
])('%s is refused', (text, message) => {
  expect(() => toJsonSchema(parseSchema(text), undefined)).toThrow(message)
})

test('as a command', async () => {
  const { code, stdout } = await kiln(['schema', 'to-json-schema', 'list<u64>', '--title', 'IDs'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'IDs',
    type: 'array',
    items: { type: 'integer', format: 'uint64', minimum: 0 },
  })
  expect(await kiln(['schema', 'to-json-schema', 'tensors'])).toMatchObject({ code: 1, stdout: '' })
})
