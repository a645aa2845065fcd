import type { Schema, Struct } from 'kiln-format'

/** One way in which schema B is not schema A. */
export interface SchemaChange {
  /** Where: `tags.value`, `items[]`; empty for the whole. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'moved' | 'type'
  /** Canonical text in A, or the place among the fields for `moved`. */
  readonly from?: string
  /** The same in B. */
  readonly to?: string
  /** The change in words. */
  readonly text: string
}

/** What changed from A to B, from the front to the back; nothing if they print alike. */
export function schemaChanges(a: Schema, b: Schema, path = ''): SchemaChange[] {
  if (a.text === b.text) return []
  if (a.kind === 'struct' && b.kind === 'struct') return fieldChanges(a, b, path)
  if (a.kind === 'list' && b.kind === 'list') return schemaChanges(a.element, b.element, `${path}[]`)
  if (a.kind === 'option' && b.kind === 'option') return schemaChanges(a.some, b.some, `${path}?`)
  if (a.kind === 'dict' && b.kind === 'dict') {
    return [...schemaChanges(a.key, b.key, `${path}{key}`), ...schemaChanges(a.value, b.value, `${path}{}`)]
  }
  return [{ path, change: 'type', from: a.text, to: b.text, text: `${subject(path)} was ${a.text}, is ${b.text}${remark(a, b)}` }]
}

function subject(path: string): string {
  return path === '' ? 'the value' : path
}

function remark(a: Schema, b: Schema): string {
  if (b.kind === 'option' && b.some.text === a.text) return ' (may be missing now)'
  if (a.kind === 'option' && a.some.text === b.text) return ' (must be there now)'
  return ''
}

function fieldChanges(a: Struct, b: Struct, path: string): SchemaChange[] {
  const inner = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const has = (schema: Struct, name: string): boolean => Object.hasOwn(schema.fields, name)
  const changes: SchemaChange[] = []
  for (const name of a.names) {
    if (has(b, name)) changes.push(...schemaChanges(a.fields[name]!, b.fields[name]!, inner(name)))
    else changes.push({ path: inner(name), change: 'removed', from: a.fields[name]!.text, text: `${inner(name)} (${a.fields[name]!.text}) is gone` })
  }
  b.names.forEach((name, i) => {
    if (has(a, name)) return
    const place = i === 0 ? 'in front' : `after ${b.names[i - 1]!}`
    changes.push({ path: inner(name), change: 'added', to: b.fields[name]!.text, text: `${inner(name)} (${b.fields[name]!.text}) is new, ${place}` })
  })
  return [...changes, ...movedFields(a, b, inner)]
}

/**
 * Fields of both whose order among each other changed: those outside of a longest run that kept its order, so that one
 * field that moved is told as one change.
 */
function movedFields(a: Struct, b: Struct, inner: (name: string) => string): SchemaChange[] {
  const placeInB = new Map(b.names.map((name, i) => [name, i]))
  const common = a.names.filter((name) => placeInB.has(name))
  const kept = longestRun(common.map((name) => placeInB.get(name)!))
  return common.flatMap((name, i): SchemaChange[] => {
    if (kept.has(i)) return []
    const from = a.names.indexOf(name) + 1
    const to = placeInB.get(name)! + 1
    return [{ path: inner(name), change: 'moved', from: String(from), to: String(to), text: `${inner(name)} moved from place ${from} to place ${to}` }]
  })
}

/** The indexes of a longest increasing subsequence. */
function longestRun(places: readonly number[]): ReadonlySet<number> {
  const best: { length: number; before: number }[] = []
  let last = -1
  places.forEach((place, i) => {
    let mine = { length: 1, before: -1 }
    for (let j = 0; j < i; j++) if (places[j]! < place && best[j]!.length + 1 > mine.length) mine = { length: best[j]!.length + 1, before: j }
    best.push(mine)
    if (last === -1 || mine.length > best[last]!.length) last = i
  })
  const kept = new Set<number>()
  for (let i = last; i !== -1; i = best[i]!.before) kept.add(i)
  return kept
}
