import { expect, test } from 'vitest'
import * as runtime from 'kiln-format/runtime'
import { RUNTIME_NAMES } from '../../src/gen/emit/runtime-names.js'
import { docComment } from '../../src/gen/emit/docs.js'
import { literal } from '../../src/gen/emit/text.js'
import { generate } from '../../src/gen/generate.js'
import { baseName } from '../../src/gen/names/file-name.js'
import { camelCase, pascalCase } from '../../src/gen/names/words.js'
import { functionsOf, loadModule } from './support/load-module.js'
import { readDocument, typeErrors } from './support/type-check.js'

test('the names that generated code imports are those of the run-time entry', () => {
  expect([...RUNTIME_NAMES].sort()).toEqual(Object.keys(runtime).sort())
})

test.each([
  ['user profile', 'UserProfile', 'userProfile'],
  ['Unit_Cell', 'UnitCell', 'unitCell'],
  ['unit-cell', 'UnitCell', 'unitCell'],
  ['CPIConfig', 'CPIConfig', 'cpiConfig'],
  ['URL', 'URL', 'url'],
  ['7up', 'Type7up', 'type7up'],
  ['größe', 'Größe', 'größe'],
  ['ßa', 'ßa', 'ßa'],
  ['日本', '日本', '日本'],
  ['e\u0301t', '\u00c9t', '\u00e9t'],
  ['', '', ''],
  ['\u{1f600}', '', ''],
  ['*/ export', 'Export', 'export'],
  ['\u0301x', '', ''],
])('%j is %s as a type and %s as a variable', (text, type, variable) => {
  expect([pascalCase(text), camelCase(text)]).toEqual([type, variable])
})

test.each([
  ['user.schema.json', 'user'],
  ['user.json', 'user'],
  ['shop.openapi.json', 'shop'],
  ['a.kiln', 'a'],
  ['.json', '.json'],
  ['a.b.json', 'a.b'],
])('a module of %s is called %s', (file, name) => {
  expect(baseName(file)).toBe(name)
})

test.each(['', "it's", '"', `"'`, '\\', '\n\r\u2028\u2029\u0000', '${x}', '`', '</script>', '\ud800', '\u{1f600}'])(
  '%j comes back from its literal',
  (text) => {
    expect(literal(text)).toMatch(/^(['"])[ -~]*\1$/)
    // eslint-disable-next-line no-eval -- what the language makes of a literal is the question
    expect((0, eval)(literal(text))).toBe(text)
  },
)

test.each([
  ['*/ x', ['/** *\\/ x */']],
  ['a\u2028b\r\nc', ['/**', ' * a', ' * b', ' * c', ' */']],
  ['@deprecated', ['/** \\@deprecated */']],
  ['x @deprecated', ['/** x @deprecated */']],
  ['\u202eabc\u0007', ['/** U+202EabcU+0007 */']],
  ['\ud800', ['/** U+D800 */']],
  ['  \n \n', []],
  ['a\n\n\n\nb', ['/**', ' * a', ' *', ' * b', ' */']],
])('%j becomes a comment', (description, lines) => {
  expect(docComment({ description })).toEqual(lines)
})

test('long text is broken at words, and a tag does not come to the front by that', () => {
  const [, first, second] = docComment({ description: `${'word '.repeat(21)}@ts-ignore more` })
  expect(first!.length).toBeLessThanOrEqual(120)
  expect(second).not.toMatch(/^[ *]*@/)
})

test('title, description and deprecation stand in one comment', () => {
  expect(docComment({ title: 'T', description: 'D', deprecated: true })).toEqual([
    '/**',
    ' * T',
    ' *',
    ' * D',
    ' *',
    ' * @deprecated',
    ' */',
  ])
  expect(docComment({ title: 'Same  text', description: 'Same text' })).toEqual(['/** Same  text */'])
})

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })

test('equal inline objects are one type, whatever they are called', () => {
  const pos = { type: 'object', title: 'pos', properties: { line: { type: 'integer' } } }
  const bare = { type: 'object', properties: { line: { type: 'integer' } } }
  const { code } = generate(JSON.stringify(object({ a: pos, b: pos })), { source: 'x.json', name: 'Root' })
  expect(code!.match(/^export interface \w+/gm)).toEqual(
    ['Root', 'RootInput', 'Pos', 'PosInput'].map((name) => `export interface ${name}`),
  )
  // A struct without a title has other comments, none, and so is a type of its own, named by its place.
  const two = generate(JSON.stringify(object({ a: bare, b: bare, c: pos })), { source: 'x.json', name: 'Root' })
  expect(two.code!.match(/^export interface \w+(?<!Input) /gm)).toEqual([
    'export interface Root ',
    'export interface RootA ',
    'export interface Pos ',
  ])
})

test('a type keeps its name when others are added', () => {
  const inner = object({ x: { type: 'string' } })
  const before = generate(JSON.stringify(object({ data: inner })), { source: 'x.json', name: 'Root' }).code!
  const after = generate(JSON.stringify(object({ more: object({ y: { type: 'boolean' } }), data: inner })), {
    source: 'x.json',
    name: 'Root',
  }).code!
  for (const code of [before, after]) expect(code).toContain('data: RootData | undefined')
})

test('x-kiln-name names a type, whatever else would', () => {
  const document = object(
    { a: { $ref: '#/$defs/Line' }, b: object({ y: { type: 'string' } }, { title: 'Other', 'x-kiln-name': 'place' }) },
    {
      $defs: { Line: object({ x: { type: 'string' } }, { 'x-kiln-name': 'order line' }) },
      'x-kiln-name': 'order',
      title: 'T',
    },
  )
  const { code } = generate(JSON.stringify(document), { source: 'x.json' })
  const types = ['Order', 'OrderLine', 'Place'].map((name) => `export interface ${name} `)
  expect(code!.match(/^export interface \w+(?<!Input) /gm)).toEqual(types)
})

test('names that become one are told apart, and that is said', () => {
  const $defs = Object.fromEntries(
    ['Unit_Cell', 'UnitCell', 'unit-cell'].map((name, i) => [name, object({ [`f${i}`]: { type: 'string' } })]),
  )
  const properties = Object.fromEntries(Object.keys($defs).map((name) => [name, { $ref: `#/$defs/${name}` }]))
  const { code, notes } = generate(JSON.stringify(object(properties, { $defs })), { source: 'x.json', name: 'Root' })
  expect(code).toMatch(/UnitCell: UnitCell2 \| undefined/)
  expect(notes).toEqual([
    'the name UnitCell is taken; that type is called UnitCell2',
    'the name UnitCell is taken; that type is called UnitCell3',
  ])
})

test.each(['Object', 'Promise', 'Map', 'Uint8Array', 'String', 'Array', 'Record', 'ByteReader', 'OwnBytes'])(
  'a type named %s hides nothing',
  (name) => {
    const { code } = generate('struct{a:dict<string,bytes>,b:list<string>}', { source: 'x', name })
    const exported = /export interface (\w+) /.exec(code!)![1]!
    expect(exported).not.toBe(name)
    expect(typeErrors(new Map([['x.ts', code!]]))).toEqual([])
  },
)

test.each(['Input', 'View', 'Text', 'Request', 'Into'])('a type named %s is called so', (name) => {
  const { code } = generate('struct{a:dict<string,bytes>,b:list<string>}', { source: 'x', name })
  expect(code).toContain(`export interface ${name} {`)
  expect(typeErrors(new Map([['x.ts', code!]]))).toEqual([])
})

test('values of a schema full of hostile names go around, and nothing of the document runs', () => {
  const { code } = generate(readDocument('hostile.schema.json'), { source: "*/ globalThis.hit = 1 //\u2028'.json" })
  const exports = loadModule(code!)
  expect(globalThis).not.toHaveProperty('hit')
  const { encode, decode } = functionsOf(exports, 'ObjectType')
  const value = {
    class: 'c',
    constructor: 'k',
    "it's": 'i',
    '"both\'\\': 'b',
    '*/': 's',
    Map: { a: '1' },
    at: 7,
    promise: { then: 't' },
  }
  const back = decode(encode(value)) as Record<string, unknown>
  expect(back).toMatchObject({ ...value, Map: new Map([['a', '1']]) })
  expect(back['hasOwnProperty']).toBeUndefined()
  expect(() => encode({ class: 'c', "it's": 'i', '"both\'\\': 'b', '*/': 's' })).toThrow(
    /^TYPE at constructor: string takes a string, got undefined$/,
  )
})

test('a missing field is not found on the prototype, polluted or not', () => {
  const { encode } = functionsOf(
    loadModule(generate('struct{id:u8,note:option<u8>}', { source: 'x', name: 'Root' }).code!),
    'Root',
  )
  const prototype = Object.prototype as unknown as Record<string, unknown>
  expect([...encode({ id: 1 })]).toEqual([1, 0])
  try {
    prototype['id'] = 5
    prototype['note'] = 6
    expect(() => encode({})).toThrow(/^TYPE at id/)
    expect([...encode({ id: 1 })]).toEqual([1, 0])
  } finally {
    delete prototype['id']
    delete prototype['note']
  }
  expect(() => encode(Object.create({ id: 1 }))).toThrow(/^TYPE at id/)
  expect([...encode(Object.assign(Object.create(null) as object, { id: 2, note: 3 }))]).toEqual([2, 1, 3])
})
