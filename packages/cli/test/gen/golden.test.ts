import { readdirSync } from 'node:fs'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { generate, type GenerateOptions } from '../../src/gen/generate.js'
import { readDocument, typeErrors } from './support/type-check.js'

/** The documents whose modules are kept in golden/, and what is asked for beside the document. */
const documents: Readonly<Record<string, Omit<GenerateOptions, 'source'>>> = {
  'batch.kiln': {},
  'embedding.kiln': {},
  'every-type.kiln': {},
  'every-type-numbers.kiln': { int64: 'number' },
  'hostile.schema.json': {},
  'nested.kiln': {
    int64: 'number',
    projections: [
      { name: 'ends', paths: ['last', 'id'] },
      { name: 'deep', paths: ['parts.rows.at', 'parts.x-y', 'inner.left.view', 'history.batch', 'flags.b', 'flags.c'] },
    ],
  },
  'record.kiln': {
    projections: [
      { name: 'Scores', paths: ['id', 'score'] },
      { name: 'Users', paths: ['id', 'score', 'user', 'active', 'attributes'] },
    ],
  },
  'request.kiln': {},
  'shop.openapi.json': { pointer: '#/components/schemas/Order' },
  'user.schema.json': {},
}

const modules = new Map<string, string>()
for (const [source, options] of Object.entries(documents)) {
  const { code, refusals } = generate(readDocument(source), { source, ...options })
  if (code === undefined) throw new Error(`${source} was refused: ${JSON.stringify(refusals)}`)
  modules.set(source.replace(/(\.schema|\.openapi)?\.\w+$/, '.ts'), code)
}

test.each([...modules])('%s is what was reviewed; npm run goldens writes it anew', async (name, code) => {
  await expect(code).toMatchFileSnapshot(`golden/${name}`)
})

test('every golden file has its document', () => {
  expect(readdirSync(new URL('golden', import.meta.url)).filter((name) => !modules.has(name))).toEqual([])
})

test.each([...modules])('%s is laid out as prettier would', async (_, code) => {
  expect(await format(code, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 120 })).toBe(code)
})

test.each([...modules])(
  '%s is ASCII but for its comments and names, and has no line that is too long for a comment',
  (_, code) => {
    for (const line of code.split('\n')) {
      if (/^\s*(\/?\*|\/\/)/.test(line)) expect(line.length).toBeLessThanOrEqual(120)
    }
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(code).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\ud800-\udfff]/)
    expect(code).not.toMatch(/\beval\(|new Function|Function\(/)
  },
)

// Values go around, and the types are those that the library infers from the text of the schema.
const uses = `import { decode, parseSchema, type Infer, type Input, type NumberList, type Projected, type Viewed } from 'kiln-format'
import { decodeEveryType, encodeEveryType, everyTypeText, viewEveryType } from './every-type.js'
import type { EveryType, EveryTypeInput, EveryTypeView } from './every-type.js'
import { decodeOrder, encodeOrder, type OrderInput } from './shop.js'
import { decodeEmbedding, encodeEmbedding, encodedSizeEmbedding } from './embedding.js'
import { encodeEmbeddingInto, viewEmbedding } from './embedding.js'

import { projectScores, projectUsers, iterateScores, type Scores, type Users } from './record.js'
import { placeNested, projectDeep, projectDeepView, type Deep, type DeepView, type Ends } from './nested.js'
import { placeRequest } from './request.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type ScoresItem = Scores[number]
type DeepInnerLeft = NonNullable<Deep['inner']['left']>
const records = parseSchema(\`list<struct{id:i64,user:string,email:string,created:u32,score:f64,active:bool,
  tags:list<string>,attributes:dict<string,string>}>\`)
type Small = Pick<EveryType, 'a' | 'h' | 'n' | 'o' | 'q' | 'B' | 'D' | 'K' | 'N' | 'P' | 'Q' | 'T'>
const small = parseSchema(\`struct{a:bool,h:i64,n:string,o:bytes,q:list<bool>,B:list<f32>,D:list<string>,
  K:dict<bool,string>,N:dict<string,list<i64>>,P:option<bool>,Q:option<i64>,T:option<list<f32>>}\`)
export const owned: Equal<{ [N in keyof Small]: Small[N] }, Infer<typeof small>> = true
type SmallView = Pick<EveryTypeView, keyof Small>
export const viewed: Equal<{ [N in keyof SmallView]: SmallView[N] }, Viewed<typeof small>> = true
export function taken(value: Pick<EveryTypeInput, keyof Small>): Input<typeof small> {
  return value
}
export function around(bytes: Uint8Array): Uint8Array[] {
  const every = [encodeEveryType(decodeEveryType(bytes)), encodeEveryType(viewEveryType(bytes))]
  return [...every, encodeOrder(decodeOrder(bytes))]
}
export function embedding(bytes: Uint8Array): number {
  const list: Float32Array = decodeEmbedding(bytes)
  const own: Uint8Array<ArrayBuffer> = encodeEmbedding([1, 2])
  return list.length + own.length + encodedSizeEmbedding(list) + encodeEmbeddingInto(viewEmbedding(bytes), bytes)
}
export const schemaText: string = everyTypeText
// @ts-expect-error -- a member that may be missing, but not null
export const absent: OrderInput = { id: 1, placed: 'p', lines: [], billing: null }
// @ts-expect-error -- a required member
export const missing: OrderInput = { id: 1n, placed: 'p' }
export const order: OrderInput = { id: 1, placed: 'p', lines: [{ article: 'a', count: 1 }], note: null }
export const scores: Equal<Scores, ScoresItem[]> = true
export const score: Equal<{ [N in keyof ScoresItem]: ScoresItem[N] }, Projected<typeof records, 'id' | 'score'>[number]> = true
export const user: Equal<
  { [N in keyof Users[number]]: Users[number][N] },
  Projected<typeof records, 'id' | 'score' | 'user' | 'active' | 'attributes'>[number]
> = true
export const ends: Equal<{ [N in keyof Ends]: Ends[N] }, { id: number; last: boolean }> = true
export const part: Equal<Deep['inner']['left'], DeepInnerLeft | undefined> = true
export const borrowed: Equal<NonNullable<DeepView['inner']['left']>['view'], NumberList<'f32'>> = true
export const owned32: Equal<NonNullable<Deep['inner']['left']>['view'], Float32Array<ArrayBuffer>> = true
export function some(bytes: Uint8Array): number {
  for (const { id, score } of iterateScores(bytes)) if (id === 1n) return score
  const [row] = projectScores(placeNested(placeRequest(bytes, { frame: true })))
  // @ts-expect-error -- a field that is passed over
  row?.user
  const [all] = projectUsers(bytes)
  const deep: DeepView = projectDeepView(bytes, { limits: { count: 1 } })
  return (all?.attributes.size ?? 0) + (projectDeep(bytes).flags.c ? 1 : (deep.parts.get(1)?.rows[0]?.at ?? 0))
}
export const generic: unknown = decode(small, new Uint8Array(0))
`

test('all goldens pass the strictest settings of the compiler, in one program', () => {
  expect(typeErrors(new Map([...modules, ['uses.ts', uses]]))).toEqual([])
})
