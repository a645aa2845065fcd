import { describe, toBytes, typedArrayName } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { dtypeOf, elementCount, type Dtype, type DtypeName } from '../tensors/dtypes.js'
import { neededLength } from '../tensors/tensor-input.js'

/** What the numeric functions need of a tensor: the tensors of a directory have it, and so has a plain object. */
export interface NumericTensor {
  readonly dtype: DtypeName
  /** Outermost dimension first, row-major. */
  readonly shape: readonly number[]
  /** The payload: exactly the bytes that dtype and shape need, at any alignment, in any kind of buffer. */
  readonly bytes: Uint8Array
}

/** A tensor's description and its links (FORMAT §5), without its payload. */
export interface LinkedShape {
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  /** 0 or left out: no links. 1: `scale`, `axis` and `groupSize`. 2: `outer` too. */
  readonly scheme?: 0 | 1 | 2 | undefined
  /** The dimension along which elements share a scale. */
  readonly axis?: number | undefined
  /** How many neighbours along `axis` share a scale; the last group may be shorter. */
  readonly groupSize?: number | undefined
  readonly scale?: NumericTensor | undefined
  /** One f32. */
  readonly outer?: NumericTensor | undefined
}

/** A tensor with its links. */
export interface LinkedTensor extends NumericTensor, LinkedShape {}

/** What a shape and a dtype come to. */
export interface Extent {
  readonly dtype: Dtype
  readonly elements: number
  /** Bytes of the payload. */
  readonly byteLength: number
}

/** Throws `TYPE` for what is no tensor at all, as programs without types may give. */
export function expectTensor(tensor: unknown): void {
  if (typeof tensor === 'object' && tensor !== null) return
  throw new KilnError('TYPE', `a tensor expected, with dtype, shape and bytes; got ${describe(tensor)}`)
}

/** Checks dtype and shape of a description; `TYPE` for what no tensor can have. */
export function extentOf(tensor: { readonly dtype: string; readonly shape: readonly number[] }): Extent {
  expectTensor(tensor)
  const dtype = dtypeOf(tensor.dtype)
  const byteLength = neededLength(dtype.name, tensor.shape)
  const elements = elementCount(tensor.shape)
  if (typeof elements !== 'number') {
    throw new KilnError('TYPE', `shape [${tensor.shape.join(', ')}] has more than 2^53 - 1 elements`)
  }
  return { dtype, elements, byteLength }
}

/** Checks that a tensor's payload is what its dtype and shape need; `TYPE` if not. */
export function checkTensor(tensor: NumericTensor): Extent & { readonly bytes: Uint8Array } {
  const extent = extentOf(tensor)
  const { bytes } = tensor
  if (typedArrayName(bytes) !== 'Uint8Array') {
    throw new KilnError('TYPE', 'a payload is a Uint8Array; for other typed arrays give one over their memory')
  }
  if (bytes.byteLength !== extent.byteLength) {
    const shape = `${extent.dtype.name} of shape [${tensor.shape.join(', ')}]`
    throw new KilnError('TYPE', `the payload has ${bytes.byteLength} bytes, but ${shape} needs ${extent.byteLength}`)
  }
  // As a plain array: a class of the caller's may cut itself otherwise.
  return { ...extent, bytes: toBytes(bytes) }
}
