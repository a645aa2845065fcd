import { borrowedNumbers } from '../frozen/number-list.js'
import { elementType, isNumberName, type NumberName } from '../bytes/elements.js'
import { takeCount, takeLength } from '../bytes/reader.js'
import { checkUtf8, decodeUtf8 } from '../bytes/utf8.js'
import { checkNewKey } from '../frozen/dict.js'
import { readersOf } from '../frozen/readers.js'
import { readFlag } from '../frozen/scalar-read.js'
import { fixedSizeOf, minSizeOf } from '../frozen/sizes.js'
import { isScalarName } from '../schema/rules.js'
import type { Dict, List, Schema, Struct } from '../schema/types.js'
import type { PathStep } from '../errors/kiln-error.js'
import { walkDirectory } from './directory.js'
import { rules } from './rules.js'
import type { SpanKind } from './span.js'
import type { Pauses, WalkState } from './state.js'

/** Text that is longer is not made a string of, and of a source not read. */
const LONG_TEXT = 2 ** 20
/** Bytes and numbers of a source that are longer are not read. */
const LONG_BYTES = 4096

/** What a walker knows of the value that it has gone through. */
export interface Facts {
  readonly value?: unknown
  readonly entries?: number
}

/** Goes through one value of the schema at the cursor and opens `budget` levels of it. */
export function* walkValue(w: WalkState, schema: Schema, budget: number, kind: SpanKind = 'value'): Pauses<Facts> {
  if (isScalarName(schema.kind)) return yield* walkScalar(w, schema, kind)
  if (budget > 0) return yield* openValue(w, schema, budget - 1, kind)
  const start = w.pos
  w.muted++
  const facts = yield* openValue(w, schema, 0, kind)
  w.muted--
  const leaf =
    schema.kind === 'string' || schema.kind === 'bytes' || (schema.kind === 'list' && isNumberName(schema.element.kind))
  w.put(leaf ? kind : 'group', start, w.pos - start, valueRule(schema), { type: schema.text, ...facts })
  return facts
}

/** The rule of what is no scalar. */
function valueRule(schema: Schema): string {
  if (schema.kind === 'tensors') return rules.directory
  if (schema.kind === 'list') return isNumberName(schema.element.kind) ? rules.numbers : rules.list
  return rules[schema.kind as 'string' | 'bytes' | 'dict' | 'option' | 'struct']
}

function* openValue(w: WalkState, schema: Schema, budget: number, kind: SpanKind): Pauses<Facts> {
  switch (schema.kind) {
    case 'string':
      return yield* walkString(w, kind)
    case 'bytes':
      return yield* walkBytes(w)
    case 'tensors':
      return yield* walkDirectory(w, budget + 1)
    case 'list': {
      const { kind: name } = schema.element
      return isNumberName(name) ? yield* walkNumbers(w, schema, name) : yield* walkList(w, schema, budget)
    }
    case 'dict':
      return yield* walkDict(w, schema, budget)
    case 'option': {
      w.field(1, rules.tag)
      if (!w.has(1)) yield w.need(1)
      const present = readFlag(w.r, 'option tag')
      w.put('tag', w.pos - 1, 1, rules.tag, { value: present })
      return present ? yield* walkValue(w, schema.some, budget) : {}
    }
    default:
      yield* walkStruct(w, schema as Struct, budget)
      return {}
  }
}

function* walkScalar(w: WalkState, schema: Schema, kind: SpanKind): Pauses<Facts> {
  const size = fixedSizeOf(schema)!
  const rule = schema.kind === 'bool' ? rules.bool : rules.scalar
  w.field(size, rule)
  if (!w.has(size)) yield w.need(size)
  const value = readersOf(schema).read(w.r)
  w.put(kind, w.pos - size, size, rule, { type: schema.text, value })
  return { value }
}

function* walkWord(w: WalkState, rule: string): Pauses {
  w.field(4, rule)
  if (!w.has(4)) yield w.need(4)
}

function* walkString(w: WalkState, kind: SpanKind): Pauses<Facts> {
  yield* walkWord(w, rules.length)
  const start = w.base + takeLength(w.r, 'string')
  const length = w.pos - start
  w.put('length', start - 4, 4, rules.length, { type: 'u32', value: length })
  w.pos = start
  w.field(length, rules.string)
  let value: string | undefined
  // A key is read however long it is: whether it stands twice must be known.
  if (w.whole || length <= LONG_TEXT || kind === 'key') {
    if (!w.has(length)) yield w.need(length)
    const { pos, bytes, unstable } = w.r
    if (length > LONG_TEXT && kind !== 'key') checkUtf8(bytes, pos, pos + length)
    else value = decodeUtf8(bytes, pos, pos + length, unstable)
  }
  const facts = value === undefined ? {} : { value }
  w.put(kind, start, length, rules.string, { type: 'string', ...facts })
  w.pos = start + length
  return facts
}

function* walkBytes(w: WalkState): Pauses<Facts> {
  yield* walkWord(w, rules.length)
  const start = w.base + takeLength(w.r, 'bytes')
  const length = w.pos - start
  w.put('length', start - 4, 4, rules.length, { type: 'u32', value: length })
  w.pos = start
  if (length <= LONG_BYTES && !w.has(length)) yield w.need(length)
  const facts = w.has(length) ? { value: w.r.bytes.subarray(w.r.pos, w.r.pos + length) } : {}
  w.put('value', start, length, rules.bytes, { type: 'bytes', ...facts })
  w.pos = start + length
  return facts
}

function* walkNumbers(w: WalkState, schema: List, kind: NumberName): Pauses<Facts> {
  yield* walkWord(w, rules.count)
  const { width } = elementType(kind)
  const entries = takeCount(w.r, width, 'numbers')
  const start = w.pos
  const length = entries * width
  w.put('count', start - 4, 4, rules.count, { type: 'u32', value: entries })
  if (length <= LONG_BYTES && !w.has(length)) yield w.need(length)
  const facts = w.has(length)
    ? { value: borrowedNumbers(kind, w.r.bytes, w.r.view, w.r.pos, entries), entries }
    : { entries }
  w.put('value', start, length, rules.numbers, { type: schema.text, ...facts })
  w.pos = start + length
  return facts
}

function* walkList(w: WalkState, schema: List, budget: number): Pauses<Facts> {
  yield* walkWord(w, rules.count)
  const entries = takeCount(w.r, minSizeOf(schema.element), 'count')
  w.put('count', w.pos - 4, 4, rules.count, { type: 'u32', value: entries })
  for (let i = 0; i < entries; i++) {
    yield* walkChild(w, i, schema.element, budget)
    if (w.full) yield undefined
  }
  return { entries }
}

function* walkDict(w: WalkState, schema: Dict, budget: number): Pauses<Facts> {
  yield* walkWord(w, rules.count)
  const entries = takeCount(w.r, minSizeOf(schema.key) + minSizeOf(schema.value), 'count')
  w.put('count', w.pos - 4, 4, rules.count, { type: 'u32', value: entries })
  const seen = new Set<unknown>()
  for (let i = 0; i < entries; i++) {
    w.steps.push(i)
    const key = yield* walkKey(w, schema, seen, budget)
    w.steps.pop()
    yield* walkChild(w, { key: String(key) }, schema.value, budget)
    if (w.full) yield undefined
  }
  return { entries }
}

/** Goes through a key twice: a span may be given only when it is known that the key is new. */
function* walkKey(w: WalkState, schema: Dict, seen: Set<unknown>, budget: number): Pauses<unknown> {
  const at = w.pos
  w.muted++
  const { value: key } = yield* walkValue(w, schema.key, 0, 'key')
  w.muted--
  w.field(w.pos - at, rules.dict, at)
  checkNewKey(seen, key, at - w.base)
  seen.add(key)
  if (w.muted === 0) {
    w.pos = at
    yield* walkValue(w, schema.key, budget, 'key')
  }
  return key
}

function* walkStruct(w: WalkState, schema: Struct, budget: number): Pauses {
  for (const name of schema.names) yield* walkChild(w, name, schema.fields[name]!, budget)
}

function* walkChild(w: WalkState, step: PathStep, schema: Schema, budget: number): Pauses {
  w.steps.push(step)
  yield* walkValue(w, schema, budget)
  w.steps.pop()
}
