import type { JsonObject } from '../json/json-tree.js'
import { pointerTo } from '../json/pointer.js'
import type { ListModel } from '../model/model.js'
import { checkConstraints } from './constraints.js'
import type { Place, SchemaReader } from './reader.js'

/** `array` with one schema for all its elements. */
export function readArray(reader: SchemaReader, place: Place, node: JsonObject): ListModel | undefined {
  checkConstraints(reader, place, node, 'array')
  const items = node.members.get('items')
  const pointer = pointerTo(place.pointer, 'items')
  if (items === undefined) {
    if (node.members.has('prefixItems')) return undefined
    return reader.refuse(place.pointer, 'an array without "items" holds anything; say what its elements are')
  }
  if (items.kind === 'array') {
    return reader.refuse(
      pointer,
      'a tuple is no Kiln type; give all elements one schema, or make it an object with a member for each',
    )
  }
  const element = reader.read(reader.inner(place, items, 'items'))
  return element === undefined ? undefined : { kind: 'list', element }
}
