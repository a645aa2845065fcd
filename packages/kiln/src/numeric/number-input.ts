import { describe, memoryOf, typedArrayName } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'

/**
 * Numbers of the caller's: Float32Array, Float64Array, Float16Array, a typed array of integers of up to 32 bits,
 * or a plain array of numbers.
 */
export type Numbers = ArrayLike<number>

const KINDS = new Set([
  'Float32Array', 'Float64Array', 'Float16Array', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array',
  'Uint16Array', 'Int32Array', 'Uint32Array',
])

/**
 * The same numbers in a plain array of this realm: `subarray` of a class of the caller's makes another of that class, by a
 * constructor that may take something else.
 */
export function plainArray<A extends ArrayBufferView>(values: A, name: string): A {
  const Plain = (globalThis as unknown as Record<string, new (buffer: ArrayBufferLike, offset: number, length: number) => A>)[name]!
  if (Object.getPrototypeOf(values) === Plain.prototype) return values
  const { buffer, byteOffset } = memoryOf(values)
  return new Plain(buffer, byteOffset, (values as unknown as ArrayLike<number>).length)
}

/** Floats of 32 or 64 bits, of any realm and class, as a plain array; anything else is `TYPE`. */
export function plainFloats(values: Float32Array | Float64Array): Float32Array | Float64Array {
  const name = typedArrayName(values)
  if (name === 'Float32Array' || name === 'Float64Array') return plainArray(values, name)
  throw new KilnError('TYPE', `a Float32Array or a Float64Array expected, got ${describe(values)}`)
}

/** Numbers of the caller's, a typed array as a plain one; `TYPE` for anything else, with the index in an array. */
export function plainNumbers(values: Numbers): Numbers {
  if (ArrayBuffer.isView(values)) {
    const kind = typedArrayName(values) ?? 'DataView'
    if (KINDS.has(kind)) return plainArray(values as Float32Array, kind)
    throw new KilnError('TYPE', `numbers can't come from a ${kind}; give a Float32Array or a Float64Array`)
  }
  if (!Array.isArray(values)) throw new KilnError('TYPE', 'numbers are a typed array or an array of numbers')
  for (let i = 0; i < values.length; i++) {
    if (typeof values[i] === 'number') continue
    throw new KilnError('TYPE', `this is no number but ${typeof values[i]}`).within(i)
  }
  return values
}

/** Copies `length` numbers from `first` on to the front of a block; the engine does it in bulk for floats. */
export function copyNumbers(values: Numbers, first: number, length: number, block: Float64Array): void {
  if (values instanceof Float32Array || values instanceof Float64Array) {
    block.set(values.subarray(first, first + length))
  } else {
    for (let i = 0; i < length; i++) block[i] = values[first + i]!
  }
}
