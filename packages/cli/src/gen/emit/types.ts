import type { NumberName } from 'kiln-format'
import type { Docs, DocumentModel, FieldModel, OptionModel, StructModel, TypeModel } from '../model/model.js'
import { borrows, inputDiffers } from '../model/sizes.js'
import { isPropertyName, pascalCase } from '../names/words.js'
import { docComment } from './docs.js'
import { isNumberList, type ModuleScope } from './scope.js'
import { indented, literal, WIDTH } from './text.js'

/** Owned as `decode` gives it, borrowed as `view` does, or as `encode` takes it. */
export type Variant = 'own' | 'view' | 'input'

/** The type of a value in TypeScript, as alternatives of a union. */
export function alternatives(scope: ModuleScope, model: TypeModel, variant: Variant): string[] {
  switch (model.kind) {
    case 'bool':
      return ['boolean']
    case 'i64':
    case 'u64':
      return variant === 'input' ? ['bigint', 'number'] : [scope.int64]
    case 'string':
      return ['string']
    case 'bytes':
      if (variant === 'input') return [scope.useType('ByteInput')]
      return [variant === 'own' ? scope.useType('OwnBytes') : 'Uint8Array']
    case 'tensors':
      return [scope.useType(variant === 'input' ? 'TensorsInput' : 'Directory')]
    case 'list':
      return [listType(scope, model.element, variant, isNumberList(model))]
    case 'dict':
      return [dictType(scope, model.key, typeText(scope, model.value, variant), variant)]
    case 'option':
      return [
        ...alternatives(scope, model.some, variant),
        ...(variant === 'input' ? ['null', 'undefined'] : ['undefined']),
      ]
    case 'struct':
      return [structType(scope, model, variant)]
    default:
      return ['number']
  }
}

export function typeText(scope: ModuleScope, model: TypeModel, variant: Variant): string {
  return alternatives(scope, model, variant).join(' | ')
}

function listType(scope: ModuleScope, element: TypeModel, variant: Variant, numbers: boolean): string {
  if (numbers) {
    const name = literal(element.kind as NumberName)
    if (variant === 'own') return `${scope.useType('OwnArrays')}[${name}]`
    return `${scope.useType(variant === 'view' ? 'NumberList' : 'NumbersInput')}<${name}>`
  }
  return arrayOf(alternatives(scope, element, variant), variant)
}

/** The type of an array whose elements are one of some types. */
export function arrayOf(types: readonly string[], variant: Variant): string {
  const inner = types.length > 1 || types[0]!.startsWith('readonly ') ? `(${types.join(' | ')})` : types[0]!
  return `${variant === 'input' ? 'readonly ' : ''}${inner}[]`
}

function dictType(scope: ModuleScope, key: TypeModel, value: string, variant: Variant): string {
  if (variant !== 'input') return mapOf(scope, key, value)
  if (key.kind === 'string') return `${scope.useType('DictInput')}<${value}>`
  return `ReadonlyMap<${typeText(scope, key, variant)}, ${value}>`
}

/** The type of a dict as it is read. */
export function mapOf(scope: ModuleScope, key: TypeModel, value: string): string {
  return `Map<${typeText(scope, key, 'own')}, ${value}>`
}

function structType(scope: ModuleScope, model: StructModel, variant: Variant): string {
  return scope.typeName(model) + endingOf(model, variant)
}

function endingOf(model: TypeModel, variant: Variant): string {
  if (variant === 'view') return borrows(model) ? 'View' : ''
  if (variant === 'input') return inputDiffers(model) ? 'Input' : ''
  return ''
}

/** The types of a module: the root in its three forms, then those inside it, each form where it differs. */
export function emitTypes(scope: ModuleScope, document: DocumentModel): string[] {
  const { root } = document
  const lines: string[] = []
  if (root.kind !== 'struct') {
    for (const variant of ['own', 'view', 'input'] as const)
      lines.push(...rootAlias(scope, root, document.docs, variant))
  }
  for (const { model } of scope.plan.groups) {
    for (const variant of ['own', 'view', 'input'] as const) {
      if (variant === 'own' || endingOf(model, variant) !== '') lines.push(...interfaceLines(scope, model, variant))
      else if (model === root) lines.push(...sameAs(scope, variant))
    }
  }
  return lines
}

const VARIANT_DOCS: Readonly<Record<Exclude<Variant, 'own'>, string>> = {
  view: 'as it is read without copying: lists of numbers, bytes and tensors lie in the input',
  input: 'as it is taken for encoding',
}

function variantDocs(name: string, docs: Docs, variant: Variant): Docs {
  if (variant === 'own') return docs
  return {
    description: `{@link ${name}} ${VARIANT_DOCS[variant]}.`,
    ...(docs.deprecated === true ? { deprecated: true } : {}),
  }
}

/** A title that the type's name says already is no comment on it. */
function withoutName(docs: Docs, name: string): Docs {
  if (docs.title === undefined || pascalCase(docs.title) !== name) return docs
  const { title: _, ...rest } = docs
  return rest
}

const ENDINGS: Readonly<Record<Variant, string>> = { own: '', view: 'View', input: 'Input' }

function rootAlias(scope: ModuleScope, root: TypeModel, docs: Docs, variant: Variant): string[] {
  const { type } = scope.exports
  if (variant === 'view' && !borrows(root)) return sameAs(scope, variant)
  const comment = docComment(variantDocs(type, withoutName(docs, type), variant))
  return [
    ...comment,
    ...declared(`export type ${type}${ENDINGS[variant]} =`, alternatives(scope, root, variant), 0),
    '',
  ]
}

function sameAs(scope: ModuleScope, variant: Exclude<Variant, 'own'>): string[] {
  const { type } = scope.exports
  const description =
    variant === 'view' ? `As {@link ${type}}: nothing in it can be borrowed.` : `{@link ${type}} ${VARIANT_DOCS.input}.`
  return [...docComment({ description }), `export type ${type}${ENDINGS[variant]} = ${type}`, '']
}

function interfaceLines(scope: ModuleScope, model: StructModel, variant: Variant): string[] {
  const name = scope.typeName(model)
  return [
    ...docComment(variantDocs(name, withoutName(model.docs, name), variant)),
    `export interface ${name}${ENDINGS[variant]} {`,
    ...model.fields.flatMap((field) => indented(fieldLines(scope, field, variant))),
    '}',
    '',
  ]
}

export function fieldLines(scope: ModuleScope, field: FieldModel, variant: Variant): string[] {
  const key = isPropertyName(field.name) ? field.name : literal(field.name)
  const note = codeNote(field.type)
  const docs = note === undefined ? field.docs : { ...field.docs, description: joined(field.docs.description, note) }
  const comment = docComment(docs, '')
  const readonly = variant === 'input' ? 'readonly ' : ''
  if (variant === 'input' && field.type.kind === 'option') {
    return [
      ...comment,
      ...declared(`${readonly}${key}${field.type.absent ? '?' : ''}:`, optionInput(scope, field.type), 2),
    ]
  }
  return [...comment, ...declared(`${readonly}${key}:`, alternatives(scope, field.type, variant), 2)]
}

/** What a field that is an option takes; only one that may be null in its document takes null. */
function optionInput(scope: ModuleScope, option: OptionModel): string[] {
  return [...alternatives(scope, option.some, 'input'), ...(option.nullable ? ['null'] : []), 'undefined']
}

/** 16-bit floats come as their codes, which the type `number` doesn't say. */
function codeNote(model: TypeModel): string | undefined {
  const inner = model.kind === 'option' ? model.some : model
  if (inner.kind !== 'f16' && inner.kind !== 'bf16') return undefined
  return `The 16 bits of the ${inner.kind} as an integer; kiln-format/numeric converts them.`
}

function joined(text: string | undefined, note: string): string {
  return text === undefined ? note : `${text}\n\n${note}`
}

/** A declaration in one line if it fits behind `indent` columns, else an alternative a line. */
export function declared(before: string, types: readonly string[], indent: number): string[] {
  const line = `${before} ${types.join(' | ')}`
  if (types.length === 1 || indent + line.length <= WIDTH) return [line]
  return [before, ...types.map((type) => `  | ${type}`)]
}
