import { describe } from '../bytes/input.js'
import { take, type ByteReader } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import { KilnError } from '../errors/kiln-error.js'
import type { ScalarName } from '../schema/types.js'
import type { Read, TypeCodec } from './codec.js'

/** Throws unless the value can be written as this scalar; what comes back is a value that a DataView takes. */
export type CheckScalar = (value: unknown) => number

/** The smallest and the largest value of the integers that are numbers in JavaScript. */
const integerRanges = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  f16: [0, 65535],
  bf16: [0, 65535],
} as const

/** The ranges of the 64-bit integers, which are bigints or safe integers. */
const bigRanges = {
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
} as const

function wrong(name: string, want: string, value: unknown): KilnError {
  const hint = typeof value === 'number' && (name === 'f16' || name === 'bf16') ? '; kiln-format/numeric narrows floats to codes' : ''
  return new KilnError('TYPE', `${name} takes ${want}, got ${describe(value)}${hint}`)
}

function integerCheck(name: keyof typeof integerRanges): CheckScalar {
  const [low, high] = integerRanges[name]
  const what = name === 'f16' || name === 'bf16' ? 'its 16-bit code, an integer' : 'an integer'
  return (value) => {
    if (typeof value === 'number' && value >= low && value <= high && Number.isInteger(value)) return value
    throw wrong(name, `${what} from ${low} to ${high}`, value)
  }
}

function wrongInt64(name: 'i64' | 'u64', value: unknown): KilnError {
  const [low, high] = bigRanges[name]
  return wrong(name, `a bigint from ${low} to ${high} or a safe integer`, value)
}

/** Checks an `i64`: a bigint in range, or a safe integer. Cutting to 64 bits and comparing takes a quarter of two comparisons. */
export function checkI64(value: unknown): bigint {
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) return value
  } else if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw wrongInt64('i64', value)
}

/** Checks a `u64`: a bigint in range, or a safe integer that is not negative. */
export function checkU64(value: unknown): bigint {
  if (typeof value === 'bigint') {
    if (BigInt.asUintN(64, value) === value) return value
  } else if (Number.isSafeInteger(value) && (value as number) >= 0) return BigInt(value as number)
  throw wrongInt64('u64', value)
}

/** Checks a 64-bit integer of either type. */
export function checkInt64(name: 'i64' | 'u64', value: unknown): bigint {
  return name === 'i64' ? checkI64(value) : checkU64(value)
}

function checkF64(value: unknown): number {
  if (typeof value === 'number') return value
  throw wrong('f64', 'a number', value)
}

function checkF32(value: unknown): number {
  if (typeof value !== 'number') throw wrong('f32', 'a number', value)
  // What rounds to an infinity without being one is out of the type's range.
  if (Number.isFinite(value) && !Number.isFinite(Math.fround(value))) throw wrong('f32', 'a number within ±3.4028235e38', value)
  return value
}

/** The check of each fixed-width number that is a number in JavaScript. */
export const numberChecks: { readonly [N in Exclude<ScalarName, 'bool' | 'i64' | 'u64'>]: CheckScalar } = {
  i8: integerCheck('i8'),
  u8: integerCheck('u8'),
  i16: integerCheck('i16'),
  u16: integerCheck('u16'),
  i32: integerCheck('i32'),
  u32: integerCheck('u32'),
  f16: integerCheck('f16'),
  bf16: integerCheck('bf16'),
  f32: checkF32,
  f64: checkF64,
}

/** The byte at `at`, which is there, as true or false; a value other than 0 and 1 is `TYPE`. */
export function flagAt(r: ByteReader, at: number, what: string): boolean {
  const byte = r.bytes[at]!
  if (byte > 1) throw new KilnError('TYPE', `${what} is 0 or 1, not ${byte}`, at)
  return byte === 1
}

/** Reads a byte that is 0 or 1; another value is `TYPE`. */
export function readFlag(r: ByteReader, what: string): boolean {
  return flagAt(r, take(r, 1, what), what)
}

function readBool(r: ByteReader): boolean {
  return readFlag(r, 'bool')
}

/** Throws unless the value is a boolean; gives the byte that is written for it. */
export function checkBool(value: unknown): 0 | 1 {
  if (typeof value !== 'boolean') throw wrong('bool', 'true or false', value)
  return value ? 1 : 0
}

function writeBool(w: ByteWriter, value: unknown): void {
  const byte = checkBool(value)
  w.reserve(1)
  w.bytes[w.pos++] = byte
}

/** A 64-bit integer that was read at `at`, as a number; outside ±(2^53 − 1) that is `TYPE`. */
export function safeInteger(value: bigint, at: number): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new KilnError('TYPE', `${value} is no safe integer; read it with { int64: 'bigint' }`, at)
}

function int64Reader(name: 'i64' | 'u64', get: (view: DataView, at: number) => bigint): Read {
  return (r) => {
    const at = take(r, 8, name)
    const value = get(r.view, at)
    return r.settings.int64AsNumber ? safeInteger(value, at) : value
  }
}

function codec(minSize: number, read: Read, write: TypeCodec['write']): TypeCodec {
  return { minSize, read, view: read, write }
}

const checks = numberChecks

/** The codec of each scalar. */
export const scalarCodecs: { readonly [N in ScalarName]: TypeCodec } = {
  bool: codec(1, readBool, writeBool),
  i8: codec(1, (r) => r.view.getInt8(take(r, 1, 'i8')), (w, v) => {
    const value = checks.i8(v)
    w.reserve(1)
    w.view.setInt8(w.pos, value)
    w.pos += 1
  }),
  u8: codec(1, (r) => r.view.getUint8(take(r, 1, 'u8')), (w, v) => {
    const value = checks.u8(v)
    w.reserve(1)
    w.view.setUint8(w.pos, value)
    w.pos += 1
  }),
  i16: codec(2, (r) => r.view.getInt16(take(r, 2, 'i16'), true), (w, v) => {
    const value = checks.i16(v)
    w.reserve(2)
    w.view.setInt16(w.pos, value, true)
    w.pos += 2
  }),
  u16: codec(2, (r) => r.view.getUint16(take(r, 2, 'u16'), true), (w, v) => writeU16(w, checks.u16(v))),
  i32: codec(4, (r) => r.view.getInt32(take(r, 4, 'i32'), true), (w, v) => {
    const value = checks.i32(v)
    w.reserve(4)
    w.view.setInt32(w.pos, value, true)
    w.pos += 4
  }),
  u32: codec(4, (r) => r.view.getUint32(take(r, 4, 'u32'), true), (w, v) => {
    const value = checks.u32(v)
    w.reserve(4)
    w.view.setUint32(w.pos, value, true)
    w.pos += 4
  }),
  i64: codec(8, int64Reader('i64', (view, at) => view.getBigInt64(at, true)), (w, v) => {
    const value = checkI64(v)
    w.reserve(8)
    w.view.setBigInt64(w.pos, value, true)
    w.pos += 8
  }),
  u64: codec(8, int64Reader('u64', (view, at) => view.getBigUint64(at, true)), (w, v) => {
    const value = checkU64(v)
    w.reserve(8)
    w.view.setBigUint64(w.pos, value, true)
    w.pos += 8
  }),
  f16: codec(2, (r) => r.view.getUint16(take(r, 2, 'f16'), true), (w, v) => writeU16(w, checks.f16(v))),
  bf16: codec(2, (r) => r.view.getUint16(take(r, 2, 'bf16'), true), (w, v) => writeU16(w, checks.bf16(v))),
  f32: codec(4, (r) => r.view.getFloat32(take(r, 4, 'f32'), true), (w, v) => {
    const value = checks.f32(v)
    w.reserve(4)
    w.view.setFloat32(w.pos, value, true)
    w.pos += 4
  }),
  f64: codec(8, (r) => r.view.getFloat64(take(r, 8, 'f64'), true), (w, v) => {
    const value = checks.f64(v)
    w.reserve(8)
    w.view.setFloat64(w.pos, value, true)
    w.pos += 8
  }),
}

function writeU16(w: ByteWriter, value: number): void {
  w.reserve(2)
  w.view.setUint16(w.pos, value, true)
  w.pos += 2
}
