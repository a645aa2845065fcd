import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkSchema } from '../schema/is-schema.js'
import type { Dict, Fields, List, Option, Schema, Struct } from '../schema/types.js'

/** What is wanted of a value: all of it, or some fields of the structs in it. */
export type Selection = 'all' | ReadonlyMap<string, Selection>

/** The selection of some paths. Throws `SCHEMA` for a path that leads to no field. */
export function selectionOf(schema: Schema, paths: readonly string[]): Selection {
  checkSchema(schema)
  if (!Array.isArray(paths) || paths.length === 0) {
    throw new KilnError('SCHEMA', `project takes the paths of some fields, such as ['id', 'user.name']; got ${describe(paths)}`)
  }
  return paths.reduce<Selection>((selection, path) => {
    if (typeof path !== 'string') throw new KilnError('SCHEMA', `a path is a string such as 'user.name', got ${describe(path)}`)
    return withPath(schema, selection, path, path)
  }, new Map())
}

/** A selection with one path more. Selecting a field wins over selecting parts of it. */
function withPath(schema: Schema, selection: Selection, rest: string, path: string): Selection {
  if (selection === 'all') return 'all'
  const struct = structIn(schema)
  if (struct === undefined) {
    throw new KilnError('SCHEMA', `the path ${JSON.stringify(path)} goes into ${schema.text.slice(0, 60)}, which has no fields`)
  }
  const name = fieldAt(struct, rest)
  if (name === undefined) {
    const some = struct.names.slice(0, 8).join(', ')
    throw new KilnError('SCHEMA', `the path ${JSON.stringify(path)} leads to no field; there are ${some}${struct.names.length > 8 ? ', …' : ''}`)
  }
  const more = rest.slice(name.length + 1)
  const before = selection.get(name) ?? new Map<string, Selection>()
  const after = rest === name ? 'all' : withPath(struct.fields[name]!, before, more, path)
  return new Map(selection).set(name, after)
}

/** The struct whose fields a path names: behind lists, options and the values of dicts. */
function structIn(schema: Schema): Struct | undefined {
  switch (schema.kind) {
    case 'struct':
      return schema
    case 'list':
      return structIn(schema.element)
    case 'option':
      return structIn(schema.some)
    case 'dict':
      return structIn(schema.value)
    default:
      return undefined
  }
}

/** The field that the path begins with. Names may have dots: the longest that fits is meant. */
function fieldAt(struct: Struct, rest: string): string | undefined {
  for (let end = rest.length; end > 0; end = rest.lastIndexOf('.', end - 1)) {
    const name = rest.slice(0, end)
    if (Object.hasOwn(struct.fields, name)) return name
  }
  return undefined
}

/** The paths into a schema, as TypeScript knows them. */
export type PathsOf<S extends Schema> = Schema extends S
  ? string
  : S extends List<infer E>
    ? PathsOf<E>
    : S extends Option<infer T>
      ? PathsOf<T>
      : S extends Dict<infer _K, infer V>
        ? PathsOf<V>
        : S extends Struct<infer F>
          ? FieldPaths<F>
          : never

type FieldPaths<F extends Fields> = { [N in keyof F & string]: N | `${N}.${PathsOf<F[N]>}` }[keyof F & string]
