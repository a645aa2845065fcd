import { KilnError } from 'kiln-format'

/** What is used of the platform's text coders; every host has them, and no DOM or Node types are needed. */
interface Host {
  readonly TextDecoder: new (label: 'utf-8', options: { fatal: true; ignoreBOM: true }) => {
    decode(bytes: Uint8Array): string
  }
  readonly TextEncoder: new () => { encode(text: string): Uint8Array }
}

const host = globalThis as unknown as Host
const decoder = new host.TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new host.TextEncoder()

// Up to here a loop beats a call of the platform's decoder, and most tokens of a vocabulary are shorter.
const SHORT = 32

function shortAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = ''
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if (byte > 0x7f) return undefined
    text += String.fromCharCode(byte)
  }
  return text
}

/**
 * The text of `bytes[start, end)`: strict UTF-8, U+FEFF kept. Else `UTF8`, where `what` names the text
 * and `offset` is the place of `start` in the file.
 */
export function utf8Text(bytes: Uint8Array, start: number, end: number, what: string, offset?: number): string {
  if (end - start <= SHORT) {
    const text = shortAscii(bytes, start, end)
    if (text !== undefined) return text
  }
  try {
    // Copied first, because decoders refuse shared and resizable memory.
    return decoder.decode(Uint8Array.prototype.slice.call(bytes, start, end))
  } catch (cause) {
    if (cause instanceof TypeError) throw new KilnError('UTF8', `${what} is not UTF-8`, offset)
    throw new KilnError('LIMIT', `${what} has ${end - start} bytes, too many for text on this host`, offset, { cause })
  }
}

/** The UTF-8 of a string. A lone surrogate is `UTF8`; `what` names the string. */
export function utf8Bytes(text: string, what: string): Uint8Array {
  const at = text.search(/\p{Surrogate}/u)
  if (at !== -1) {
    throw new KilnError('UTF8', `${what} has a lone surrogate at index ${at}; repair it with toWellFormed() if that is meant`)
  }
  return encoder.encode(text)
}

/** Text of one byte a character (ISO 8859-1), as headers of NPY 1.0 and 2.0 have it. */
export function latin1Text(bytes: Uint8Array): string {
  // In slices, because the arguments of one call have to fit on the stack.
  const SLICE = 4096
  let text = ''
  for (let i = 0; i < bytes.length; i += SLICE) text += String.fromCharCode(...bytes.subarray(i, i + SLICE))
  return text
}
