import { take, type ByteReader } from '../bytes/reader.js'
import { KilnError } from '../errors/kiln-error.js'

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
