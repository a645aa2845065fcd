import { must } from './error.js'

/** A place in the input. `end` is the end of the input, or of a frame's body inside it. */
export interface Cursor {
  readonly bytes: Uint8Array
  at: bigint
  readonly end: bigint
}

/** A cursor over all of `bytes`. */
export function cursorOver(bytes: Uint8Array): Cursor {
  return { bytes, at: 0n, end: BigInt(bytes.length) }
}

/** Bytes from the cursor to its end: the format's "available". */
export function available(cursor: Cursor): bigint {
  return cursor.end - cursor.at
}

/** The next `count` bytes, or `EOF`. */
export function take(cursor: Cursor, count: bigint): Uint8Array {
  must(count <= available(cursor), 'EOF', `${count} bytes wanted, ${available(cursor)} left`)
  const start = Number(cursor.at)
  cursor.at += count
  return cursor.bytes.slice(start, start + Number(count))
}

/** An unsigned little-endian number of `width` bytes, or `EOF`. */
export function readUint(cursor: Cursor, width: number): bigint {
  return uintAt(take(cursor, BigInt(width)), 0, width)
}

/** An unsigned little-endian number of `width` bytes inside `bytes`. */
export function uintAt(bytes: Uint8Array, offset: number, width: number): bigint {
  let value = 0n
  for (let i = width - 1; i >= 0; i--) value = value * 256n + BigInt(bytes[offset + i]!)
  return value
}

/** The little-endian bytes of an unsigned number. */
export function uintBytes(value: bigint, width: number): Uint8Array {
  const bytes = new Uint8Array(width)
  let rest = value
  for (let i = 0; i < width; i++) {
    bytes[i] = Number(rest % 256n)
    rest /= 256n
  }
  return bytes
}

/** All parts, one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export function isAllZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** The least multiple of 64 that is not less than `n`. */
export function align64(n: bigint): bigint {
  return ((n + 63n) / 64n) * 64n
}

export function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return hex
}

export function fromHex(hex: string): Uint8Array {
  must(/^([0-9a-f]{2})*$/.test(hex), 'TYPE', 'hex is pairs of the digits 0-9 and a-f')
  const bytes = new Uint8Array(hex.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)
  return bytes
}
