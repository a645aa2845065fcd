import type { Schema } from 'kiln-format'
import type { Random } from './random.js'

/** Every path into a schema; none where it has no struct. */
export function pathsOf(schema: Schema): string[] {
  switch (schema.kind) {
    case 'list':
      return pathsOf(schema.element)
    case 'option':
      return pathsOf(schema.some)
    case 'dict':
      return pathsOf(schema.value)
    case 'struct':
      return schema.names.flatMap((name) => [
        name,
        ...pathsOf(schema.fields[name]!).map((path) => `${name}.${path}`),
      ])
    default:
      return []
  }
}

/** One to four paths into a schema that has some. */
export function randomPaths(random: Random, schema: Schema): string[] {
  const all = pathsOf(schema)
  return Array.from({ length: 1 + random.int(4) }, () => random.of(all))
}
