import type { Selection } from 'kiln-format'
import { isInt64 } from '../model/numbers.js'
import { schemaOfModel } from '../model/to-kiln.js'
import type { FieldModel, TypeModel } from '../model/model.js'
import {
  projectedSteps, projectionOf,
  type CompositeProjection, type Group, type Projected, type StructProjection,
} from '../model/projection.js'
import { camelCase, pascalCase } from '../names/words.js'
import type { ModuleScope } from './scope.js'

/** A projection that a module gets functions for. */
export interface ProjectionRequest {
  /** The name of its type, fit for code. */
  readonly name: string
  readonly selection: Exclude<Selection, 'all'>
}

/** The names of a composite type of a projection. */
export interface ProjectedNames {
  readonly read: string
  readonly borrow: string
  /** A struct's type. */
  readonly type: string
  /** A struct's steps. */
  readonly steps: readonly ProjectedStep[]
}

export type ProjectedStep =
  | { readonly fields: readonly FieldModel[]; readonly text: string; readonly constant: string }
  | { readonly field: FieldModel }

/** One projection of a module with all of its names, which are taken after those of the document. */
export class NamedProjection {
  readonly root: CompositeProjection | Extract<Projected, { kind: 'option' }>
  /** The type of the root. */
  readonly type: string
  readonly project: string
  readonly projectView: string
  readonly iterate: string
  readonly iterateView: string
  readonly each: string
  readonly eachView: string
  /** Those that have functions, outer before inner. */
  readonly composites: CompositeProjection[] = []
  readonly #scope: ModuleScope
  readonly #names = new Map<CompositeProjection, ProjectedNames>()

  constructor(scope: ModuleScope, model: TypeModel, { name, selection }: ProjectionRequest) {
    this.#scope = scope
    this.root = projectionOf(model, selection) as NamedProjection['root']
    this.type = scope.takeType(name)
    this.project = scope.take(`project${this.type}`)
    this.projectView = scope.take(`project${this.type}View`)
    this.iterate = scope.take(`iterate${this.type}`)
    this.iterateView = scope.take(`iterate${this.type}View`)
    this.each = scope.take(`each${this.type}`)
    this.eachView = scope.take(`each${this.type}View`)
    this.#name(this.root, this.type)
  }

  namesOf(projected: CompositeProjection): ProjectedNames {
    return this.#names.get(projected)!
  }

  /** Names a type and those in it, structs by where they stand. Returns what it is called in names of functions. */
  #name(projected: Projected, where: string): string {
    switch (projected.kind) {
      case 'whole':
        return ''
      case 'option':
        return `Optional${this.#name(projected.some, where)}`
      case 'list':
        return this.#add(projected, (): string => `${this.#name(projected.element, `${where}Item`)}List`)
      case 'dict':
        return this.#add(projected, (): string => `${this.#name(projected.value, `${where}Value`)}Dict`)
      case 'struct':
        return this.#struct(projected, where)
    }
  }

  #add(projected: CompositeProjection, wordsOf: () => string): string {
    this.composites.push(projected)
    const words = wordsOf()
    const { read, borrow } = this.#functions(words)
    this.#names.set(projected, { read, borrow, type: '', steps: [] })
    return words
  }

  #struct(projected: StructProjection, where: string): string {
    const type = projected === this.root ? this.type : this.#scope.takeType(where)
    const steps = projectedSteps(projected, (kind) => this.#isChecked(kind)).map((step): ProjectedStep => {
      if (!('fields' in step)) return { field: step }
      return { ...step, text: textOf(step), constant: this.#scope.take(`${camelCase(type)}Passed`) }
    })
    this.composites.push(projected)
    this.#names.set(projected, { ...this.#functions(type), type, steps })
    for (const [field, inner] of projected.fields) this.#name(inner, type + (pascalCase(field.name) || 'Field'))
    return type
  }

  #functions(words: string): { read: string; borrow: string } {
    return { read: this.#scope.take(`read${words}`), borrow: this.#scope.take(`borrow${words}`) }
  }

  #isChecked(kind: string): boolean {
    return kind === 'bool' || (isInt64(kind) && this.#scope.int64 === 'number')
  }
}

/** The schema of a group's fields, as one struct. */
function textOf({ fields }: Group): string {
  return schemaOfModel({ kind: 'struct', fields, docs: {} }).text
}
