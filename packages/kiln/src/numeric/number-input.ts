import { describe, typedArrayName } from '../bytes/input.js'
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

/** Throws `TYPE` unless these are floats of 32 or 64 bits, of any realm. */
export function checkFloats(values: unknown): void {
  const name = typedArrayName(values)
  if (name === 'Float32Array' || name === 'Float64Array') return
  throw new KilnError('TYPE', `a Float32Array or a Float64Array expected, got ${describe(values)}`)
}

/** Checks that numbers were given; `TYPE` for anything else, with the index in a plain array. */
export function checkNumbers(values: Numbers): void {
  if (ArrayBuffer.isView(values)) {
    const kind = Object.prototype.toString.call(values).slice(8, -1)
    if (KINDS.has(kind)) return
    throw new KilnError('TYPE', `numbers can't come from a ${kind}; give a Float32Array or a Float64Array`)
  }
  if (!Array.isArray(values)) throw new KilnError('TYPE', 'numbers are a typed array or an array of numbers')
  for (let i = 0; i < values.length; i++) {
    if (typeof values[i] === 'number') continue
    throw new KilnError('TYPE', `this is no number but ${typeof values[i]}`).within(i)
  }
}

/** Copies `length` numbers from `first` on to the front of a block; the engine does it in bulk for floats. */
export function copyNumbers(values: Numbers, first: number, length: number, block: Float64Array): void {
  if (values instanceof Float32Array || values instanceof Float64Array) {
    block.set(values.subarray(first, first + length))
  } else {
    for (let i = 0; i < length; i++) block[i] = values[first + i]!
  }
}
