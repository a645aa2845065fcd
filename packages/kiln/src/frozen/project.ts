import { toBytes } from '../bytes/input.js'
import { byteReader, checkEnd } from '../bytes/reader.js'
import { within } from '../errors/kiln-error.js'
import { resolveSettings, type DecodeOptions, type Int64 } from '../limits/limits.js'
import type { Infer, Viewed } from '../schema/infer.js'
import { checkSchema } from '../schema/is-schema.js'
import type { Dict, Fields, List, Option, Schema, Struct } from '../schema/types.js'
import type { Read } from './codec.js'
import type { ByteInput } from './decode.js'
import { dictReader } from './dict.js'
import { listReader } from './list.js'
import { optionReader } from './option.js'
import { readersOf } from './readers.js'
import { selectionOf, type PathsOf, type Selection } from './selection.js'
import { minSizeOf } from './sizes.js'
import { skipFields } from './skip.js'

/** The value of a schema with the fields of some paths alone. */
export type Projected<S extends Schema, P extends string, I extends Int64 = 'bigint'> = S extends List<infer E>
  ? Projected<E, P, I>[]
  : S extends Option<infer T>
    ? Projected<T, P, I> | undefined
    : S extends Dict<infer K, infer V>
      ? Map<Infer<K, I>, Projected<V, P, I>>
      : S extends Struct<infer F>
        ? { [N in Heads<F, P>]: N extends P ? Infer<F[N], I> : Projected<F[N], Tails<N, P>, I> }
        : unknown

/** As {@link Projected}, borrowed as by `view`. */
export type ProjectedView<S extends Schema, P extends string, I extends Int64 = 'bigint'> = S extends List<infer E>
  ? ProjectedView<E, P, I>[]
  : S extends Option<infer T>
    ? ProjectedView<T, P, I> | undefined
    : S extends Dict<infer K, infer V>
      ? Map<Infer<K, I>, ProjectedView<V, P, I>>
      : S extends Struct<infer F>
        ? { [N in Heads<F, P>]: N extends P ? Viewed<F[N], I> : ProjectedView<F[N], Tails<N, P>, I> }
        : unknown

type Heads<F extends Fields, P extends string> = { [N in keyof F & string]: P extends N | `${N}.${string}` ? N : never }[keyof F & string]
type Tails<N extends string, P extends string> = P extends `${N}.${infer R}` ? R : never

/**
 * A reader of some fields: `project(k.list(Row), ['id', 'user.name'])(bytes)` gives rows with `id` and `user`, which
 * has `name`. Paths go through lists, options and the values of dicts to the fields of structs.
 *
 * The rest is passed over by its lengths, with the checks that say where values end: counts and their caps, lengths,
 * what is available, option tags, headers of directories; in the order of the bytes, so a fault of that kind is the
 * same as in `decode`. Values that are passed over are not looked at: a bool of 2, text that is not UTF-8, a key that
 * stands twice, a bad descriptor there is no fault here. A path that leads to no field is `SCHEMA`.
 */
export function project<S extends Schema, const P extends PathsOf<S>>(
  schema: S,
  paths: readonly P[],
): <const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>) => Projected<S, P, I> {
  return projection(schema, paths, 'read')
}

/** As {@link project}; lists of numbers and bytes point into the input, as by `view`. */
export function projectView<S extends Schema, const P extends PathsOf<S>>(
  schema: S,
  paths: readonly P[],
): <const I extends Int64 = 'bigint'>(bytes: ByteInput, options?: DecodeOptions<I>) => ProjectedView<S, P, I> {
  return projection(schema, paths, 'view')
}

function projection(schema: Schema, paths: readonly string[], how: 'read' | 'view'): <T>(bytes: ByteInput, options?: DecodeOptions) => T {
  checkSchema(schema)
  const read = projectingReader(schema, selectionOf(schema, paths), how)
  return <T>(bytes: ByteInput, options?: DecodeOptions): T => {
    const r = byteReader(toBytes(bytes), resolveSettings(options))
    const value = read(r)
    checkEnd(r, 'value')
    return value as T
  }
}

function projectingReader(schema: Schema, selection: Selection, how: 'read' | 'view'): Read {
  if (selection === 'all') return readersOf(schema)[how]
  switch (schema.kind) {
    case 'list':
      return listReader(projectingReader(schema.element, selection, how), minSizeOf(schema.element))
    case 'option':
      return optionReader(projectingReader(schema.some, selection, how))
    case 'dict': {
      const value = projectingReader(schema.value, selection, how)
      return dictReader(readersOf(schema.key).read, value, minSizeOf(schema.key) + minSizeOf(schema.value))
    }
    default:
      return structProjection(schema as Struct, selection, how)
  }
}

function structProjection(struct: Struct, selection: ReadonlyMap<string, Selection>, how: 'read' | 'view'): Read {
  /** Of each step the field that is read, or undefined where it passes over some, which say their names themselves. */
  const names: (string | undefined)[] = []
  const runs: Read[] = []
  const blank: Record<string, unknown> = {}
  let passed: (readonly [string, Schema])[] = []
  const passOver = (): void => {
    if (passed.length === 0) return
    names.push(undefined)
    runs.push(skipFields(passed))
    passed = []
  }
  for (const name of struct.names) {
    const wanted = selection.get(name)
    if (wanted === undefined) {
      passed.push([name, struct.fields[name]!])
      continue
    }
    passOver()
    blank[name] = undefined
    names.push(name)
    runs.push(projectingReader(struct.fields[name]!, wanted, how))
  }
  passOver()
  return (r) => {
    const value = { ...blank }
    let i = 0
    try {
      for (; i < runs.length; i++) {
        const name = names[i]
        if (name === undefined) runs[i]!(r)
        else value[name] = runs[i]!(r)
      }
    } catch (error) {
      const name = names[i]
      throw name === undefined ? error : within(error, name)
    }
    return value
  }
}
