import { allocateElements } from '../bytes/allocate.js'
import { describe } from '../bytes/input.js'
import { takeCount } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import { KilnError, within } from '../errors/kiln-error.js'
import type { Read, Write } from './codec.js'
import { writeCount } from './text.js'

/** Reads a `list` whose elements are stored one by one: all but the fixed-width numbers (`bool` too). */
export function listReader(readElement: Read, minSize: number): Read {
  return (r) => {
    const count = takeCount(r, minSize, 'count')
    const list = allocateElements<unknown[]>(Array, count)
    let i = 0
    try {
      for (; i < count; i++) list[i] = readElement(r)
    } catch (error) {
      throw within(error, i)
    }
    return list
  }
}

/** Writes a list's count and returns it; what is no array is `TYPE`. */
export function writeListCount(w: ByteWriter, value: unknown): number {
  if (!Array.isArray(value)) throw new KilnError('TYPE', `list takes an array, got ${describe(value)}`)
  writeCount(w, value.length, 'elements')
  return value.length
}

/** Throws `TYPE` if an array of which `count` elements were written has another length by now. */
export function checkLength(value: { readonly length: number }, count: number): void {
  if (value.length !== count) throw new KilnError('TYPE', 'the array changed its length while it was encoded')
}

/** Writes a `list` element by element, as {@link listReader} reads it. */
export function listWriter(writeElement: Write): Write {
  return (w, value) => {
    const count = writeListCount(w, value)
    const list = value as readonly unknown[]
    let i = 0
    try {
      for (; i < count; i++) writeElement(w, list[i])
      checkLength(list, count)
    } catch (error) {
      throw within(error, i)
    }
  }
}
