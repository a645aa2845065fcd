import { describe } from '../bytes/input.js'
import { viewOf } from '../bytes/view-of.js'
import { KilnError } from '../errors/kiln-error.js'
import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { numberOf } from './code-values.js'
import { codeAt } from './codes.js'
import { checkWidens, decodeF64 } from './decode.js'
import { dequantizeBlocks, checkGgml } from './ggml/dequantize-blocks.js'
import { checkTensor, type NumericTensor } from './tensor.js'
import { inexactOf, type WidenOptions } from './widen.js'

/** A tensor's elements as numbers, one at a time. */
export interface NumberAccess {
  /** How many there are. */
  readonly length: number
  /**
   * The number that element `index` stands for, in row-major order; exact, unless `inexact: 'nearest'` lets a
   * 64-bit integer over 2^53 be rounded. `TYPE` for an index that is none, and for a number that is refused.
   */
  at(index: number): number
}

/**
 * Element access without a copy of the tensor: for a few elements out of many. The payload is read at each
 * call. Of a ggml dtype the element's block is dequantized, and kept until another block is asked for. `TYPE` for a
 * dtype that is none or whose blocks `dequantize` doesn't know, and for a payload of another length than dtype and
 * shape need.
 */
export function numbersOf(tensor: NumericTensor, options?: WidenOptions): NumberAccess {
  const { dtype, elements, bytes } = checkTensor(tensor)
  const read = dtype.foreign ? blockReader(dtype.name, bytes) : elementReader(dtype.name, bytes, options)
  return {
    length: elements,
    at(index) {
      if (!Number.isInteger(index) || index < 0 || index >= elements) {
        throw new KilnError('TYPE', `there is no element ${describe(index)}; the tensor has ${elements}`)
      }
      return read(index)
    },
  }
}

function elementReader(dtype: DtypeName, bytes: Uint8Array, options: WidenOptions | undefined): (index: number) => number {
  checkWidens(dtype)
  const inexact = inexactOf(options)
  const bits = dtypeOf(dtype).blockBits
  if (bits <= 8) return (index) => numberOf(dtype, codeAt(bytes, bits, index))
  const view = viewOf(bytes)
  switch (dtype) {
    case 'f16': case 'bf16': case 'u16': case 'i16': return (index) => numberOf(dtype, view.getUint16(index * 2, true))
    case 'f32': return (index) => view.getFloat32(index * 4, true)
    case 'i32': return (index) => view.getInt32(index * 4, true)
    case 'u32': return (index) => view.getUint32(index * 4, true)
    case 'f64': return (index) => view.getFloat64(index * 8, true)
    default: {
      const one = new Float64Array(1)
      return (index) => {
        decodeF64(dtype, bytes.subarray(index * 8, index * 8 + 8), 1, one, inexact, index)
        return one[0]!
      }
    }
  }
}

function blockReader(dtype: DtypeName, bytes: Uint8Array): (index: number) => number {
  checkGgml(dtype)
  const { blockElements, blockBits } = dtypeOf(dtype)
  const blockBytes = blockBits / 8
  const values = new Float32Array(blockElements)
  let held = -1
  return (index) => {
    const block = Math.floor(index / blockElements)
    if (block !== held) {
      const start = block * blockBytes
      dequantizeBlocks(dtype, bytes.subarray(start, start + blockBytes), 1, values)
      held = block
    }
    return values[index % blockElements]!
  }
}
