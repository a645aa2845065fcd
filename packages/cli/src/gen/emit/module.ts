import { formatHash, type Int64, type NumberName, type Schema } from 'kiln-format'
import type { DocumentModel } from '../model/model.js'
import { borrows } from '../model/sizes.js'
import { docComment } from './docs.js'
import { emitIterators } from './iterating.js'
import { emitPlacing } from './placing.js'
import { NamedProjection, type ProjectionRequest } from './projected-names.js'
import { emitProjection } from './projecting.js'
import { emitReaders, emitRootReader, readExpression, type Reading } from './reading.js'
import { isNumberList, ModuleScope } from './scope.js'
import { assigned, functionHead, indented, listed, literal } from './text.js'
import { emitTypes } from './types.js'
import { emitWriters, writeStatements } from './writing.js'

/** What a module is made from. */
export interface ModuleRequest {
  readonly document: DocumentModel
  /** The Kiln schema of the document. */
  readonly schema: Schema
  /** The name of the root type, fit for code. */
  readonly name: string
  /** What the document is called, for the first line. */
  readonly source: string
  readonly int64: Int64
  /** What is read in part. */
  readonly projections?: readonly ProjectionRequest[]
}

export interface EmittedModule {
  readonly code: string
  /** Remarks on names. */
  readonly notes: readonly string[]
}

const RUNTIME = 'kiln-format/runtime'

/** A TypeScript module with the types of a document and the functions that encode and decode them. */
export function emitModule(request: ModuleRequest): EmittedModule {
  const { document, schema, projections = [] } = request
  const scope = new ModuleScope(document, request.name, request.int64)
  const { exports } = scope
  // All names are taken before variables of functions are chosen beside them.
  const named = projections.map((projection) => new NamedProjection(scope, document.root, projection))
  const types = emitTypes(scope, document)
  const functions = [
    ...exportedFunctions(scope, document),
    ...emitReaders(scope),
    ...emitWriters(scope),
    ...emitPlacing(scope, document.root),
    ...named.flatMap((projection) => emitProjection(scope, projection)),
  ]
  const constants = moduleConstants(scope)
  const lines = [
    `// Written by kiln gen from ${literal(request.source)}. Change that and run kiln gen again, not this file.`,
    ...importLines(scope),
    '',
    ...docComment({ description: `The schema of {@link ${exports.type}}, as Kiln writes schemas.` }),
    ...assigned(`export const ${exports.text} =`, literal(schema.text)),
    '',
    ...docComment({ description: 'The hash of that schema, as frames carry it.' }),
    `export const ${exports.hash} = ${formatHash(schema.hash)}n`,
    '',
    ...types,
    ...constants,
    ...functions,
  ]
  while (lines.at(-1) === '') lines.pop()
  const notes = scope.renamed.map(([wanted, name]) => `the name ${wanted} is taken; that type is called ${name}`)
  return { code: `${lines.join('\n')}\n`, notes }
}

function importLines(scope: ModuleScope): string[] {
  return [
    ...listed('import type {', scope.usedTypes, `} from '${RUNTIME}'`, true),
    ...listed('import {', scope.usedValues, `} from '${RUNTIME}'`, true),
  ]
}

function moduleConstants(scope: ModuleScope): string[] {
  const lines: string[] = []
  for (const [name, { readers, write }] of scope.numberLists) {
    lines.push(`const ${readers} = /* @__PURE__ */ ${scope.use('numbers')}('${name}')`)
    lines.push(`const ${write} = /* @__PURE__ */ ${scope.use('numbersWriter')}('${name}')`)
  }
  for (const { model, names } of scope.composites) {
    if (model.kind !== 'struct') continue
    lines.push(
      ...listed(
        `const ${names.fields} = [`,
        model.fields.map((field) => literal(field.name)),
        ']',
        false,
      ),
    )
    for (const { name, fields } of names.runs) {
      const rows = fields.map(({ field, scalar }) => `[${literal(field.name)}, '${scalar}']`)
      const head = `const ${name}: ${scope.useType('Run')} = [`
      // An array of arrays stands a row a line, however short it is.
      lines.push(head, ...rows.map((row) => `  ${row},`), ']')
    }
  }
  return lines.length === 0 ? [] : [...lines, '']
}

function exportedFunctions(scope: ModuleScope, document: DocumentModel): string[] {
  const { exports } = scope
  const { root } = document
  const { type } = exports
  const input = `${type}Input`
  const write = rootWriter(scope, document)
  const bytes = scope.useType('ByteInput')
  const reader = (name: string, result: string, reading: Reading, comment: string): string[] =>
    emitRootReader(scope, name, result, readExpression(scope, root, reading), comment)
  const writer = (name: string, result: string, runtime: string, comment: string, target = false): string[] => [
    ...docComment({ description: comment }),
    ...functionHead(`export function ${name}`, [`value: ${input}`, ...(target ? [`target: ${bytes}`] : [])], result),
    `  return ${scope.use(runtime)}(${write.name}, value${target ? ', target' : ''})`,
    '}',
    '',
  ]
  return [
    ...writer(
      exports.encode,
      scope.useType('OwnBytes'),
      'encodeWith',
      `Writes a value into bytes of its own, of exactly its size.`,
    ),
    ...writer(
      exports.encodeInto,
      'number',
      'encodeIntoWith',
      'Writes a value to the front of a target, and returns how many bytes it took.',
      true,
    ),
    ...writer(
      exports.encodeParts,
      'Uint8Array[]',
      'encodePartsWith',
      'Writes a value as slices in order; large arrays are not copied.',
    ),
    ...docComment({
      description: "Writes a value into a writer's memory; the bytes hold until its next call.",
    }),
    ...functionHead(
      `export function ${exports.encodeReusing}`,
      [`writer: ${scope.useType('MessageWriter')}`, `value: ${input}`],
      'Uint8Array',
    ),
    `  return writer.encodeBy(${write.name}, value)`,
    '}',
    '',
    ...writer(exports.encodedSize, 'number', 'encodedSizeWith', 'Bytes that a value takes.'),
    ...reader(
      exports.decode,
      type,
      'own',
      'Reads a value that shares nothing with the bytes, but payloads of tensors.',
    ),
    ...reader(
      exports.view,
      `${type}View`,
      borrows(root) ? 'view' : 'own',
      'Reads a value whose lists of numbers, bytes and tensors lie in the bytes.',
    ),
    ...(root.kind === 'list' && !isNumberList(root) ? emitIterators(scope, root) : []),
    ...write.lines,
  ]
}

/** The function that writes the root; a root that is no composite type gets one here. */
function rootWriter(scope: ModuleScope, document: DocumentModel): { name: string; lines: string[] } {
  const { root } = document
  if (root.kind === 'list' && isNumberList(root))
    return { name: scope.numbers(root.element.kind as NumberName).write, lines: [] }
  if (root.kind === 'list' || root.kind === 'dict' || root.kind === 'struct') {
    return { name: scope.composite(root).write, lines: [] }
  }
  const name = scope.take(`write${scope.exports.type}`)
  const body = writeStatements(scope, root, 'value', scope.locals(['w', 'value']))
  const parameters = [`w: ${scope.useType('ByteWriter')}`, `value: ${scope.exports.type}Input`]
  return {
    name,
    lines: [...functionHead(`function ${name}`, parameters, 'void'), ...indented(body), '}', ''],
  }
}
