import { KilnError } from '../errors/kiln-error.js'
import { allocate } from './allocate.js'
import { bulkCopy, type Width } from './bulk-copy.js'
import { littleEndian } from './host.js'
import { describe, memoryOf, typedArrayName } from './input.js'

/** The typed array that holds the elements of a fixed-width number, memory of its own. */
export interface OwnArrays {
  i8: ReturnType<Int8ArrayConstructor['of']>
  u8: ReturnType<Uint8ArrayConstructor['of']>
  i16: ReturnType<Int16ArrayConstructor['of']>
  u16: ReturnType<Uint16ArrayConstructor['of']>
  i32: ReturnType<Int32ArrayConstructor['of']>
  u32: ReturnType<Uint32ArrayConstructor['of']>
  i64: ReturnType<BigInt64ArrayConstructor['of']>
  u64: ReturnType<BigUint64ArrayConstructor['of']>
  f16: ReturnType<Uint16ArrayConstructor['of']>
  bf16: ReturnType<Uint16ArrayConstructor['of']>
  f32: ReturnType<Float32ArrayConstructor['of']>
  f64: ReturnType<Float64ArrayConstructor['of']>
}

/** The same, over memory that may be anybody's. */
export interface AnyArrays {
  i8: Int8Array
  u8: Uint8Array
  i16: Int16Array
  u16: Uint16Array
  i32: Int32Array
  u32: Uint32Array
  i64: BigInt64Array
  u64: BigUint64Array
  f16: Uint16Array
  bf16: Uint16Array
  f32: Float32Array
  f64: Float64Array
}

/** A number of fixed width, by its name in a schema. */
export type NumberName = keyof OwnArrays

/** What an element is in JavaScript: bigint for the 64-bit integers, else number. */
export type NumberValue<N extends NumberName> = N extends 'i64' | 'u64' ? bigint : number

interface TypedArrayType<A> {
  new (length: number): A
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A
}

/** How a fixed-width number lies in memory. */
export interface ElementType<N extends NumberName = NumberName> {
  readonly name: N
  readonly width: Width
  readonly array: TypedArrayType<OwnArrays[N]>
  /** Names of the typed arrays whose memory is this element's. */
  readonly arrayNames: readonly string[]
  get(view: DataView, offset: number): NumberValue<N>
}

/** A row of the table; `others` are names of further arrays whose memory is this element's. */
function row<N extends NumberName>(
  name: N,
  array: TypedArrayType<OwnArrays[N]> & { readonly name: string; readonly BYTES_PER_ELEMENT: number },
  get: ElementType<N>['get'],
  ...others: string[]
): ElementType<N> {
  return { name, width: array.BYTES_PER_ELEMENT as Width, array, arrayNames: [array.name, ...others], get }
}

const rows: { readonly [N in NumberName]: ElementType<N> } = {
  i8: /* @__PURE__ */ row('i8', Int8Array, (v, o) => v.getInt8(o)),
  u8: /* @__PURE__ */ row('u8', Uint8Array, (v, o) => v.getUint8(o), 'Uint8ClampedArray'),
  i16: /* @__PURE__ */ row('i16', Int16Array, (v, o) => v.getInt16(o, true)),
  u16: /* @__PURE__ */ row('u16', Uint16Array, (v, o) => v.getUint16(o, true)),
  i32: /* @__PURE__ */ row('i32', Int32Array, (v, o) => v.getInt32(o, true)),
  u32: /* @__PURE__ */ row('u32', Uint32Array, (v, o) => v.getUint32(o, true)),
  i64: /* @__PURE__ */ row('i64', BigInt64Array, (v, o) => v.getBigInt64(o, true)),
  u64: /* @__PURE__ */ row('u64', BigUint64Array, (v, o) => v.getBigUint64(o, true)),
  f16: /* @__PURE__ */ row('f16', Uint16Array, (v, o) => v.getUint16(o, true), 'Float16Array'),
  bf16: /* @__PURE__ */ row('bf16', Uint16Array, (v, o) => v.getUint16(o, true)),
  f32: /* @__PURE__ */ row('f32', Float32Array, (v, o) => v.getFloat32(o, true)),
  f64: /* @__PURE__ */ row('f64', Float64Array, (v, o) => v.getFloat64(o, true)),
}

export function elementType<N extends NumberName>(name: N): ElementType<N> {
  return rows[name]
}

export function isNumberName(name: string): name is NumberName {
  return Object.hasOwn(rows, name)
}

/** The bytes of a typed array whose memory is this element's, or undefined for anything else. */
export function bytesOfArray(type: ElementType, value: unknown): Uint8Array | undefined {
  const name = typedArrayName(value)
  // The first is nearly always the one: a comparison, where a search takes 15 ns.
  if (name === undefined || (name !== type.arrayNames[0] && !type.arrayNames.includes(name))) return undefined
  return memoryOf(value as ArrayBufferView)
}

/** Kiln's bytes for elements that lie in this machine's order: the same memory on a little-endian host. The last argument is for tests, as in `bulkCopy`. */
export function toLittleEndian(bytes: Uint8Array, width: Width, hostIsLittleEndian: boolean = littleEndian): Uint8Array {
  if (hostIsLittleEndian || width === 1) return bytes
  const swapped = new Uint8Array(bytes.length)
  bulkCopy(swapped, bytes, width, hostIsLittleEndian)
  return swapped
}

/** Whether a typed array can lie right over these bytes. The last argument is for tests. */
export function isBorrowable(bytes: Uint8Array, start: number, byteLength: number, width: Width, hostIsLittleEndian: boolean = littleEndian): boolean {
  return byteLength === 0 || width === 1 || (hostIsLittleEndian && (bytes.byteOffset + start) % width === 0)
}

/** A typed array over `bytes[start, start + byteLength)`, nothing copied; `ALIGN` where it can't be. */
export function borrowElements<N extends NumberName>(
  type: ElementType<N>,
  bytes: Uint8Array,
  start: number,
  byteLength: number,
): AnyArrays[N] {
  const { width } = type
  if (byteLength === 0) return new type.array(0)
  if (!isBorrowable(bytes, start, byteLength, width)) {
    const reason = littleEndian
      ? `byte ${bytes.byteOffset + start} of the buffer is no multiple of ${width}`
      : 'this host is big-endian'
    throw new KilnError('ALIGN', `${type.name} can't be borrowed here: ${reason}; use copy() or load(target)`)
  }
  return new type.array(bytes.buffer, bytes.byteOffset + start, byteLength / width)
}

/** A typed array of its own with the elements of `bytes[start, start + byteLength)`. */
export function copyElements<N extends NumberName>(
  type: ElementType<N>,
  bytes: Uint8Array,
  start: number,
  byteLength: number,
  make: (array: new (length: number) => OwnArrays[N], length: number) => OwnArrays[N] = allocate,
): OwnArrays[N] {
  const out = make(type.array, byteLength / type.width)
  bulkCopy(
    new Uint8Array(out.buffer, out.byteOffset, out.byteLength),
    bytes.subarray(start, start + byteLength),
    type.width,
  )
  return out
}

/** The memory of the caller's typed array that `byteLength` bytes of elements go to; `TYPE` if it is of another kind or too short. */
export function roomFor(type: ElementType, byteLength: number, target: unknown): Uint8Array {
  const room = bytesOfArray(type, target)
  if (room === undefined) {
    throw new KilnError('TYPE', `${type.name} loads into a ${type.arrayNames.join(' or ')}, not into ${describe(target)}`)
  }
  if (room.length < byteLength) {
    throw new KilnError(
      'TYPE',
      `the target has room for ${room.length / type.width} elements, there are ${byteLength / type.width}`,
    )
  }
  return room
}

/**
 * Copies the elements of `bytes[start, start + byteLength)` to the front of a typed array of the
 * caller's, and returns how many there are. `TYPE` if the array is of another kind or too short.
 */
export function loadElements(
  type: ElementType,
  bytes: Uint8Array,
  start: number,
  byteLength: number,
  target: unknown,
): number {
  bulkCopy(roomFor(type, byteLength, target), bytes.subarray(start, start + byteLength), type.width)
  return byteLength / type.width
}
