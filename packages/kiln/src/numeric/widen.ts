import type { OwnArrays } from '../bytes/elements.js'
import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkOptions } from '../limits/options.js'
import { checkWidens, decodeF32, decodeF64 } from './decode.js'
import { targetArray, type FloatTarget } from './target.js'
import { checkTensor, type NumericTensor } from './tensor.js'
import type { Inexact } from './widen-integers.js'

/** How numbers are taken that the wider array doesn't hold. */
export interface WidenOptions {
  /**
   * What becomes of a number that the wider array can't hold exactly: `i32` and `u32` of more than 24 bits, and
   * `f64`, in f32; `i64` and `u64` of more than 24 (f32) or 53 bits (f64). `refuse`, the default, is `TYPE`
   * with the element's index; `nearest` rounds once, ties to even.
   */
  readonly inexact?: Inexact | undefined
}

/** Checks the choice that a caller without types may have misspelt. */
export function inexactOf(options: WidenOptions | undefined): Inexact {
  checkOptions(options)
  const inexact: unknown = options?.inexact ?? 'refuse'
  if (inexact !== 'refuse' && inexact !== 'nearest') {
    throw new KilnError('TYPE', `inexact is 'refuse' or 'nearest', not ${describe(inexact)}`)
  }
  return inexact
}

/**
 * A tensor's elements as f32 or f64, each exactly the number that its code stands for. Nothing is multiplied:
 * links are not followed (see `dequantize`).
 *
 * `target` is `'f32'` (the default) or `'f64'` for a new array, or the caller's own Float32Array or
 * Float64Array, which is filled from its start, may be longer, and is what comes back.
 *
 * `TYPE` for complex dtypes, ggml's blocks, a payload that is not what dtype and shape need, a `bool` that is
 * neither 0 nor 1, and a number that is not exact in the target, unless `inexact` says otherwise.
 */
export function widen(tensor: NumericTensor, target?: 'f32', options?: WidenOptions): OwnArrays['f32']
export function widen(tensor: NumericTensor, target: 'f64', options?: WidenOptions): OwnArrays['f64']
export function widen<A extends Float32Array | Float64Array>(
  tensor: NumericTensor,
  target: A,
  options?: WidenOptions,
): A
export function widen(
  tensor: NumericTensor,
  target: FloatTarget = 'f32',
  options?: WidenOptions,
): Float32Array | Float64Array {
  const { elements, bytes } = checkTensor(tensor)
  checkWidens(tensor.dtype)
  const inexact = inexactOf(options)
  const { given, values } = targetArray(target, elements, bytes)
  const { dtype } = tensor
  if (values instanceof Float32Array) decodeF32(dtype, bytes, elements, values, inexact)
  else decodeF64(dtype, bytes, elements, values, inexact)
  return given
}
