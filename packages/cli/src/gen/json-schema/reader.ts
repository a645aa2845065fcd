import { member, textOf, type JsonNode, type JsonObject } from '../json/json-tree.js'
import { pointerTo, resolve, stepsOfPointer } from '../json/pointer.js'
import type { TypeModel } from '../model/model.js'
import { orNull } from '../model/option.js'
import { readArray } from './array.js'
import { checkConstraints, checkSiblings } from './constraints.js'
import type { Dialect } from './dialect.js'
import { readObject } from './object.js'
import { Refusals } from './refusals.js'
import { readInteger, readNumber, readString } from './scalars.js'

/** A schema in its document. */
export interface Place {
  readonly node: JsonNode
  /** Where it stands, as a URI fragment. */
  readonly pointer: string
  /** The schema with an `$id` of its own around it, from where its references are counted. */
  readonly resource: JsonNode
}

// Kiln nests 64 levels deep. References that lead to references add more, but hardly ever as many.
const MAX_OPEN = 500

/**
 * Reads the schemas of one document into the model. Whatever can't be read is noted in `refusals`, and the rest is
 * read on, so that one run tells all that is in the way.
 */
export class SchemaReader {
  readonly refusals = new Refusals()
  /** Remarks on what was passed over although it looks as if it counted. */
  readonly notes: string[] = []
  readonly dialect: Dialect
  readonly ignored: ReadonlySet<string>
  readonly #root: JsonNode
  readonly #read = new Map<JsonNode, TypeModel | undefined>()
  /** The schemas that are being read, outermost first, and where they stand. */
  readonly #open = new Map<JsonNode, string>()

  constructor(root: JsonNode, dialect: Dialect, ignored: ReadonlySet<string>) {
    this.#root = root
    this.dialect = dialect
    this.ignored = ignored
  }

  /** The schema at a pointer's steps, or undefined if there is none. */
  at(steps: readonly string[]): Place | undefined {
    return this.#find(this.#root, steps, '#')
  }

  #find(from: JsonNode, steps: readonly string[], pointer: string): Place | undefined {
    let place: Place = { node: from, pointer, resource: from }
    for (const step of steps) {
      const node = resolve(place.node, [step])
      if (node === undefined) return undefined
      place = this.inner(place, node, step)
    }
    return place
  }

  /** A schema inside another one, by its steps from there. */
  inner(outer: Place, node: JsonNode, ...steps: readonly (string | number)[]): Place {
    const pointer = steps.reduce<string>((before, step) => pointerTo(before, step), outer.pointer)
    // An identifier without a fragment makes a resource of its own; with one it only names a place.
    const id = textOf(node, '$id')
    return { node, pointer, resource: id !== undefined && !id.startsWith('#') ? node : outer.resource }
  }

  refuse(pointer: string, detail: string): undefined {
    this.refusals.add(pointer, detail)
    return undefined
  }

  /** The type of a schema; undefined if it was refused. `named` is the name of the definition, if it is one. */
  read(place: Place, named?: string): TypeModel | undefined {
    const { node, pointer } = place
    if (this.#read.has(node)) return this.#read.get(node)
    const begun = this.#open.get(node)
    if (begun !== undefined) return this.#refuseCycle(begun, pointer)
    if (this.#open.size >= MAX_OPEN) {
      return this.refuse(pointer, `schemas refer to one another over ${MAX_OPEN} levels deep; shorten the chain`)
    }
    this.#open.set(node, pointer)
    const type = this.#readNode(place, named)
    this.#open.delete(node)
    this.#read.set(node, type)
    return type
  }

  #refuseCycle(begun: string, pointer: string): undefined {
    const way = [...this.#open.values()]
    const cycle = [...way.slice(way.indexOf(begun)), begun]
    return this.refuse(
      pointer,
      `the schema contains itself: ${cycle.join(' → ')}. A Kiln value has a fixed depth: ` +
        'keep the inner ones in a list and refer to them by index, or store them as bytes',
    )
  }

  #readNode(place: Place, named: string | undefined): TypeModel | undefined {
    const { node, pointer } = place
    if (node.kind === 'boolean') {
      return this.refuse(
        pointer,
        node.value ? 'true allows any value; say which type it is' : 'false allows no value; remove it',
      )
    }
    if (node.kind !== 'object') return this.refuse(pointer, 'a schema is an object; this is something else')
    const type = this.#readType(place, node, named)
    const nullable = member(node, 'nullable')
    return type !== undefined && nullable?.kind === 'boolean' && nullable.value ? orNull(type) : type
  }

  #readType(place: Place, node: JsonObject, named: string | undefined): TypeModel | undefined {
    if (node.members.has('$ref')) return this.#readReference(place, node)
    const wrapped = this.#readWrapped(place, node, named)
    if (wrapped !== false) return wrapped
    const types = this.#typesOf(place, node)
    if (types === undefined) return undefined
    const type = this.#readPlain(place, node, types.type, named)
    return type !== undefined && types.nullable ? orNull(type) : type
  }

  #readPlain(place: Place, node: JsonObject, name: string, named: string | undefined): TypeModel | undefined {
    switch (name) {
      case 'object':
        return readObject(this, place, node, named)
      case 'array':
        return readArray(this, place, node)
      case 'string':
        return readString(this, place, node)
      case 'integer':
        return readInteger(this, place, node)
      case 'number':
        return readNumber(this, place, node)
      case 'boolean':
        checkConstraints(this, place, node, 'any')
        return { kind: 'bool' }
      default:
        return this.refuse(pointerTo(place.pointer, 'type'), `${JSON.stringify(name)} is no type of JSON Schema`)
    }
  }

  /** The type that `type` names, and whether null is in it too. */
  #typesOf(place: Place, node: JsonObject): { type: string; nullable: boolean } | undefined {
    const type = node.members.get('type')
    const pointer = pointerTo(place.pointer, 'type')
    if (type === undefined) {
      const before = this.refusals.count
      checkConstraints(this, place, node, 'any')
      // A choice that was refused stands in the type's place.
      if (this.refusals.count > before) return undefined
      const hint =
        node.members.has('properties') || node.members.has('additionalProperties')
          ? 'object'
          : node.members.has('items')
            ? 'array'
            : undefined
      const what = hint === undefined ? 'add "type"' : `add "type": "${hint}" if that is what is meant`
      return this.refuse(place.pointer, `without "type" any value is allowed; ${what}`)
    }
    const names = type.kind === 'array' ? type.items : [type]
    const texts = names.flatMap((name) => (name.kind === 'string' ? [name.value] : []))
    if (texts.length !== names.length) return this.refuse(pointer, '"type" is the name of a type, or a list of names')
    const others = [...new Set(texts)].filter((text) => text !== 'null')
    if (others.length === 1) return { type: others[0]!, nullable: texts.includes('null') }
    const detail =
      others.length === 0
        ? 'null alone holds nothing; remove it'
        : `a choice of ${others.join(' and ')} is no Kiln type; settle on one`
    return this.refuse(pointer, detail)
  }

  /**
   * A schema that wraps one other: `allOf` of one, and `anyOf` or `oneOf` of one and null. False for one that is no
   * wrapper.
   */
  #readWrapped(place: Place, node: JsonObject, named: string | undefined): TypeModel | undefined | false {
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = node.members.get(keyword)
      if (list?.kind !== 'array' || node.members.has('type')) continue
      const rest = list.items.flatMap((item, i) => (keyword !== 'allOf' && isNull(item) ? [] : [{ item, i }]))
      const nulls = list.items.length - rest.length
      const [only] = rest
      if (only === undefined || rest.length > 1 || nulls > 1 || (keyword !== 'allOf' && nulls === 0)) continue
      checkSiblings(this, place, node, keyword)
      const type = this.read(this.inner(place, only.item, keyword, only.i), named ?? textOf(node, 'title'))
      return type !== undefined && nulls > 0 ? orNull(type) : type
    }
    return false
  }

  #readReference(place: Place, node: JsonObject): TypeModel | undefined {
    const pointer = pointerTo(place.pointer, '$ref')
    const reference = textOf(node, '$ref')
    if (reference === undefined) return this.refuse(pointer, '"$ref" is a text')
    checkSiblings(this, place, node, '$ref')
    const fragment = this.#localPart(reference, place.resource)
    if (fragment === undefined) {
      return this.refuse(
        pointer,
        `${JSON.stringify(reference)} leads out of this document, and nothing is fetched; ` +
          'copy what it names into "$defs" and refer to that',
      )
    }
    const steps = stepsOfPointer(fragment)
    if (steps === undefined) {
      return this.refuse(
        pointer,
        `${JSON.stringify(reference)} names an anchor; refer to it by its place, as in "#/$defs/Name"`,
      )
    }
    const outer = place.resource === this.#root ? '#' : this.#pointerOf(place.resource)
    const target = this.#find(place.resource, steps, outer)
    if (target === undefined)
      return this.refuse(pointer, `there is nothing at ${JSON.stringify(reference)}; mend the reference`)
    const definition = steps.length > 0 && isDefinitions(steps.slice(0, -1)) ? steps.at(-1) : undefined
    return this.read(target, definition)
  }

  /** The pointer that a resource of its own was entered by. */
  #pointerOf(resource: JsonNode): string {
    return this.#open.get(resource) ?? '#'
  }

  /** The fragment of a reference into the same resource; undefined for another document. */
  #localPart(reference: string, resource: JsonNode): string | undefined {
    const mark = reference.indexOf('#')
    const base = mark === -1 ? reference : reference.slice(0, mark)
    const own = (textOf(resource, '$id') ?? textOf(resource, 'id') ?? '').replace(/#$/, '')
    if (base !== '' && base !== own) return undefined
    return mark === -1 ? '#' : reference.slice(mark)
  }
}

function isDefinitions(steps: readonly string[]): boolean {
  const path = steps.join('/')
  return steps.at(-1) === '$defs' || steps.at(-1) === 'definitions' || path === 'components/schemas'
}

function isNull(node: JsonNode): boolean {
  if (node.kind !== 'object') return false
  if (textOf(node, 'type') === 'null') return true
  const choice = member(node, 'enum')
  return choice?.kind === 'array' && choice.items.length === 1 && choice.items[0]!.kind === 'null'
}
