import type { Docs, DocumentModel, StructModel, TypeModel } from '../model/model.js'
import { pascalCase } from './words.js'

/** Equal structs of a document, which are one type in its code. */
export interface TypeGroup {
  readonly model: StructModel
  /** The name that the document gives it, or else one by the place where it first stands. */
  readonly wanted: string
}

/** The groups in the order in which their types first stand, and the group of each struct. */
export interface TypePlan {
  readonly groups: readonly TypeGroup[]
  groupOf(struct: StructModel): TypeGroup
}

/**
 * Finds structs that are equal, comments and names of fields included, so that each becomes one type: the same
 * one whatever else is added to the document. Structs that the document gives different names stay apart; one
 * without a name joins an equal one that has a name.
 */
export function planTypes(document: DocumentModel, rootName: string): TypePlan {
  const structs = collect(document.root, rootName)
  const identities = identify(structs.map(({ struct }) => struct))
  const groups: TypeGroup[] = []
  const byKey = new Map<string, TypeGroup>()
  const byStruct = new Map<StructModel, TypeGroup>()
  for (const { struct, place } of structs) {
    const { key, name } = identities.get(struct)!
    let group = byKey.get(key)
    if (group === undefined) {
      group = { model: struct, wanted: struct === document.root ? rootName : nameOf(name, place) }
      byKey.set(key, group)
      groups.push(group)
    }
    byStruct.set(struct, group)
  }
  return { groups, groupOf: (struct) => byStruct.get(struct)! }
}

function nameOf(given: string | undefined, place: string): string {
  const name = given === undefined ? '' : pascalCase(given)
  return name === '' ? place : name
}

interface Placed {
  readonly struct: StructModel
  /** A name made of those of the types and fields around it. */
  readonly place: string
}

/** Every struct once, outer before inner. */
function collect(root: TypeModel, rootName: string): Placed[] {
  const found = new Map<StructModel, Placed>()
  const visit = (type: TypeModel, place: string): void => {
    switch (type.kind) {
      case 'list':
        visit(type.element, `${place}Item`)
        return
      case 'dict':
        visit(type.value, `${place}Value`)
        return
      case 'option':
        visit(type.some, place)
        return
      case 'struct': {
        if (found.has(type)) return
        found.set(type, { struct: type, place })
        const outer = type === root ? rootName : nameOf(type.name, place)
        for (const field of type.fields) visit(field.type, `${outer}${pascalCase(field.name) || 'Field'}`)
      }
    }
  }
  visit(root, rootName)
  return [...found.values()]
}

/** What makes a struct the same type as another. */
interface Identity {
  readonly key: string
  readonly name: string | undefined
}

/** Identities of inner structs go into those of outer ones, so they are worked out first. */
function identify(structs: readonly StructModel[]): Map<StructModel, Identity> {
  const heights = new Map<StructModel, number>()
  const levels: StructModel[][] = []
  for (const struct of structs) (levels[heightOf(struct, heights)] ??= []).push(struct)
  const identities = new Map<StructModel, Identity>()
  const shapeNumbers = new Map<string, number>()
  for (const level of levels) {
    const shapes = level.map((struct) => {
      const shape = shapeOf(struct, (inner) => identities.get(inner)!.key)
      const number = shapeNumbers.get(shape) ?? shapeNumbers.size
      shapeNumbers.set(shape, number)
      return number
    })
    const names = new Map<number, string>()
    level.forEach(({ name }, i) => {
      if (name !== undefined && !names.has(shapes[i]!)) names.set(shapes[i]!, name)
    })
    level.forEach((struct, i) => {
      const name = struct.name ?? names.get(shapes[i]!)
      identities.set(struct, { key: `${shapes[i]!} ${name ?? ''}`, name })
    })
  }
  return identities
}

function heightOf(struct: StructModel, heights: Map<StructModel, number>): number {
  const known = heights.get(struct)
  if (known !== undefined) return known
  let height = 0
  for (const field of struct.fields) {
    const inner = structIn(field.type)
    if (inner !== undefined) height = Math.max(height, heightOf(inner, heights) + 1)
  }
  heights.set(struct, height)
  return height
}

/** The struct that a type is, or that its elements are. */
function structIn(type: TypeModel): StructModel | undefined {
  switch (type.kind) {
    case 'list':
      return structIn(type.element)
    case 'dict':
      return structIn(type.value)
    case 'option':
      return structIn(type.some)
    case 'struct':
      return type
    default:
      return undefined
  }
}

function shapeOf(struct: StructModel, keyOf: (struct: StructModel) => string): string {
  const fields = struct.fields.map((field) => [field.name, typeKey(field.type, keyOf), docsKey(field.docs)])
  return JSON.stringify([fields, docsKey(struct.docs)])
}

function docsKey(docs: Docs): readonly unknown[] {
  return [docs.title ?? null, docs.description ?? null, docs.deprecated === true]
}

/** A text for each type that is the same for equal ones, given one for each struct. */
export function typeKey(type: TypeModel, keyOf: (struct: StructModel) => string): string {
  switch (type.kind) {
    case 'list':
      return `list<${typeKey(type.element, keyOf)}>`
    case 'dict':
      return `dict<${type.key.kind},${typeKey(type.value, keyOf)}>`
    case 'option':
      return `option${type.absent ? '?' : ''}${type.nullable ? '!' : ''}<${typeKey(type.some, keyOf)}>`
    case 'struct':
      return `{${keyOf(type)}}`
    default:
      return type.kind
  }
}
