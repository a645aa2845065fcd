import type { ByteWriter } from '../bytes/writer.js'
import { entriesOf as dictEntries, type Entries } from '../frozen/dict.js'
import { numberChecks } from '../frozen/scalar-checks.js'
import { checkObject, isOther, noStruct } from '../frozen/struct.js'
import type { DictInput } from './inputs.js'

/** Gives the value back if it is an integer from −128 to 127, else `TYPE`. */
export const checkI8 = numberChecks.i8
/** Gives the value back if it is an integer from 0 to 255, else `TYPE`. */
export const checkU8 = numberChecks.u8
/** Gives the value back if it is an integer from −32,768 to 32,767, else `TYPE`. */
export const checkI16 = numberChecks.i16
/** Gives the value back if it is an integer from 0 to 65,535, else `TYPE`. */
export const checkU16 = numberChecks.u16
/** Gives the value back if it is an integer of 32 bits with sign, else `TYPE`. */
export const checkI32 = numberChecks.i32
/** Gives the value back if it is an integer of 32 bits without sign, else `TYPE`. */
export const checkU32 = numberChecks.u32
/** Gives the value back if it is a code, an integer from 0 to 65,535, else `TYPE`. */
export const checkF16 = numberChecks.f16
/** Gives the value back if it is a code, an integer from 0 to 65,535, else `TYPE`. */
export const checkBf16 = numberChecks.bf16
/** Gives the value back if it is a number that f32 can round without becoming infinite, else `TYPE`. */
export const checkF32 = numberChecks.f32
/** Gives the value back if it is a number, else `TYPE`. */
export const checkF64 = numberChecks.f64

/** Makes room for `size` bytes, takes it, and returns where it begins. */
export function grant(w: ByteWriter, size: number): number {
  w.reserve(size)
  const at = w.pos
  w.pos = at + size
  return at
}

/** Writes the tag of an option and says whether its value follows: undefined and null are none. */
export function writeTag<T>(w: ByteWriter, value: T): value is NonNullable<T> {
  const present = value !== undefined && value !== null
  w.bytes[grant(w, 1)] = present ? 1 : 0
  return present
}

/** What a dict is written from, in order: a Map as it is, or the entries of an object. What can't be a dict is `TYPE`. */
export function entriesOf<V>(value: DictInput<V>, keyKind: 'string'): ReadonlyMap<string, V> | readonly (readonly [string, V])[]
export function entriesOf<K, V>(value: ReadonlyMap<K, V>, keyKind: string): ReadonlyMap<K, V>
export function entriesOf(value: unknown, keyKind: string): Entries {
  return dictEntries(value, keyKind)
}

/** Where a field that an object doesn't have would be found. */
export const objectPrototype: object = Object.prototype

/**
 * An object from which every field can be read as it is: one of its own, or missing. That is the value itself if
 * it is a plain object and `inherited` says that Object.prototype has none of the names; else a copy of its own
 * fields. Asking `Object.hasOwn` for each field would take a fifth of the time of a small message.
 */
export function ownFields<T extends object>(value: T, names: readonly string[], inherited: boolean): T {
  checkObject(value, names)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || (prototype === objectPrototype && !inherited)) return value
  if (isOther(value, names)) throw noStruct(value, names)
  const own = Object.create(null) as Record<string, unknown>
  const fields = value as Readonly<Record<string, unknown>>
  for (const name of names) if (Object.hasOwn(value, name)) own[name] = fields[name]
  return own as T
}
