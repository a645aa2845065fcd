import { KilnError } from 'kiln-format'

/** Throws `UTF8` for a text with a lone surrogate, which no UTF-8 can hold. `what` names the text. */
export function checkWellFormed(text: string, what: string, offset?: number): void {
  const at = text.search(/\p{Surrogate}/u)
  if (at < 0) return
  throw new KilnError('UTF8', `${what} has a lone surrogate at index ${at}; write the character whole`, offset)
}

/** How many bytes the first `units` UTF-16 units of a well-formed text take in UTF-8. */
export function utf8Length(text: string, units: number): number {
  let bytes = 0
  for (let i = 0; i < units; i++) {
    const unit = text.charCodeAt(i)
    // Each half of a surrogate pair counts two of the pair's four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
  }
  return bytes
}

/** Orders texts by their UTF-8 bytes, which is by code points; `<` would order by UTF-16 units. */
export function compareUtf8(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points over U+FFFF, so they come after the units from U+E000 on. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
