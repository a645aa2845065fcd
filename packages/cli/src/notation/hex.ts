import { KilnError } from 'kiln-format'

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as hex digits, two a byte. */
export function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i++) text += DIGITS[bytes[i]!]
  return text
}

const VALUES = new Map(Array.from('0123456789abcdefABCDEF', (digit) => [digit.charCodeAt(0), Number.parseInt(digit, 16)]))

function nibble(unit: number): number {
  return VALUES.get(unit) ?? -1
}

/** The bytes of hex digits; `TYPE` for anything else. */
export function bytesOfHex(text: unknown): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') throw new KilnError('TYPE', `bytes are a string of hex digits, got ${typeof text}`)
  if (text.length % 2 !== 0) throw new KilnError('TYPE', `hex digits come in pairs, there are ${text.length}`)
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    const high = nibble(text.charCodeAt(i * 2))
    const low = nibble(text.charCodeAt(i * 2 + 1))
    if (high < 0 || low < 0) throw new KilnError('TYPE', `"${text.slice(i * 2, i * 2 + 2)}" is no pair of hex digits`)
    bytes[i] = high * 16 + low
  }
  return bytes
}
