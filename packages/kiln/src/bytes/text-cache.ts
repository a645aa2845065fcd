import { flatText } from './flat-text.js'
import { decodeUtf8 } from './utf8.js'

// Records repeat their short strings: keys of dicts, names, states. A string that was met before costs the
// comparison of four words, where making it again costs its bytes, an object for the collector, and the hash that a
// Map asks it for: a whole record reads in two thirds of the time.
const SLOTS = 4096
const LONGEST = 16

// A slot has all bytes of its string, so an answer can't be wrong, whoever filled it: there is nothing in
// here that a call could spoil. It holds 4,096 strings of 16 bytes at most.
const words = new Int32Array(SLOTS * 4)
const lengths = new Uint8Array(SLOTS)
const texts: string[] = new Array<string>(SLOTS).fill('')

/** The first `count` bytes of a little-endian word, 1 to 4. */
function front(word: number, count: number): number {
  return count === 4 ? word : word & ((1 << (count * 8)) - 1)
}

/**
 * The text of `bytes[start, end)`, as `decodeUtf8` gives it, which reads what is not known yet. `view` lies over the same
 * bytes, which are stable memory.
 */
export function cachedText(bytes: Uint8Array, view: DataView, start: number, end: number): string {
  const length = end - start
  // Words are read whole, so the last bytes of the input go the other way.
  if (length > LONGEST || length === 0 || start + LONGEST > bytes.length) return decodeUtf8(bytes, start, end, false)
  const a = front(view.getInt32(start, true), length < 4 ? length : 4)
  let b = 0
  let c = 0
  let d = 0
  if (length > 4) b = front(view.getInt32(start + 4, true), length < 8 ? length - 4 : 4)
  if (length > 8) c = front(view.getInt32(start + 8, true), length < 12 ? length - 8 : 4)
  if (length > 12) d = front(view.getInt32(start + 12, true), length - 12)
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x27d4eb2f) ^ length
  hash ^= hash >>> 15
  const slot = hash & (SLOTS - 1)
  const word = slot * 4
  if (words[word] === a && words[word + 1] === b && words[word + 2] === c && words[word + 3] === d && lengths[slot] === length) {
    return texts[slot]!
  }
  // The words are at hand: no high bit in them, and the text is ASCII.
  const text = ((a | b | c | d) & 0x80808080) === 0 ? flatText(bytes, start, length) : decodeUtf8(bytes, start, end, false)
  words[word] = a
  words[word + 1] = b
  words[word + 2] = c
  words[word + 3] = d
  lengths[slot] = length
  texts[slot] = text
  return text
}
