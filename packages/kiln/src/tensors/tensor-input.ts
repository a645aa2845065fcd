import { bytesOfArray, toLittleEndian } from '../bytes/elements.js'
import { describe, isBuffer, isUnstable, toBytes, typedArrayName } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { numberChecks, checkInt64 } from '../frozen/scalar-checks.js'
import { MAX_RANK } from './descriptor.js'
import { dtypeOf, payloadLength, type Dtype, type DtypeName } from './dtypes.js'
import { tensorElement } from './tensor-arrays.js'

/** How a tensor is linked to its scales, and what else is asked of it. */
export interface TensorOptions {
  /** The tensor with the scales, by name or by its place in the list. */
  readonly scale?: string | number | undefined
  /** The tensor with the outer scale: f32, one element. Only beside `scale`. */
  readonly outer?: string | number | undefined
  /** The axis along which `groupSize` elements share a scale. */
  readonly axis?: number | undefined
  readonly groupSize?: number | undefined
  /** Whether the payload's CRC-32 is computed and stored; default is what the whole directory is asked for. */
  readonly checksum?: boolean | undefined
}

/** A tensor to be written. */
export interface TensorInput extends TensorOptions {
  /** Empty or left out for an unnamed tensor. */
  readonly name?: string | undefined
  readonly dtype: DtypeName
  /** Outermost dimension first. */
  readonly shape: readonly number[]
  /**
   * The payload: bytes as the format stores them (little-endian, row-major, narrow dtypes packed), or a
   * typed array of the dtype's elements (`Float32Array` for `f32` and `c64`, `Uint16Array` codes for `bf16`).
   */
  readonly data: ArrayBufferView | ArrayBufferLike
}

/**
 * Describes a tensor for `encodeDirectory`. `data` is the payload's bytes, a typed array of the dtype's elements,
 * or for dtypes that JavaScript has an array of numbers. Checked here: throws `TYPE` for data that is not
 * what dtype and shape need.
 */
export function tensor(
  name: string,
  dtype: DtypeName,
  shape: readonly number[],
  data: ArrayBufferView | ArrayBufferLike | readonly (number | bigint)[],
  options: TensorOptions = {},
): TensorInput {
  try {
    const input = { ...options, name, dtype, shape: [...shape], data: Array.isArray(data) ? arrayData(dtype, data) : data }
    return new CheckedTensor(input as TensorInput, payloadOf(input as TensorInput))
  } catch (error) {
    throw error instanceof KilnError ? error.within(name) : error
  }
}

/** A tensor whose data has been checked, and which remembers the bytes: a view of them takes 100 ns each time. */
class CheckedTensor implements TensorInput {
  declare readonly name: string
  declare readonly dtype: DtypeName
  declare readonly shape: readonly number[]
  declare readonly data: ArrayBufferView | ArrayBufferLike
  // Private, so that a copy with other fields hasn't got it.
  readonly #payload: Uint8Array | undefined

  constructor(input: TensorInput, payload: Uint8Array) {
    Object.assign(this, input)
    // Memory that can grow or shrink is looked at anew; and of an empty payload the length doesn't tell whether it was transferred.
    this.#payload = isUnstable(payload) || payload.length === 0 ? undefined : payload
    Object.freeze(this)
  }

  /** The payload, if this is such a tensor and it has still got `needed` bytes (none after a transfer). */
  static payloadOf(input: object, needed: number): Uint8Array | undefined {
    const payload = #payload in input ? input.#payload : undefined
    return payload?.length === needed ? payload : undefined
  }
}

/** The payload of an input as Kiln stores it; `TYPE` unless it is exactly the bytes that dtype and shape need. */
export function payloadOf(input: TensorInput, needed: number = neededLength(input.dtype, input.shape)): Uint8Array {
  const known = CheckedTensor.payloadOf(input, needed)
  if (known !== undefined) return known
  const { data } = input
  if (!ArrayBuffer.isView(data) && !isBuffer(data)) {
    throw new KilnError('TYPE', `data must be bytes or a typed array, got ${describe(data)}`)
  }
  const element = tensorElement(input.dtype)
  const array = bytesOfArray(element, data)
  const asBytes = array === undefined
  if (asBytes && element.width > 1 && ArrayBuffer.isView(data) && !isBytes(data)) {
    throw new KilnError('TYPE', `the data of ${input.dtype} is a ${element.arrayNames.join(' or ')} or bytes, not ${describe(data)}`)
  }
  const bytes = asBytes ? toBytes(data) : toLittleEndian(array, element.width)
  if (bytes.length !== needed) {
    throw new KilnError('TYPE', `${input.dtype} [${input.shape.join(', ')}] needs ${needed} bytes of data, there are ${bytes.length}`)
  }
  return bytes
}

/**
 * As {@link payloadOf}, for a message that is put together later: shared memory is copied, because it may change until
 * then, and its checksum must not.
 */
export function stablePayloadOf(input: TensorInput, needed: number): Uint8Array {
  const known = CheckedTensor.payloadOf(input, needed)
  if (known !== undefined) return known
  const payload = payloadOf(input, needed)
  return isUnstable(payload) ? Uint8Array.prototype.slice.call(payload) : payload
}

function isBytes(view: ArrayBufferView): boolean {
  const name = typedArrayName(view)
  return name === 'Uint8Array' || name === 'Uint8ClampedArray' || name === undefined
}

/** Bytes that dtype and shape need, after checking both (FORMAT §4 step 5). */
export function neededLength(dtype: DtypeName, shape: readonly number[]): number {
  return lengthOf(dtypeOf(dtype), shape)
}

/** As {@link neededLength}, for a dtype that has been looked up. */
export function lengthOf(dtype: Dtype, shape: readonly number[]): number {
  if (!Array.isArray(shape) || shape.length > MAX_RANK) {
    throw new KilnError('TYPE', `a shape is an array of at most ${MAX_RANK} dimensions, got ${describe(shape)}`)
  }
  for (let d = 0; d < shape.length; d++) {
    const dimension: unknown = shape[d]
    if (!Number.isSafeInteger(dimension) || (dimension as number) < 0) {
      throw new KilnError('TYPE', `a dimension is an integer from 0 to 2^53 - 1, got ${describe(dimension)}`)
    }
  }
  if (dtype.foreign && (shape.length === 0 || shape[shape.length - 1]! % dtype.blockElements !== 0)) {
    throw new KilnError('TYPE', `the last dimension of ${dtype.name} is a multiple of ${dtype.blockElements}, the shape is [${shape.join(', ')}]`)
  }
  const length = payloadLength(dtype, shape)
  if (typeof length === 'bigint') throw new KilnError('TYPE', `${dtype.name} [${shape.join(', ')}] would take ${length} bytes`)
  return length
}

function arrayData(dtype: DtypeName, values: readonly (number | bigint)[]): ArrayBufferView {
  const element = tensorElement(dtype)
  if (element.name === 'u8' && dtype !== 'u8') {
    throw new KilnError('TYPE', `the data of ${dtype} is bytes, as the format stores them; kiln-format/numeric makes them from numbers`)
  }
  const array = new element.array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i]
    try {
      if (element.name === 'i64' || element.name === 'u64') (array as BigInt64Array)[i] = checkInt64(element.name, value)
      else (array as Float64Array)[i] = numberChecks[element.name](value)
    } catch (error) {
      throw error instanceof KilnError ? error.within(i) : error
    }
  }
  return array
}
