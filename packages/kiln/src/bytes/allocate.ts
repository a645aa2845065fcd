import { KilnError } from '../errors/kiln-error.js'

/**
 * Storage that readers made for a count or a size of the input: elements of lists and dicts, and
 * descriptors. For tests (`kiln-format/debug`): on a refused path it must not have moved. It only
 * counts, so no call can go wrong by it.
 */
export const allocated = { elements: 0, descriptors: 0 }

/** `new Type(length)`, counted; a host that refuses is `LIMIT`. `length` has been checked by the caller. */
export function allocateElements<A>(type: new (length: number) => A, length: number): A {
  allocated.elements += length
  return allocate(type, length)
}

/** As {@link allocateElements}, for bytes that hold descriptors or what is known of them. */
export function allocateDescriptors<A>(type: new (length: number) => A, length: number, count: number): A {
  allocated.descriptors += count
  return allocate(type, length)
}

/** `new Type(length)`, where a host that refuses is `LIMIT`. */
export function allocate<A>(type: new (length: number) => A, length: number): A {
  try {
    return new type(length)
  } catch (cause) {
    throw new KilnError('LIMIT', `this host can't allocate ${length} elements at once`, undefined, { cause })
  }
}
