import { allocate } from '../bytes/allocate.js'
import { KilnError } from '../errors/kiln-error.js'

/** Where numbers go: a new array of f32 or f64, or the front of an array of the caller's. */
export type FloatTarget = 'f32' | 'f64' | Float32Array | Float64Array

/**
 * The array that a target names, with room for `elements`; the caller's own is taken as it is. `TYPE` for a
 * target that is too short, of another kind, or over the memory that is read from.
 */
export function targetArray(target: FloatTarget, elements: number, source: Uint8Array): Float32Array | Float64Array {
  if (target === 'f32') return allocate(Float32Array, elements)
  if (target === 'f64') return allocate(Float64Array, elements)
  if (!(target instanceof Float32Array) && !(target instanceof Float64Array)) {
    throw new KilnError('TYPE', `the target is 'f32', 'f64', a Float32Array or a Float64Array`)
  }
  if (target.length < elements) {
    throw new KilnError('TYPE', `the target has room for ${target.length} numbers, there are ${elements}`)
  }
  const end = target.byteOffset + elements * target.BYTES_PER_ELEMENT
  const overlaps = target.byteOffset < source.byteOffset + source.byteLength && source.byteOffset < end
  if (target.buffer === source.buffer && overlaps) {
    throw new KilnError('TYPE', 'the target lies over the payload that is read; give it memory of its own')
  }
  return target
}
