import { KilnError } from '../errors/kiln-error.js'
import { flatText, LONGEST_FLAT } from './flat-text.js'
import { textDecoder, textEncoder } from './host.js'

// Up to here a loop over the bytes beats a call of the platform's coders (50 ns against 140 to 300).
const SHORT = LONGEST_FLAT

// The units of one short text, from the moment they are made to the moment the string is: nothing runs between.
const units = new Uint16Array(SHORT)

/**
 * The text of `bytes[start, end)`: strict UTF-8, U+FEFF kept. Anything else is `UTF8`. `unstable` says
 * that the bytes lie in shared or resizable memory, which platforms' decoders refuse: they are copied first.
 */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number, unstable: boolean): string {
  const length = end - start
  if (length === 0) return ''
  if (length <= SHORT) {
    if (isAscii(bytes, start, end)) return flatText(bytes, start, length)
    if (!unstable) {
      checkUtf8(bytes, start, end)
      return flatText(units, 0, unitsOf(bytes, start, end))
    }
  }
  try {
    return textDecoder.decode(unstable ? Uint8Array.prototype.slice.call(bytes, start, end) : bytes.subarray(start, end))
  } catch (cause) {
    // A decoder's TypeError means malformed text; other errors say that the text is too long for the host.
    if (cause instanceof TypeError) throw malformed(bytes, start, end)
    throw new KilnError('LIMIT', `text of ${length} bytes is too long for this host`, start, { cause })
  }
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  let all = 0
  for (let i = start; i < end; i++) all |= bytes[i]!
  return all < 0x80
}

/** Puts a short text that is known to be well-formed into `units`, and returns how many it has. */
function unitsOf(bytes: Uint8Array, start: number, end: number): number {
  let n = 0
  let i = start
  while (i < end) {
    const lead = bytes[i]!
    if (lead < 0x80) {
      units[n++] = lead
      i += 1
    } else if (lead < 0xe0) {
      units[n++] = ((lead & 0x1f) << 6) | (bytes[i + 1]! & 0x3f)
      i += 2
    } else if (lead < 0xf0) {
      units[n++] = ((lead & 0x0f) << 12) | ((bytes[i + 1]! & 0x3f) << 6) | (bytes[i + 2]! & 0x3f)
      i += 3
    } else {
      const point = ((lead & 0x07) << 18) | ((bytes[i + 1]! & 0x3f) << 12) | ((bytes[i + 2]! & 0x3f) << 6) | (bytes[i + 3]! & 0x3f)
      units[n] = 0xd7c0 + (point >> 10)
      units[n + 1] = 0xdc00 | (point & 0x3ff)
      n += 2
      i += 4
    }
  }
  return n
}

function malformed(bytes: Uint8Array, start: number, end: number): KilnError {
  const at = firstMalformed(bytes, start, end)
  return new KilnError('UTF8', `text of ${end - start} bytes is not UTF-8; write it with an encoder that is`, at)
}

/** Throws `UTF8` unless `bytes[start, end)` is well-formed, without making a string of it. */
export function checkUtf8(bytes: Uint8Array, start: number, end: number): void {
  const at = firstMalformed(bytes, start, end)
  if (at !== end) throw malformed(bytes, start, end)
}

/**
 * Where the first sequence begins that is not UTF-8 (overlong forms, surrogates and what is over
 * U+10FFFF are not), or `end`.
 */
export function firstMalformed(bytes: Uint8Array, start: number, end: number): number {
  let i = start
  while (i < end) {
    // Four at a time, while they are ASCII: most names and texts are nothing else.
    if (i + 4 <= end && (bytes[i]! | bytes[i + 1]! | bytes[i + 2]! | bytes[i + 3]!) < 0x80) {
      i += 4
      continue
    }
    const lead = bytes[i]!
    if (lead < 0x80) {
      i++
      continue
    }
    let low = 0x80
    let high = 0xbf
    let more: number
    if (lead >= 0xc2 && lead <= 0xdf) more = 1
    else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2
      if (lead === 0xe0) low = 0xa0
      else if (lead === 0xed) high = 0x9f
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3
      if (lead === 0xf0) low = 0x90
      else if (lead === 0xf4) high = 0x8f
    } else return i
    if (end - i <= more) return i
    const second = bytes[i + 1]!
    if (second < low || second > high) return i
    for (let j = 2; j <= more; j++) {
      const next = bytes[i + j]!
      if (next < 0x80 || next > 0xbf) return i
    }
    i += more + 1
  }
  return end
}

type MaybeWellFormed = string & { isWellFormed?: () => boolean }

/** Throws `UTF8` for a string with a lone surrogate, which no UTF-8 can hold. */
export function checkWellFormed(text: string): void {
  const wellFormed = (text as MaybeWellFormed).isWellFormed
  if (wellFormed !== undefined ? wellFormed.call(text) : !/\p{Surrogate}/u.test(text)) return
  const at = text.search(/\p{Surrogate}/u)
  throw new KilnError('UTF8', `the string has a lone surrogate at index ${at}; repair it with toWellFormed() if that is meant`)
}

/** The UTF-8 of a string, in bytes of its own. A lone surrogate is `UTF8`. */
export function encodeUtf8(text: string): Uint8Array {
  checkWellFormed(text)
  return textEncoder.encode(text)
}

/**
 * Writes a string's UTF-8 at `offset` and returns how many bytes that took. `target` has room for
 * three bytes a UTF-16 unit, and is memory of the writer's own (browsers' encoders refuse shared memory). A lone
 * surrogate is `UTF8`.
 */
export function writeUtf8(text: string, target: Uint8Array, offset: number): number {
  const units = text.length
  if (units <= SHORT) return writeShort(text, units, target, offset)
  const { written } = textEncoder.encodeInto(text, target.subarray(offset))
  // As many bytes as units: all ASCII, so nothing to look for.
  if (written !== units) checkWellFormed(text)
  return written
}

/** Unit by unit: 30 ns for a short text, where a call of the platform's encoder takes 200. */
function writeShort(text: string, units: number, target: Uint8Array, offset: number): number {
  // A loop of its own for ASCII, so small that it is compiled into whoever writes strings.
  for (let i = 0; i < units; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x80) return writeWide(text, i, target, offset)
    target[offset + i] = unit
  }
  return units
}

/** The rest of a short text, from `from` on, where a unit isn't ASCII. */
function writeWide(text: string, from: number, target: Uint8Array, offset: number): number {
  const units = text.length
  let at = offset + from
  for (let i = from; i < units; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) target[at++] = unit
    else if (unit < 0x800) {
      target[at] = 0xc0 | (unit >> 6)
      target[at + 1] = 0x80 | (unit & 0x3f)
      at += 2
    } else if (unit < 0xd800 || unit > 0xdfff) {
      target[at] = 0xe0 | (unit >> 12)
      target[at + 1] = 0x80 | ((unit >> 6) & 0x3f)
      target[at + 2] = 0x80 | (unit & 0x3f)
      at += 3
    } else {
      const low = unit < 0xdc00 && i + 1 < units ? text.charCodeAt(i + 1) : 0
      if (low < 0xdc00 || low > 0xdfff) checkWellFormed(text)
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff)
      target[at] = 0xf0 | (point >> 18)
      target[at + 1] = 0x80 | ((point >> 12) & 0x3f)
      target[at + 2] = 0x80 | ((point >> 6) & 0x3f)
      target[at + 3] = 0x80 | (point & 0x3f)
      at += 4
      i++
    }
  }
  return at - offset
}
