import type { Selection } from 'kiln-format'
import type { DictModel, FieldModel, ListModel, StructModel, TypeModel } from './model.js'
import { isNumber } from './numbers.js'
import { borrows } from './sizes.js'

/** What is read of a type: all of it, or some fields of the structs in it. */
export type Projected = WholeProjection | OptionProjection | CompositeProjection
export type CompositeProjection = ListProjection | DictProjection | StructProjection

export interface WholeProjection {
  readonly kind: 'whole'
  readonly model: TypeModel
}
export interface OptionProjection {
  readonly kind: 'option'
  readonly some: Projected
}
export interface ListProjection {
  readonly kind: 'list'
  readonly model: ListModel
  readonly element: Projected
}
export interface DictProjection {
  readonly kind: 'dict'
  readonly model: DictModel
  readonly value: Projected
}
export interface StructProjection {
  readonly kind: 'struct'
  readonly model: StructModel
  /** What is read of each field that is read, in the order of the struct. */
  readonly fields: ReadonlyMap<FieldModel, Projected>
}

/** What a selection, which fits to the type, reads of it. */
export function projectionOf(model: TypeModel, selection: Selection): Projected {
  if (selection === 'all') return { kind: 'whole', model }
  switch (model.kind) {
    case 'list':
      return { kind: 'list', model, element: projectionOf(model.element, selection) }
    case 'dict':
      return { kind: 'dict', model, value: projectionOf(model.value, selection) }
    case 'option':
      return { kind: 'option', some: projectionOf(model.some, selection) }
    case 'struct': {
      const fields = new Map<FieldModel, Projected>()
      for (const field of model.fields) {
        const wanted = selection.get(field.name)
        if (wanted !== undefined) fields.set(field, projectionOf(field.type, wanted))
      }
      return { kind: 'struct', model, fields }
    }
    default:
      throw new Error(`${model.kind} has no fields to select`)
  }
}

/** Whether a borrowed read differs from an owned one. */
export function projectionBorrows(projected: Projected): boolean {
  switch (projected.kind) {
    case 'whole':
      return borrows(projected.model)
    case 'list':
      return projectionBorrows(projected.element)
    case 'dict':
      return projectionBorrows(projected.value)
    case 'option':
      return projectionBorrows(projected.some)
    case 'struct':
      return [...projected.fields.values()].some(projectionBorrows)
  }
}

/**
 * Fields of a struct that are gone through at once: those that are passed over, and scalars of which any bits are a
 * value, since nothing can go wrong between them but what passing over them finds. A scalar that has to be checked, a
 * bool or a safe integer, may be the last one.
 */
export interface Group {
  readonly fields: readonly FieldModel[]
}

/** The steps of a projected struct: groups, and fields whose reader checks them. */
export function projectedSteps({ model, fields }: StructProjection, isChecked: (kind: string) => boolean): (Group | FieldModel)[] {
  const steps: (Group | FieldModel)[] = []
  let group: FieldModel[] = []
  const endGroup = (): void => {
    if (group.length > 0) steps.push({ fields: group })
    group = []
  }
  for (const field of model.fields) {
    const { kind } = field.type
    const checked = isChecked(kind)
    if (fields.has(field) && !isNumber(kind) && !checked) {
      endGroup()
      steps.push(field)
      continue
    }
    group.push(field)
    if (fields.has(field) && checked) endGroup()
  }
  endGroup()
  return steps
}
