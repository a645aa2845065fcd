import { allocate } from '../bytes/allocate.js'
import { describe, memoryOf, typedArrayName } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'

/** Where numbers go: a new array of f32 or f64, or the front of an array of the caller's. */
export type FloatTarget = 'f32' | 'f64' | Float32Array | Float64Array

/** A target: what the caller gets back, and what is written to. */
export interface TargetArray {
  readonly given: Float32Array | Float64Array
  /** A plain array of this realm over the front of `given`, with just the elements there are. */
  readonly values: Float32Array | Float64Array
}

/**
 * The array that a target names, with room for `elements`; the caller's own, of any realm, is taken as it is. `TYPE` for
 * a target that is too short, of another kind, or over the memory that is read from.
 */
export function targetArray(target: FloatTarget, elements: number, source: Uint8Array): TargetArray {
  if (target === 'f32' || target === 'f64') {
    const values = target === 'f32' ? allocate(Float32Array, elements) : allocate(Float64Array, elements)
    return { given: values, values }
  }
  const name = typedArrayName(target)
  if (name !== 'Float32Array' && name !== 'Float64Array') {
    throw new KilnError('TYPE', `the target is 'f32', 'f64', a Float32Array or a Float64Array, got ${describe(target)}`)
  }
  if (target.length < elements) {
    throw new KilnError('TYPE', `the target has room for ${target.length} numbers, there are ${elements}`)
  }
  const { buffer, byteOffset } = memoryOf(target)
  const end = byteOffset + elements * target.BYTES_PER_ELEMENT
  const overlaps = byteOffset < source.byteOffset + source.byteLength && source.byteOffset < end
  if (buffer === source.buffer && overlaps) {
    throw new KilnError('TYPE', 'the target lies over the payload that is read; give it memory of its own')
  }
  const values = name === 'Float32Array' ? new Float32Array(buffer, byteOffset, elements) : new Float64Array(buffer, byteOffset, elements)
  return { given: target, values }
}
