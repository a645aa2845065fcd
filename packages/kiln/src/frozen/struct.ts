import { describe } from '../bytes/input.js'
import { KilnError, within } from '../errors/kiln-error.js'
import type { Read, Write } from './codec.js'

/** Reads `struct{…}`: the fields in order, nothing between. */
export function structReader(names: readonly string[], reads: readonly Read[]): Read {
  // Every result starts as a copy of one object that has all fields already: its shape then never
  // changes, which makes storing the fields about twice as fast as adding them.
  const blank: Record<string, unknown> = {}
  for (const name of names) blank[name] = undefined
  const count = names.length
  return (r) => {
    const value = { ...blank }
    let i = 0
    try {
      for (; i < count; i++) value[names[i]!] = reads[i]!(r)
    } catch (error) {
      throw within(error, names[i]!)
    }
    return value
  }
}

/** Whether this is an object of somebody's own making, of any realm, and none of the language's or the platform's. */
export function isRecord(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** Whether this is no record and has none of the fields, such as a Map or a Promise that nobody waited for. */
export function isOther(value: object, names: readonly string[]): boolean {
  return !isRecord(value) && !names.some((name) => Object.hasOwn(value, name))
}

/** Throws `TYPE` for what can't be a struct. */
export function checkObject(value: unknown, names: readonly string[]): asserts value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) throw noStruct(value, names)
}

/** `TYPE`: says which fields there would be. */
export function noStruct(value: unknown, names: readonly string[]): KilnError {
  const some = names.slice(0, 5).join(', ')
  return new KilnError('TYPE', `struct takes an object with ${some}${names.length > 5 ? ', …' : ''}, got ${describe(value)}`)
}

/** Writes `struct{…}`, from an object's own properties; with `empty` there need be none, since each field is an option. */
export function structWriter(names: readonly string[], writes: readonly Write[], empty: boolean): Write {
  const count = names.length
  return (w, value) => {
    checkObject(value, names)
    // No field has to be there, so something else would be a struct without values.
    if (empty && isOther(value, names)) throw noStruct(value, names)
    let i = 0
    try {
      for (; i < count; i++) {
        const name = names[i]!
        // Own properties only: a field is never found on a prototype.
        writes[i]!(w, Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined)
      }
    } catch (error) {
      throw isOther(value, names) ? noStruct(value, names) : within(error, names[i]!)
    }
  }
}
