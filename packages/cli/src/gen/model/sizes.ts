import { isNumber, isScalar, WIDTHS } from './numbers.js'
import type { TypeModel } from './model.js'

/** The fewest bytes that a value takes (FORMAT §2). */
export function minSize(model: TypeModel): number {
  switch (model.kind) {
    case 'string':
    case 'bytes':
    case 'list':
    case 'dict':
      return 4
    case 'tensors':
      return 64
    case 'option':
      return 1
    case 'struct':
      return model.fields.reduce((sum, field) => sum + minSize(field.type), 0)
    default:
      return WIDTHS[model.kind]
  }
}

/** Whether a borrowed read differs from an owned one: where there are bytes, lists of numbers or tensors inside. */
export function borrows(model: TypeModel): boolean {
  switch (model.kind) {
    case 'bytes':
    case 'tensors':
      return true
    case 'list':
      return isNumber(model.element.kind) || borrows(model.element)
    case 'dict':
      return borrows(model.value)
    case 'option':
      return borrows(model.some)
    case 'struct':
      return model.fields.some((field) => borrows(field.type))
    default:
      return false
  }
}

/** Whether what a writer takes is another type than what a reader gives. */
export function inputDiffers(model: TypeModel): boolean {
  switch (model.kind) {
    case 'i64':
    case 'u64':
    case 'bytes':
    case 'tensors':
    case 'list':
    case 'dict':
    case 'option':
      return true
    case 'struct':
      return model.fields.some((field) => inputDiffers(field.type))
    default:
      return false
  }
}

/** Bytes of every value of a type, or undefined if they differ from value to value. */
export function fixedSize(model: TypeModel): number | undefined {
  if (isScalar(model.kind)) return WIDTHS[model.kind]
  if (model.kind !== 'struct') return undefined
  let sum = 0
  for (const field of model.fields) {
    const size = fixedSize(field.type)
    if (size === undefined) return undefined
    sum += size
  }
  return sum
}

/** Whether values of a type can have a directory. */
export function hasTensors(model: TypeModel): boolean {
  switch (model.kind) {
    case 'tensors':
      return true
    case 'list':
      return hasTensors(model.element)
    case 'dict':
      return hasTensors(model.value)
    case 'option':
      return hasTensors(model.some)
    case 'struct':
      return model.fields.some((field) => hasTensors(field.type))
    default:
      return false
  }
}
