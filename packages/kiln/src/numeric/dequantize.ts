import type { OwnArrays } from '../bytes/elements.js'
import { KilnError } from '../errors/kiln-error.js'
import { dtypeOf } from '../tensors/dtypes.js'
import { BLOCK, decodeF32 } from './decode.js'
import { dequantizeBlocks } from './ggml/dequantize-blocks.js'
import { applyScales, scalingOf } from './links.js'
import { targetArray } from './target.js'
import { checkTensor, expectTensor, type LinkedTensor } from './tensor.js'
import { checkHasValues } from './value-blocks.js'
import { inexactOf, type WidenOptions } from './widen.js'

/**
 * A tensor's values as f32: its elements, times what its links say (FORMAT §5), in row-major order.
 *
 * - Scheme 1: `f32(f32(element) * f32(scale))`. Scheme 2: `f32(that * outer)` after it. Each `f32()` rounds to the
 *   nearest, ties to even, with subnormals. An element's scale has the element's own coordinates, that of
 *   `axis` divided by `groupSize`.
 * - Scheme 0: the elements, as `widen` gives them; `inexact` says what becomes of those that f32 doesn't hold.
 * - ggml's blocks: what ggml's reference makes of them; where they have links too, that is the element.
 *
 * `target` is a Float32Array of the caller's, filled from its start; a new one if left out. `TYPE` for a
 * payload or links that are not what the format's rules say, for complex dtypes, and for ggml's dtypes that have no
 * dequantization here (the error names them).
 */
export function dequantize(tensor: LinkedTensor, target?: undefined, options?: WidenOptions): OwnArrays['f32']
export function dequantize(tensor: LinkedTensor, target: Float32Array | undefined, options?: WidenOptions): Float32Array
export function dequantize(tensor: LinkedTensor, target?: Float32Array, options?: WidenOptions): Float32Array {
  expectTensor(tensor)
  const dtype = dtypeOf(tensor.dtype)
  checkHasValues(dtype)
  const { elements, bytes: payload } = checkTensor(tensor)
  const scaling = scalingOf(tensor)
  const inexact = scaling === undefined ? inexactOf(options) : 'nearest'
  const { given, values } = targetArray(target === undefined ? 'f32' : target, elements, payload)
  if (!(values instanceof Float32Array)) throw new KilnError('TYPE', 'the target of dequantize is a Float32Array')
  // By blocks, so that what was widened is still in the cache when it is multiplied.
  for (let first = 0; first < elements; first += BLOCK) {
    const count = Math.min(BLOCK, elements - first)
    const bytes = payload.subarray(((first / dtype.blockElements) * dtype.blockBits) / 8)
    const block = values.subarray(first, first + count)
    if (dtype.foreign) dequantizeBlocks(tensor.dtype, bytes, count / dtype.blockElements, block)
    else decodeF32(tensor.dtype, bytes, count, block, inexact, first)
    if (scaling !== undefined) applyScales(block, count, first, scaling)
  }
  return given as Float32Array
}
