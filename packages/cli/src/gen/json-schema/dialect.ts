import { member, textOf, type JsonNode } from '../json/json-tree.js'

/** What depends on the draft that a document is written in. */
export interface Dialect {
  readonly name: string
  /** Whether keywords beside `$ref` count. Up to draft 7, and in OpenAPI 3.0, they don't. */
  readonly refSiblings: boolean
}

const NEWEST: Dialect = { name: '2020-12', refSiblings: true }

const DRAFTS: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, NEWEST],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, { name: '2019-09', refSiblings: true }],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, { name: 'draft 7', refSiblings: false }],
  // What the subset has of these two is as in draft 7.
  [/^https?:\/\/json-schema\.org\/draft-0[46]\/schema#?$/, { name: 'draft 4 or 6', refSiblings: false }],
  [/^https?:\/\/json-schema\.org\/schema#?$/, NEWEST],
  [/^https:\/\/spec\.openapis\.org\/oas\/3\.1\/dialect\/base$/, { name: 'OpenAPI 3.1', refSiblings: true }],
]

/** The dialect of a document, or why there is none. */
export function dialectOf(root: JsonNode): Dialect | string {
  const openapi = textOf(root, 'openapi')
  if (openapi !== undefined) {
    if (/^3\.0(\.|$)/.test(openapi)) return { name: 'OpenAPI 3.0', refSiblings: false }
    if (/^3\.[12](\.|$)/.test(openapi)) return { name: 'OpenAPI 3.1', refSiblings: true }
    return `OpenAPI ${openapi} is not known here; 3.0 and 3.1 are`
  }
  if (member(root, 'swagger') !== undefined) return 'this is a Swagger 2.0 document; convert it to OpenAPI 3'
  const schema = textOf(root, '$schema')
  if (schema === undefined) return NEWEST
  const known = DRAFTS.find(([pattern]) => pattern.test(schema))
  if (known !== undefined) return known[1]
  return `$schema names ${JSON.stringify(schema)}, which is not known here; drafts 7, 2019-09 and 2020-12 are`
}

/** Whether a document holds schemas without being one. */
export function isOpenApi(root: JsonNode): boolean {
  return member(root, 'openapi') !== undefined
}
