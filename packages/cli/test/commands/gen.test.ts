import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { encodeFrame, k } from 'kiln-format'
import { kiln, kilnJson } from '../support/in-process.js'
import { temporaryFolder } from '../support/folder.js'

const path = temporaryFolder()

function write(name: string, content: unknown): string {
  const file = path(name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const user = write('user.schema.json', {
  title: 'User',
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' } },
})
const point = write('point.kiln', 'struct{x:f32,y:f32}')
const bad = write('bad.json', {
  type: 'object',
  properties: { a: { type: 'string', pattern: 'x' }, b: { type: 'array' } },
})

test('one document to standard output, to a file and to a folder', async () => {
  const { stdout, code } = await kiln(['gen', user])
  expect(code).toBe(0)
  expect(stdout).toContain('export function decodeUser(')
  expect(await kiln(['gen', user, '-o', path('one/user.ts')])).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(path('one/user.ts'), 'utf8')).toBe(stdout)
  expect((await kiln(['gen', user, '-o', path('two')])).code).toBe(0)
  expect(readFileSync(path('two/user.ts'), 'utf8')).toBe(stdout)
})

test('several documents to a folder; nothing is written if one is refused', async () => {
  expect((await kiln(['gen', user, point, '-o', path('many')])).code).toBe(0)
  expect(readdirSync(path('many')).sort()).toEqual(['point.ts', 'user.ts'])
  const refused = await kiln(['gen', user, bad, '-o', path('none')])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toBe(
    `kiln: SCHEMA at ${bad}#/properties/a/pattern: "pattern" allows certain texts only, ` +
      "which a Kiln schema can't say; remove it, or pass --ignore pattern to accept more than the document does\n" +
      `kiln: SCHEMA at ${bad}#/properties/b: an array without "items" holds anything; say what its elements are\n`,
  )
  expect(() => statSync(path('none'))).toThrow('ENOENT')
})

test('--check tells what is stale or missing, and writes nothing', async () => {
  const output = path('checked.ts')
  const missing = await kiln(['gen', user, '-o', output, '--check'])
  expect([missing.code, missing.stderr]).toEqual([1, `kiln: ${output} is not there; run kiln gen without --check\n`])
  await kiln(['gen', user, '-o', output])
  expect(await kiln(['gen', user, '-o', output, '--check'])).toMatchObject({ code: 0, stderr: '' })
  const text = readFileSync(output, 'utf8')
  writeFileSync(output, text.replaceAll('\n', '\r\n'))
  expect((await kiln(['gen', user, '-o', output, '--check'])).code).toBe(0)
  writeFileSync(output, `${text}// more\n`)
  const stale = await kiln(['gen', user, '-o', output, '--check'])
  expect([stale.code, stale.stderr]).toEqual([
    1,
    `kiln: ${output} is not what ${user} makes now; run kiln gen without --check\n`,
  ])
  expect(readFileSync(output, 'utf8')).toBe(`${text}// more\n`)
})

test('a module that is the same already is left as it is', async () => {
  const output = path('kept.ts')
  await kiln(['gen', user, '-o', output])
  const before = statSync(output).mtimeMs
  await new Promise((resolve) => setTimeout(resolve, 20))
  await kiln(['gen', user, '-o', output])
  expect(statSync(output).mtimeMs).toBe(before)
})

test('--name, --pointer, --ignore and --int64', async () => {
  const api = write('api.json', {
    openapi: '3.1.0',
    components: { schemas: { Pet: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } } } },
  })
  expect((await kiln(['gen', api])).stderr).toContain('name one of its schemas by --pointer: #/components/schemas/Pet')
  const { stdout, code } = await kiln([
    'gen',
    api,
    '--pointer',
    '#/components/schemas/Pet',
    '--ignore',
    'minimum',
    '--int64',
    'number',
    '--name',
    'animal',
  ])
  expect(code).toBe(0)
  expect(stdout).toContain('export interface Animal {\n  id: number | undefined\n}')
})

test('--project adds functions that read some fields, and goes with --check', async () => {
  const rows = write('rows.kiln', 'list<struct{id:i64,name:string,at:struct{x:f32,y:f32},=:u8}>')
  const output = path('rows.ts')
  const command = ['gen', rows, '-o', output, '--project', 'ids=id', '--project', 'odd place=at.y,=']
  expect(await kiln(command)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const text = readFileSync(output, 'utf8')
  const plain = await kiln(['gen', rows])
  expect(text).toContain('export function projectIds(bytes: ByteInput, options?: ReadOptions): Ids {')
  expect(text).toContain('export interface OddPlaceItem {\n  at: OddPlaceItemAt\n  \'=\': number\n}')
  // What a module has without projections, it has with them as it was.
  const body = (code: string): string => code.slice(code.indexOf('/** The schema of'))
  expect(body(text).startsWith(body(plain.stdout))).toBe(true)
  expect(await kiln([...command, '--check'])).toMatchObject({ code: 0, stderr: '' })
  const stale = await kiln(['gen', rows, '-o', output, '--project', 'ids=id,name', '--check'])
  expect([stale.code, stale.stderr]).toEqual([
    1,
    `kiln: ${output} is not what ${rows} makes now; run kiln gen without --check\n`,
  ])
})

test('a projection whose path leads nowhere is SCHEMA and names the option; nothing is written', async () => {
  const rows = write('nowhere.kiln', 'list<struct{id:i64,name:string}>')
  const output = path('nowhere.ts')
  const wrong = await kiln(['gen', rows, '-o', output, '--project', 'Ids=id', '--project', 'Some=id,nam'])
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    `kiln: SCHEMA at ${rows}: --project Some: the path "nam" leads to no field; there are id, name\n`,
  ])
  expect(() => statSync(output)).toThrow('ENOENT')
  expect((await kiln(['gen', rows, '--project', 'Some=id.x'])).stderr).toBe(
    `kiln: SCHEMA at ${rows}: --project Some: the path "id.x" goes into i64, which has no fields\n`,
  )
  expect((await kiln(['gen', rows, '--project', 'Some='])).stderr).toContain('the path "" leads to no field')
})

test('standard input, a file of frames, and an error in the text', async () => {
  expect((await kiln(['gen', '-'], { stdin: 'list<f32>' })).stdout).toContain('export function decodeStandardInput(')
  const frames = path('frames.kiln')
  writeFileSync(frames, encodeFrame(k.struct({ a: k.u8 }), { a: 1 }, { schema: true }))
  expect((await kiln(['gen', frames])).stdout).toContain('export interface Frames {\n  a: number\n}')
  writeFileSync(frames, encodeFrame(k.struct({ a: k.u8 }), { a: 1 }))
  expect((await kiln(['gen', frames])).stderr).toContain('the frame brings no schema')
  const broken = await kiln(['gen', write('broken.json', '{"type":')])
  expect([broken.code, broken.stdout]).toEqual([1, ''])
  expect(broken.stderr).toContain('this is no JSON: a value expected (line 1, column 9), the text ends')
  expect((await kiln(['gen', path('absent.json')])).stderr).toContain('there is no such file')
})

test('--json tells what became of each document', async () => {
  const output = path('reported')
  mkdirSync(output)
  expect(await kilnJson(['gen', user, '-o', output])).toEqual({
    modules: [{ file: user, output: `${output}/user.ts`, state: 'written', refusals: [], moreRefusals: 0, notes: [] }],
  })
  const { code, stdout } = await kiln(['gen', bad, '-o', output, '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    modules: [
      { file: bad, state: 'refused', refusals: [{ pointer: '#/properties/a/pattern' }, { pointer: '#/properties/b' }] },
    ],
  })
})

test.each([
  [['gen'], 'missing required argument'],
  [['gen', user, '--check'], '--check compares with a file'],
  [['gen', user, '--json'], '--json reports on a file'],
  [['gen', user, point], 'several documents need a folder'],
  [['gen', user, point, '-o', 'x.ts'], 'several documents need a folder'],
  [['gen', user, point, '-o', 'x', '--name', 'A'], '--pointer, --name and --project go with one document'],
  [['gen', user, point, '-o', 'x', '--project', 'A=id'], '--pointer, --name and --project go with one document'],
  [['gen', user, '--project', 'id'], '--project id is not NAME=path,path, as in --project Scores=id,user.name'],
  [['gen', user, '--project', '*=id'], '--project *=id is not NAME=path,path'],
  [['gen', user, '--project', 'my ids=id', '--project', 'MyIds=id'], '--project MyIds stands twice'],
  [['gen', user, user, '-o', 'x'], 'would both become'],
  [['gen', user, '--name', '!'], '--name ! has no letter in it'],
  [['gen', user, '--ignore', 'type'], '--ignore type would not only widen what is accepted'],
  [['gen', user, '--ignore', 'patternProperties'], '--ignore patternProperties'],
  [['gen', user, '--int64', 'string'], 'Allowed choices are bigint, number'],
  [['gen', '-', '-o', 'folder'], 'standard input has no name'],
])('%j is wrong usage', async (args, message) => {
  const { code, stderr } = await kiln(args)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})
