/** Bytes from hex digits; white space between them is passed over. */
export function hex(digits: string): Uint8Array<ArrayBuffer> {
  const plain = digits.replace(/\s+/g, '')
  if (plain.length % 2 !== 0 || /[^0-9a-f]/i.test(plain)) throw new Error(`not hex: ${digits}`)
  return Uint8Array.from({ length: plain.length / 2 }, (_, i) => Number.parseInt(plain.slice(i * 2, i * 2 + 2), 16))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'utf8'))
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts))
}

/** A number of 64 bits, little-endian. */
export function u64(value: number | bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true)
  return bytes
}
