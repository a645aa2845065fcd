import type { ScalarName } from 'kiln-format'

/** What a document says of a type or a field beyond its shape; goes into comments. */
export interface Docs {
  readonly title?: string
  readonly description?: string
  readonly deprecated?: boolean
}

export interface LeafModel {
  readonly kind: ScalarName | 'string' | 'bytes' | 'tensors'
}
export interface ListModel {
  readonly kind: 'list'
  readonly element: TypeModel
}
export interface DictModel {
  readonly kind: 'dict'
  readonly key: LeafModel
  readonly value: TypeModel
}
export interface OptionModel {
  readonly kind: 'option'
  readonly some: TypeModel
  /** Whether an input may leave the field out. */
  readonly absent: boolean
  /** Whether an input may give null. */
  readonly nullable: boolean
}
export interface StructModel {
  readonly kind: 'struct'
  readonly fields: readonly FieldModel[]
  /** The name that the document gives it (of a definition, or a title); else it is named by where it stands. */
  readonly name?: string
  readonly docs: Docs
}
export interface FieldModel {
  readonly name: string
  readonly type: TypeModel
  readonly docs: Docs
}

/** A type between the document that describes it and the code that is written for it. */
export type TypeModel = LeafModel | ListModel | DictModel | OptionModel | StructModel

/** A document: one type, and what it is called where nobody says it otherwise. */
export interface DocumentModel {
  readonly root: TypeModel
  /** The name that the document suggests, not yet fit for code. */
  readonly name?: string
  readonly docs: Docs
}
