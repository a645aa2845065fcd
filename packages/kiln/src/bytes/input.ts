import { KilnError } from '../errors/kiln-error.js'

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as { keys(this: unknown): unknown }

// The getter on %TypedArray%.prototype knows typed arrays of any realm and can't be deceived by a
// property of the object; `instanceof` fails for arrays of another realm (an iframe, node:vm).
const tagGetter = Object.getOwnPropertyDescriptor(typedArrayPrototype, Symbol.toStringTag)?.get as (
  this: unknown,
) => string | undefined

/** `Uint8Array`, `Float32Array` …, or undefined for what is no typed array. A Node Buffer is a Uint8Array. */
export function typedArrayName(value: unknown): string | undefined {
  return tagGetter.call(value)
}

function bufferTag(value: unknown): string {
  return Object.prototype.toString.call(value)
}

/** Whether the value is an ArrayBuffer or a SharedArrayBuffer, of any realm. */
export function isBuffer(value: unknown): value is ArrayBufferLike {
  if (typeof value !== 'object' || value === null) return false
  const tag = bufferTag(value)
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
}

/**
 * The given bytes as a plain Uint8Array of this realm over the same memory. Takes any view and any
 * buffer; anything else is `TYPE`.
 */
export function toBytes(value: unknown): Uint8Array {
  // One without bytes may have lost its memory to a transfer, which every use of it would throw at; a new view tells.
  if (value instanceof Uint8Array && value.constructor === Uint8Array && value.length > 0) return value
  if (ArrayBuffer.isView(value) || isBuffer(value)) return memoryOf(value)
  throw new KilnError('TYPE', `bytes expected (a Uint8Array, another view or an ArrayBuffer), got ${describe(value)}`)
}

/** A plain Uint8Array over the memory of a view or buffer; `TYPE` where a transfer or a smaller buffer has left it none. */
export function memoryOf(value: ArrayBufferView | ArrayBufferLike): Uint8Array {
  try {
    if (!ArrayBuffer.isView(value)) return new Uint8Array(value)
    // Past the end of a buffer that was made smaller a typed array passes for an empty one; each of its methods throws.
    if (value.byteLength === 0 && typedArrayName(value) !== undefined) typedArrayPrototype.keys.call(value)
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  } catch (cause) {
    throw new KilnError('TYPE', `the memory of ${describe(value)} was transferred or resized away; give the bytes where they are now`, undefined, { cause })
  }
}

/**
 * Throws `TYPE` unless these bytes still reach to `end`, as they did when they were read: a buffer that was transferred (to a
 * Worker, say) or made smaller would give zeros, or nothing.
 */
export function checkMemory(bytes: Uint8Array, end: number): void {
  if (bytes.length >= end) return
  throw new KilnError('TYPE', 'the bytes that were read have been transferred or resized away; keep them, or copy what is needed before')
}

/**
 * Whether another thread can write to these bytes, or their buffer can shrink: a platform's text
 * decoder refuses both, and what was checked may not be so a moment later.
 */
export function isUnstable(bytes: Uint8Array): boolean {
  const buffer: ArrayBufferLike & { readonly resizable?: boolean } = bytes.buffer
  if (buffer.resizable === true) return true
  // The tag knows shared memory of any realm, and is a string made anew: 64 bytes a call and 50 ns.
  return !(buffer instanceof ArrayBuffer) && bufferTag(buffer) === '[object SharedArrayBuffer]'
}

/** A short name of a value for messages, never its whole contents. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object': {
      if (Array.isArray(value)) return `an array of ${value.length}`
      if (bufferTag(value) === '[object Date]') return 'a Date (give getTime() or toISOString())'
      const name = typedArrayName(value)
      if (name !== undefined) return `a ${name}`
      return `an object (${bufferTag(value).slice(8, -1)})`
    }
    default:
      return `a ${typeof value}`
  }
}
