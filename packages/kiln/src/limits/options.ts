import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'

/** Throws `TYPE` for options that are none, such as null, a name or a flag by itself. */
export function checkOptions(given: unknown, name = 'options'): void {
  if (given === undefined || (typeof given === 'object' && given !== null)) return
  throw new KilnError('TYPE', `${name} are an object of names and values, got ${describe(given)}`)
}

/**
 * Whether an option has its second value and not its first, which holds where it is left out. Anything else is `TYPE`:
 * a choice that is misspelt must not be taken for the default.
 */
export function isChosen(given: unknown, name: string, byDefault: string | boolean, other: string | boolean): boolean {
  if (given === undefined || given === byDefault) return false
  if (given === other) return true
  throw new KilnError('TYPE', `${name} is ${describe(byDefault)} or ${describe(other)}, got ${describe(given)}`)
}

/** {@link isChosen} for what is on or off, and off where it is left out. */
export function isOn(given: unknown, name: string): boolean {
  return isChosen(given, name, false, true)
}

/** A number of bytes, tries or steps, from `least` on; `Infinity` too where `endless` says so. */
export function wholeNumber(given: unknown, name: string, byDefault: number, least: number, endless = false): number {
  const value = given === undefined ? byDefault : given
  if (typeof value === 'number' && value >= least && (Number.isSafeInteger(value) || (endless && value === Infinity))) {
    return value
  }
  throw new KilnError('TYPE', `${name} is an integer from ${least} on, got ${describe(value)}`)
}

/** Throws `TYPE` for what can't be called. */
export function checkFunction(given: unknown, name: string): void {
  if (given === undefined || typeof given === 'function') return
  throw new KilnError('TYPE', `${name} is a function, got ${describe(given)}`)
}

/** Throws `TYPE` for what can't be gone through: pieces come as an array, a generator, or a stream that is one. */
export function checkIterable(given: unknown, name: string): void {
  if (typeof given === 'object' && given !== null && (Symbol.asyncIterator in given || Symbol.iterator in given)) return
  throw new KilnError('TYPE', `${name} gives bytes piece by piece, as an iterable or an async iterable; got ${describe(given)}`)
}
