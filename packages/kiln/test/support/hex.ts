/** Bytes from hex digits; white space between them is passed over. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const digits = hex.replace(/\s+/g, '')
  if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) throw new Error(`not hex: ${hex}`)
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16))
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
