import type { OptionModel, TypeModel } from './model.js'

/** The type, with null for none. */
export function orNull(type: TypeModel): OptionModel {
  return type.kind === 'option'
    ? { ...type, nullable: true }
    : { kind: 'option', some: type, absent: false, nullable: true }
}

/** The type of a member that may be left out. */
export function orAbsent(type: TypeModel): OptionModel {
  return type.kind === 'option'
    ? { ...type, absent: true }
    : { kind: 'option', some: type, absent: true, nullable: false }
}
