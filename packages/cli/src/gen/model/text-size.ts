import { KilnError } from 'kiln-format'
import type { TypeModel } from './model.js'

// The library's own cap on schema text (FORMAT §2, Caps).
const MAX_TEXT = 65_536

/**
 * Throws `LIMIT` for a model whose schema text would be over the cap. Worked out from lengths, each type once: a few
 * definitions that use one another twice can stand for more text than there is memory.
 */
export function checkTextSize(root: TypeModel): void {
  const lengths = new Map<TypeModel, number>()
  const lengthOf = (type: TypeModel): number => {
    const known = lengths.get(type)
    if (known !== undefined) return known
    const length = ownLength(type, lengthOf)
    lengths.set(type, length)
    return length
  }
  const length = lengthOf(root)
  if (length <= MAX_TEXT) return
  throw new KilnError(
    'LIMIT',
    `the Kiln schema of this document would take ${length} bytes of text, over the cap of ${MAX_TEXT}; split it`,
  )
}

function ownLength(type: TypeModel, lengthOf: (type: TypeModel) => number): number {
  switch (type.kind) {
    case 'list':
      return lengthOf(type.element) + 'list<>'.length
    case 'dict':
      return type.key.kind.length + lengthOf(type.value) + 'dict<,>'.length
    case 'option':
      return lengthOf(type.some) + 'option<>'.length
    case 'struct':
      return type.fields.reduce((sum, field) => sum + field.name.length + lengthOf(field.type) + 2, 'struct{}'.length)
    default:
      return type.kind.length
  }
}
