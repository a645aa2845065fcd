import { take, type ByteReader } from '../bytes/reader.js'
import { KilnError } from '../errors/kiln-error.js'
import type { ScalarName } from '../schema/types.js'
import type { Read } from './codec.js'

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

/** A 64-bit integer that was read at `at`, as a number; outside ±(2^53 − 1) that is `TYPE`. */
export function safeInteger(value: bigint, at: number): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new KilnError('TYPE', `${value} is no safe integer; read it with { int64: 'bigint' }`, at)
}

function int64Read(name: 'i64' | 'u64', get: (view: DataView, at: number) => bigint): Read {
  return (r) => {
    const at = take(r, 8, name)
    const value = get(r.view, at)
    return r.settings.int64AsNumber ? safeInteger(value, at) : value
  }
}

/** The reader of each scalar (FORMAT §2). */
export const scalarReads: { readonly [N in ScalarName]: Read } = {
  bool: (r) => readFlag(r, 'bool'),
  i8: (r) => r.view.getInt8(take(r, 1, 'i8')),
  u8: (r) => r.view.getUint8(take(r, 1, 'u8')),
  i16: (r) => r.view.getInt16(take(r, 2, 'i16'), true),
  u16: (r) => r.view.getUint16(take(r, 2, 'u16'), true),
  i32: (r) => r.view.getInt32(take(r, 4, 'i32'), true),
  u32: (r) => r.view.getUint32(take(r, 4, 'u32'), true),
  i64: /* @__PURE__ */ int64Read('i64', (view, at) => view.getBigInt64(at, true)),
  u64: /* @__PURE__ */ int64Read('u64', (view, at) => view.getBigUint64(at, true)),
  f16: (r) => r.view.getUint16(take(r, 2, 'f16'), true),
  bf16: (r) => r.view.getUint16(take(r, 2, 'bf16'), true),
  f32: (r) => r.view.getFloat32(take(r, 4, 'f32'), true),
  f64: (r) => r.view.getFloat64(take(r, 8, 'f64'), true),
}
