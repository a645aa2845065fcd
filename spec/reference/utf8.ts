import { must } from './error.js'

/**
 * For each first byte of a sequence: how many bytes follow, and the least code point that needs so
 * many. A shorter form exists for anything less, so anything less is refused.
 */
function sequenceOf(first: number): { following: number; bits: number; least: number } | undefined {
  if (first < 0x80) return { following: 0, bits: first, least: 0 }
  if (first >= 0xc0 && first <= 0xdf) return { following: 1, bits: first - 0xc0, least: 0x80 }
  if (first >= 0xe0 && first <= 0xef) return { following: 2, bits: first - 0xe0, least: 0x800 }
  if (first >= 0xf0 && first <= 0xf7) return { following: 3, bits: first - 0xf0, least: 0x10000 }
  return undefined
}

/** The text of UTF-8 bytes, U+FEFF and U+0000 included; `UTF8` for anything that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const sequence = sequenceOf(bytes[at]!)
    must(sequence !== undefined, 'UTF8', 'a byte that begins no sequence')
    let code = sequence.bits
    for (let i = 1; i <= sequence.following; i++) {
      const next = bytes[at + i]
      must(next !== undefined && next >= 0x80 && next <= 0xbf, 'UTF8', 'a sequence that breaks off')
      code = code * 64 + (next - 0x80)
    }
    must(code >= sequence.least, 'UTF8', 'a sequence longer than it has to be')
    must(code < 0xd800 || code > 0xdfff, 'UTF8', 'a surrogate')
    must(code <= 0x10ffff, 'UTF8', 'a code point over 10FFFF')
    text += String.fromCodePoint(code)
    at += 1 + sequence.following
  }
  return text
}

/** The UTF-8 of a string; `UTF8` for a surrogate that stands alone. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0)!
    must(code < 0xd800 || code > 0xdfff, 'UTF8', 'a lone surrogate')
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 + Math.floor(code / 64), 0x80 + (code % 64))
    else if (code < 0x10000) {
      bytes.push(0xe0 + Math.floor(code / 4096), 0x80 + (Math.floor(code / 64) % 64), 0x80 + (code % 64))
    } else {
      bytes.push(
        0xf0 + Math.floor(code / 262144),
        0x80 + (Math.floor(code / 4096) % 64),
        0x80 + (Math.floor(code / 64) % 64),
        0x80 + (code % 64),
      )
    }
  }
  return Uint8Array.from(bytes)
}
