import { isDeepStrictEqual } from 'node:util'
import { isKilnError } from 'kiln-format'

/** What came of a call: a value as plain data, or what is known of its KilnError. Any other error is let through. */
export function outcome(run) {
  try {
    return { value: plain(run()) }
  } catch (error) {
    return refusal(error)
  }
}

/** As {@link outcome}, of a promise. */
export async function outcomeOf(run) {
  try {
    return { value: plain(await run()) }
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error) {
  if (!isKilnError(error)) throw error
  return { code: error.code, path: error.path, offset: error.offset }
}

/** Throws if two outcomes differ: in value, code, path or offset. */
export function agree(first, second, what) {
  if (!isDeepStrictEqual(first, second)) throw new Error(`${what}: ${show(first)} and ${show(second)}`)
}

/** As {@link agree}, of codes alone: where two readers look at parts of the input in another order. */
export function agreeInCode(first, second, what) {
  if (first.code !== second.code) throw new Error(`${what}: ${show(first)} and ${show(second)}`)
}

export function sameBytes(a, b, what) {
  if (Buffer.compare(a, b) !== 0) throw new Error(`${what}: ${Buffer.from(a).toString('hex').slice(0, 400)}`)
}

function show(outcome) {
  return 'code' in outcome ? JSON.stringify(outcome) : `a value ${String(JSON.stringify(outcome.value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v))).slice(0, 300)}`
}

/** A value as data that can be compared: directories, tensors and borrowed lists opened up, own and borrowed memory alike. */
export function plain(value) {
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map) return [...value].map(([key, item]) => [key, plain(item)])
  if ('payloadBase' in value) return { base: value.payloadBase, size: value.byteLength, tensors: [...value].map(tensorFacts) }
  if ('borrow' in value && 'bytes' in value) return Buffer.from(value.bytes).toString('hex')
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/** What a directory says of a tensor, and its payload if that is at hand. */
export function tensorFacts(tensor) {
  const { name, dtype, shape, byteOffset, byteLength, scheme, axis, groupSize, checksum, bytes } = tensor
  return {
    name, dtype, shape: [...shape], byteOffset, byteLength, scheme, axis, groupSize, checksum,
    scale: tensor.scheme > 0 ? tensor.scale?.index : undefined,
    ...(bytes === undefined ? {} : { bytes: Buffer.from(bytes).toString('hex') }),
  }
}

/** Whether a value has a NaN that a scalar holds: which one is written back is not defined. */
export function hasNaN(value) {
  if (typeof value === 'number') return Number.isNaN(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  if (Array.isArray(value)) return value.some(hasNaN)
  if (value instanceof Map) return [...value.values()].some(hasNaN)
  if ('payloadBase' in value) return false
  return Object.values(value).some(hasNaN)
}
