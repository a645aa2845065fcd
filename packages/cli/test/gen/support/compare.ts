import { isDeepStrictEqual } from 'node:util'
import { isKilnError, type Directory, type NumberList } from 'kiln-format'

/** A result as data that can be compared: a value, or what is known of the error. */
export type Outcome = { readonly value: unknown } | { readonly error: readonly unknown[] }

export function outcome(run: () => unknown): Outcome {
  try {
    return { value: plain(run()) }
  } catch (error) {
    if (!isKilnError(error)) throw error
    return { error: [error.code, error.path, error.offset, error.detail] }
  }
}

export function codeOf(result: Outcome): unknown {
  return 'error' in result ? result.error[0] : undefined
}

export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b)
}

/** What an iterator gives until its end or its fault. */
export function steps(begin: () => Iterable<unknown>): Outcome {
  const given: unknown[] = []
  const end = outcome(() => {
    for (const item of begin()) given.push(plain(item))
  })
  return { value: [given, end] }
}

/** A value with directories and borrowed lists as data. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) {
    return [value.constructor.name, new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()]
  }
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, plain(item)]))
  if ('payloadBase' in value) return directory(value as Directory)
  if ('borrow' in value) return ['borrowed', (value as NumberList).type, (value as NumberList).bytes.slice()]
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

function directory(value: Directory): unknown {
  const tensors = [...value].map((t) => [t.name, t.dtype, t.shape, t.checksum, t.scheme, t.bytes.slice()])
  return ['directory', value.payloadBase, value.byteLength, tensors]
}
