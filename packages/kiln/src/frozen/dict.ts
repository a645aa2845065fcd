import { allocated } from '../bytes/allocate.js'
import { describe } from '../bytes/input.js'
import { takeCount } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import { KilnError, within } from '../errors/kiln-error.js'
import type { KeySchema } from '../schema/types.js'
import type { Read, Write } from './codec.js'
import { isRecord } from './struct.js'
import { writeCount } from './text.js'

/** `TYPE`: a dict has a key once. */
export function keyTwice(key: unknown, at?: number): KilnError {
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

/**
 * The error of an entry, with the entry in front of its path: by its place until the key has been read, then by the key.
 * A key that stood before is the fault itself, whatever is wrong with its value, as FORMAT §2 has the order.
 */
export function inEntry(error: unknown, index: number, key: unknown, at: number, before: { has(key: unknown): boolean }): unknown {
  if (key === undefined) return within(error, index)
  return before.has(key) ? within(keyTwice(key, at), index) : inKey(error, key)
}

/** Reads `dict<key,value>`: a Map, in stored order. A key that stands twice is `TYPE`. */
export function dictReader(readKey: Read, readValue: Read, minSize: number): Read {
  return (r) => {
    const count = takeCount(r, minSize, 'count')
    allocated.elements += count
    const dict = new Map<unknown, unknown>()
    let i = 0
    let at = 0
    let key: unknown
    try {
      for (; i < count; i++) {
        key = undefined
        at = r.pos
        key = readKey(r)
        dict.set(key, readValue(r))
        // One look at the size, where a search for each key takes 10 ns. Strings that are equal have equal bytes.
        if (dict.size === i) throw keyTwice(key, at)
      }
    } catch (error) {
      throw inEntry(error, i, key, at, dict)
    }
    return dict
  }
}

const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get as (this: unknown) => number

/**
 * A Map of any realm: the getter of its size knows them all, and only them. What inherits from Map may have a size of
 * its own (a proxy that passes on to one has); if it has none that can be read, it is no Map, and finding that out takes 5 µs.
 */
function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  try {
    return (value instanceof Map ? value.size : sizeOfMap.call(value)) >= 0
  } catch {
    return false
  }
}

/** What a dict is written from: entries in order. */
export type Entries = ReadonlyMap<unknown, unknown> | readonly (readonly [unknown, unknown])[]

/**
 * The entries of what is given for a dict: a Map as it is, or for string keys the own enumerable properties of an object
 * (where JavaScript puts integer names first).
 */
export function entriesOf(value: unknown, keyKind: string): Entries {
  // By its tag: a Date, a Set or a Promise that nobody waited for would be a dict of nothing.
  if (!(value instanceof Map) && isRecord(value)) {
    if (keyKind === 'string') return Object.entries(value)
  } else if (isMap(value)) return value
  const other = keyKind === 'string' ? ' or a plain object' : ''
  throw new KilnError('TYPE', `dict<${keyKind},…> takes a Map${other}, got ${describe(value)}`)
}

/** Writes a dict's count and returns it. */
export function writeEntryCount(w: ByteWriter, entries: Entries): number {
  const count = 'size' in entries ? entries.size : entries.length
  writeCount(w, count, 'entries')
  return count
}

/** Throws `TYPE` if a Map gives more or fewer entries than were announced: a value's getter may change it meanwhile. */
export function checkEntry(at: number, count: number): void {
  if (at >= count) throw changedMap()
}

/** As {@link checkEntry}, after the last one. */
export function checkEntries(written: number, count: number): void {
  if (written !== count) throw changedMap()
}

function changedMap(): KilnError {
  return new KilnError('TYPE', 'the Map changed its size while it was encoded')
}

/** Writes `dict<key,value>` in the order of what it is given. A key that stands twice is `TYPE`. */
export function dictWriter(keyKind: KeySchema['kind'], writeKey: Write, writeValue: Write): Write {
  const mayClash = keyKind === 'i64' || keyKind === 'u64'
  return (w, given) => {
    const entries = entriesOf(given, keyKind)
    const count = writeEntryCount(w, entries)
    const seen = mayClash ? new Set<string>() : undefined
    let i = 0
    // One try around the loop: one an entry takes as long as writing the entry.
    let at: unknown
    try {
      for (const [key, value] of entries) {
        at = key
        checkEntry(i++, count)
        writeKey(w, key)
        if (seen !== undefined) addKey(seen, key)
        writeValue(w, value)
      }
    } catch (error) {
      throw inKey(error, at)
    }
    checkEntries(i, count)
  }
}
