import { parseSchema, type Int64 } from 'kiln-format'
import { emitModule } from './emit/module.js'
import { parseJson } from './json/json-tree.js'
import { readJsonSchema } from './json-schema/read.js'
import type { Refusal } from './json-schema/refusals.js'
import { modelOfSchema } from './model/from-kiln.js'
import type { DocumentModel } from './model/model.js'
import { checkTextSize } from './model/text-size.js'
import { schemaOfModel } from './model/to-kiln.js'
import { baseName } from './names/file-name.js'
import { pascalCase } from './names/words.js'
import { projectionsOf, type ProjectionOption } from './projections.js'

export interface GenerateOptions {
  /** The document's file name without folders; it names the root type if nothing else does. */
  readonly source: string
  /** The name of the root type. */
  readonly name?: string | undefined
  /** JSON Schema and OpenAPI: which schema of the document, such as `#/components/schemas/User`. */
  readonly pointer?: string | undefined
  /** JSON Schema: keywords that are dropped although they narrow down what is valid. */
  readonly ignore?: readonly string[] | undefined
  /** How 64-bit integers come. Default `bigint`. */
  readonly int64?: Int64 | undefined
  /** What is read in part, by functions of their own. */
  readonly projections?: readonly ProjectionOption[] | undefined
}

/** A module, or why there is none. */
export interface Generation {
  /** The TypeScript module; undefined if the document was refused. */
  readonly code: string | undefined
  readonly refusals: readonly Refusal[]
  /** How many refusals there are beyond those in the list. */
  readonly moreRefusals: number
  readonly notes: readonly string[]
}

// A title can be a sentence, and names with all of its words in them can't be read.
const LONGEST_NAME = 36

/**
 * Writes the TypeScript module of a document: Kiln schema text, JSON Schema, or a schema of an OpenAPI document. The
 * same document and options give the same bytes everywhere. Throws KilnError (`SCHEMA`, `LIMIT`) for a document that
 * is none of these; what of a JSON Schema has no counterpart in Kiln is listed in `refusals`.
 */
export function generate(text: string, options: GenerateOptions): Generation {
  const { model, ...rest } = readDocument(text, options)
  if (model === undefined) return { code: undefined, ...rest }
  checkTextSize(model.root)
  const schema = schemaOfModel(model.root)
  const name = rootName(model, options)
  const { code, notes } = emitModule({
    document: model,
    schema,
    name,
    source: options.source,
    int64: options.int64 ?? 'bigint',
    projections: projectionsOf(schema, options.projections ?? []),
  })
  return { code, ...rest, notes: [...rest.notes, ...notes] }
}

interface ReadDocument extends Omit<Generation, 'code'> {
  readonly model: DocumentModel | undefined
}

function readDocument(text: string, { pointer, ignore = [] }: GenerateOptions): ReadDocument {
  if (isJson(text)) return readJsonSchema(parseJson(text), pointer, new Set(ignore))
  const root = modelOfSchema(parseSchema(text))
  return { model: { root, docs: {} }, refusals: [], moreRefusals: 0, notes: [] }
}

/** Whether a document is JSON: schema text begins with the name of a type. */
export function isJson(text: string): boolean {
  return /^\ufeff?[ \t\r\n]*(?:[{["]|(?:true|false|null)\s*$)/.test(text)
}

function rootName(model: DocumentModel, { name, source }: GenerateOptions): string {
  if (name !== undefined) return pascalCase(name)
  const candidates = [model.name ?? '', baseName(source)].map(pascalCase)
  return candidates.find((candidate) => candidate !== '' && candidate.length <= LONGEST_NAME) ?? 'Root'
}
