import { member, textOf, type JsonNode } from '../json/json-tree.js'
import { stepsOfPointer } from '../json/pointer.js'
import type { DocumentModel } from '../model/model.js'
import { dialectOf, isOpenApi, type Dialect } from './dialect.js'
import { docsOf } from './docs-of.js'
import { SchemaReader } from './reader.js'
import type { Refusal } from './refusals.js'

/** What is read of a JSON Schema document. */
export interface SchemaResult {
  /** Undefined if something was refused. */
  readonly model: DocumentModel | undefined
  readonly refusals: readonly Refusal[]
  readonly moreRefusals: number
  readonly notes: readonly string[]
}

/**
 * Reads one schema of a JSON Schema or OpenAPI document. `pointer` names the schema, as in
 * `#/components/schemas/User`; without it the document itself is the schema.
 */
export function readJsonSchema(
  root: JsonNode,
  pointer: string | undefined,
  ignored: ReadonlySet<string>,
): SchemaResult {
  const found = dialectOf(root)
  if (typeof found === 'string' && !ignored.has('$schema')) {
    return refused(textOf(root, '$schema') === undefined ? '#' : '#/$schema', `${found}${hint(root)}`)
  }
  const dialect: Dialect = typeof found === 'string' ? { name: '2020-12', refSiblings: true } : found
  const steps = stepsOfPointer(pointer ?? '#')
  if (steps === undefined)
    return refused('#', `${JSON.stringify(pointer)} is no JSON Pointer; write it as #/components/schemas/Name`)
  if (isOpenApi(root) && pointer === undefined)
    return refused('#', `this is an OpenAPI document; name one of its schemas${schemaList(root)}`)
  const reader = new SchemaReader(root, dialect, ignored)
  const place = reader.at(steps)
  if (place === undefined)
    return refused('#', `there is nothing at ${JSON.stringify(pointer)}; name a schema${schemaList(root)}`)
  const named = steps.at(-1)
  const type = reader.read(place, named)
  const { list, more } = reader.refusals
  const name = textOf(place.node, 'x-kiln-name') ?? named ?? textOf(place.node, 'title') ?? definitionName(place.node)
  return {
    model:
      type === undefined || list.length > 0
        ? undefined
        : { root: type, docs: docsOf(place.node), ...(name === undefined ? {} : { name }) },
    refusals: list,
    moreRefusals: more,
    notes: reader.notes,
  }
}

function refused(pointer: string, detail: string): SchemaResult {
  return { model: undefined, refusals: [{ pointer, detail }], moreRefusals: 0, notes: [] }
}

function hint(root: JsonNode): string {
  return textOf(root, '$schema') === undefined ? '' : '; correct it, or pass --ignore $schema to read it as 2020-12'
}

/** The name of the definition that a whole document refers to. */
function definitionName(node: JsonNode): string | undefined {
  return stepsOfPointer(textOf(node, '$ref') ?? '')?.at(-1)
}

// A large document has hundreds of schemas.
const SHOWN = 10

function schemaList(root: JsonNode): string {
  const lists = [
    ['#/components/schemas/', member(member(root, 'components'), 'schemas')],
    ['#/$defs/', member(root, '$defs')],
    ['#/definitions/', member(root, 'definitions')],
  ] as const
  const names = lists.flatMap(([path, list]) =>
    list?.kind === 'object' ? [...list.members.keys()].map((name) => path + name) : [],
  )
  if (names.length === 0) return ' by --pointer, as in --pointer #/components/schemas/Name'
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : ''
  return ` by --pointer: ${names.slice(0, SHOWN).join(', ')}${more}`
}
