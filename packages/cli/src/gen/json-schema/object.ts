import { isKilnError, k } from 'kiln-format'
import { textOf, type JsonNode, type JsonObject } from '../json/json-tree.js'
import { pointerTo } from '../json/pointer.js'
import type { DictModel, FieldModel, StructModel, TypeModel } from '../model/model.js'
import { orAbsent } from '../model/option.js'
import { checkConstraints } from './constraints.js'
import { docsOf } from './docs-of.js'
import type { Place, SchemaReader } from './reader.js'

/** `object`: with `properties` a struct, with `additionalProperties` alone a dict of text. */
export function readObject(
  reader: SchemaReader,
  place: Place,
  node: JsonObject,
  named: string | undefined,
): StructModel | DictModel | undefined {
  checkConstraints(reader, place, node, 'object')
  const properties = node.members.get('properties')
  if (properties !== undefined && properties.kind !== 'object') {
    return reader.refuse(pointerTo(place.pointer, 'properties'), '"properties" is an object of schemas')
  }
  if (properties === undefined || properties.members.size === 0) return readDict(reader, place, node)
  const further = node.members.get('additionalProperties')
  if (further !== undefined && further.kind !== 'boolean') {
    reader.refuse(
      pointerTo(place.pointer, 'additionalProperties'),
      'a struct and a map in one are no Kiln type; put the map in a property of its own, or say false here',
    )
  }
  const required = requiredNames(reader, place, node, properties)
  const fields: FieldModel[] = []
  for (const [name, schema] of properties.members) {
    const field = readField(reader, place, name, schema, required.has(name))
    if (field !== undefined) fields.push(field)
  }
  if (fields.length < properties.members.size) return undefined
  const given = textOf(node, 'x-kiln-name') ?? named ?? textOf(node, 'title')
  return { kind: 'struct', fields, docs: docsOf(node), ...(given === undefined ? {} : { name: given }) }
}

function readField(
  reader: SchemaReader,
  place: Place,
  name: string,
  schema: JsonNode,
  required: boolean,
): FieldModel | undefined {
  const inner = reader.inner(place, schema, 'properties', name)
  const isName = checkName(reader, inner.pointer, name)
  const type = reader.read(inner)
  if (type === undefined || !isName) return undefined
  const { title, ...docs } = docsOf(schema)
  // The title of an inline object is its type's name.
  const fieldDocs = title === undefined || isInlineStruct(type, schema) ? docs : { title, ...docs }
  return { name, type: required ? type : orAbsent(type), docs: fieldDocs }
}

function isInlineStruct(type: TypeModel, schema: JsonNode): boolean {
  return (
    textOf(schema, '$ref') === undefined &&
    (type.kind === 'struct' || (type.kind === 'option' && type.some.kind === 'struct'))
  )
}

/** Whether a name can be a field's; the rule is the library's. */
function checkName(reader: SchemaReader, pointer: string, name: string): boolean {
  try {
    k.struct([[name, k.u8]])
    return true
  } catch (error) {
    if (!isKilnError(error)) throw error
    reader.refuse(pointer, `${error.detail}; rename the property`)
    return false
  }
}

function requiredNames(reader: SchemaReader, place: Place, node: JsonObject, properties: JsonObject): Set<string> {
  const required = node.members.get('required')
  const pointer = pointerTo(place.pointer, 'required')
  const names = new Set<string>()
  if (required === undefined) return names
  if (required.kind !== 'array') {
    reader.refuse(pointer, '"required" is a list of names')
    return names
  }
  required.items.forEach((item, i) => {
    if (item.kind !== 'string') reader.refuse(pointerTo(pointer, i), '"required" is a list of names')
    else if (!properties.members.has(item.value)) {
      reader.refuse(
        pointerTo(pointer, i),
        `${JSON.stringify(item.value)} is required, but "properties" doesn't say what it is; add it there`,
      )
    } else names.add(item.value)
  })
  return names
}

function readDict(reader: SchemaReader, place: Place, node: JsonObject): DictModel | undefined {
  const values = node.members.get('additionalProperties')
  if (values === undefined || values.kind === 'boolean') {
    if (node.members.has('patternProperties')) return undefined
    return reader.refuse(
      place.pointer,
      'an object without named properties holds anything; ' +
        'list them in "properties", or give "additionalProperties" the schema of all values',
    )
  }
  const required = node.members.get('required')
  if (required !== undefined && !(required.kind === 'array' && required.items.length === 0)) {
    reader.refuse(
      pointerTo(place.pointer, 'required'),
      'a map has no members that must be there; list them in "properties"',
    )
  }
  const value = reader.read(reader.inner(place, values, 'additionalProperties'))
  return value === undefined ? undefined : { kind: 'dict', key: { kind: 'string' }, value }
}
