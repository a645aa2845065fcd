import { allocated } from '../bytes/allocate.js'
import { describe } from '../bytes/input.js'
import { takeCount } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import { KilnError, within } from '../errors/kiln-error.js'
import type { KeySchema } from '../schema/types.js'
import type { Read, TypeCodec } from './codec.js'
import { writeCount } from './text.js'

function keyTwice(key: unknown, at?: number): KilnError {
  return new KilnError('TYPE', `the key ${describe(key)} stands twice`, at)
}

/** Throws `TYPE` for a key that stood before. */
export function checkNewKey(before: { has(key: unknown): boolean }, key: unknown, at?: number): void {
  if (before.has(key)) throw keyTwice(key, at)
}

/** As {@link checkNewKey} for keys of which two may be written alike: 1 and 1n are two keys of a Map and one of a dict. */
export function addKey(written: Set<string>, key: unknown): void {
  const text = String(key)
  if (written.has(text)) throw keyTwice(key)
  written.add(text)
}

/** The error with an entry in front of its path, by the key; what can't be one may have no text either. */
export function inKey(error: unknown, key: unknown): unknown {
  return within(error, { key: typeof key === 'object' || typeof key === 'function' ? describe(key) : String(key) })
}

export function dictReader(readKey: Read, readValue: Read, minSize: number): Read {
  return (r) => {
    const count = takeCount(r, minSize, 'count')
    allocated.elements += count
    const dict = new Map<unknown, unknown>()
    let i = 0
    let key: unknown
    let inValue = false
    try {
      for (; i < count; i++) {
        inValue = false
        const at = r.pos
        key = readKey(r)
        // Before the value, as FORMAT §2 has it. Strings that are equal have equal bytes.
        checkNewKey(dict, key, at)
        inValue = true
        dict.set(key, readValue(r))
      }
    } catch (error) {
      throw inValue ? inKey(error, key) : within(error, i)
    }
    return dict
  }
}

/** A Map of any realm: this one's, or one with its tag. */
function isMap(value: object): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map || Object.prototype.toString.call(value) === '[object Map]'
}

/**
 * The entries of what is given for a dict: those of a Map in its order, or for string keys the own enumerable
 * properties of an object (where JavaScript puts integer names first). Copied, since a value's getter may
 * change the Map while it is written.
 */
export function entriesOf(value: unknown, keyKind: string): readonly (readonly [unknown, unknown])[] {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    if (isMap(value)) return entriesOfMap(value)
    if (keyKind === 'string' && !Array.isArray(value)) return Object.entries(value)
  }
  const other = keyKind === 'string' ? ' or a plain object' : ''
  throw new KilnError('TYPE', `dict<${keyKind},…> takes a Map${other}, got ${describe(value)}`)
}

/** A loop, because `Array.from` of a Map takes five times as long: 2 µs for four entries. */
function entriesOfMap(map: ReadonlyMap<unknown, unknown>): readonly (readonly [unknown, unknown])[] {
  const entries: (readonly [unknown, unknown])[] = []
  for (const entry of map) entries.push(entry)
  return entries
}

/** `dict<key,value>`: a Map, in stored order. A key that stands twice is `TYPE`. */
export function dictCodec(keySchema: KeySchema, key: TypeCodec, value: TypeCodec): TypeCodec {
  const minSize = key.minSize + value.minSize
  const read = dictReader(key.read, value.read, minSize)
  const mayClash = keySchema.kind === 'i64' || keySchema.kind === 'u64'

  function write(w: ByteWriter, given: unknown): void {
    const entries = entriesOf(given, keySchema.kind)
    writeCount(w, entries.length, 'entries')
    const seen = mayClash ? new Set<string>() : undefined
    for (const [entryKey, entryValue] of entries) {
      try {
        key.write(w, entryKey)
        if (seen !== undefined) addKey(seen, entryKey)
        value.write(w, entryValue)
      } catch (error) {
        throw inKey(error, entryKey)
      }
    }
  }

  return {
    minSize: 4,
    read,
    view: value.view === value.read ? read : dictReader(key.view, value.view, minSize),
    write,
  }
}
