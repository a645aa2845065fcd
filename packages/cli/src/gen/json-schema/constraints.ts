import type { JsonNode, JsonObject } from '../json/json-tree.js'
import { pointerTo } from '../json/pointer.js'
import { CONSTRAINTS, STRUCTURE, type Constraint } from './keywords.js'
import type { Place, SchemaReader } from './reader.js'

type JsonType = 'string' | 'number' | 'array' | 'object' | 'any'

/** The least and the greatest value of a type, which a document may state without changing anything. */
export type Range = readonly [low: number | bigint, high: number | bigint]

/** Refuses every keyword of a schema that would change what is valid for its type, but those that are to be ignored. */
export function checkConstraints(
  reader: SchemaReader,
  place: Place,
  node: JsonObject,
  type: JsonType,
  range?: Range,
): void {
  for (const [keyword, value] of node.members) {
    const constraint = CONSTRAINTS.get(keyword)
    if (constraint === undefined) continue
    if (constraint.applies !== 'any' && constraint.applies !== type) continue
    if (constraint.idle?.(value) === true || isNatural(keyword, value, range)) continue
    refuseConstraint(reader, place, keyword, value, constraint)
  }
}

/**
 * What stands beside a keyword that has the whole type: comments may, other constraints are refused. Where the draft
 * says that nothing beside `$ref` counts, it is passed over with a note.
 */
export function checkSiblings(reader: SchemaReader, place: Place, node: JsonObject, whole: string): void {
  const passedOver: string[] = []
  for (const [keyword, value] of node.members) {
    if (keyword === whole || keyword === 'nullable') continue
    const constraint = CONSTRAINTS.get(keyword)
    if (constraint === undefined && !STRUCTURE.has(keyword)) continue
    if (constraint?.idle?.(value) === true) continue
    if (whole === '$ref' && !reader.dialect.refSiblings) passedOver.push(keyword)
    else if (constraint !== undefined) refuseConstraint(reader, place, keyword, value, constraint)
    else {
      reader.refuse(
        pointerTo(place.pointer, keyword),
        `"${keyword}" stands beside "${whole}"; move it into the schema there, or write the whole schema here`,
      )
    }
  }
  if (passedOver.length > 0) {
    reader.notes.push(
      `${place.pointer}: in ${reader.dialect.name} nothing beside "$ref" counts; passed over: ${passedOver.join(', ')}`,
    )
  }
}

function refuseConstraint(
  reader: SchemaReader,
  place: Place,
  keyword: string,
  value: JsonNode,
  constraint: Constraint,
): void {
  const mayIgnore = constraint.ignore === 'yes' || (constraint.ignore === 'branches' && onlyConstrains(value))
  if (mayIgnore && reader.ignored.has(keyword)) return
  const todo = mayIgnore
    ? `remove it, or pass --ignore ${keyword} to accept more than the document does`
    : 'remove it, or describe the values by one type'
  reader.refuse(
    pointerTo(place.pointer, keyword),
    `"${keyword}" ${constraint.does}, which a Kiln schema can't say; ${todo}`,
  )
}

/** Whether a range that is stated is no narrower than the type's own. */
function isNatural(keyword: string, value: JsonNode, range: Range | undefined): boolean {
  if (range === undefined || value.kind !== 'number') return false
  if (keyword === 'minimum') return Number(value.text) <= Number(range[0])
  return keyword === 'maximum' && Number(value.text) >= Number(range[1])
}

/**
 * Whether schemas in a keyword only narrow down what the schema around them says, so that nothing is lost with them:
 * none describes members or elements, or refers to another schema.
 */
function onlyConstrains(value: JsonNode): boolean {
  if (value.kind === 'array') return value.items.every(onlyConstrains)
  if (value.kind !== 'object') return true
  for (const [keyword, inner] of value.members) {
    if (keyword === 'required' || keyword === 'type' || keyword === 'enum' || keyword === 'const') continue
    if (STRUCTURE.has(keyword) && keyword !== 'format' && keyword !== 'nullable') return false
    const constraint = CONSTRAINTS.get(keyword)
    if (constraint?.ignore === 'no') return false
    if (constraint?.ignore === 'branches' && !onlyConstrains(inner)) return false
  }
  return true
}
