import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'

const BASIS_HIGH = 0xcbf29ce4
const BASIS_LOW = 0x84222325
const WORD = 2 ** 32

/** Names with the mark behind them that belongs to the same token, or a mark alone. */
const TOKEN = /[^{}<>:,]+[{<]?|[:,>}]/g

/**
 * FNV-1a 64 over the tokens of a canonical text (FORMAT §3, Hash): each byte of a token by xor and a
 * multiplication, and one more multiplication at the token's end, as for a 0x00 byte.
 *
 * The 64 bits are kept in two halves: a BigInt a byte would take 30 times as long. The prime is
 * 2^40 + 0x1b3, so a product is the word times 435 and the low half shifted by 40.
 */
export function hashOfText(canonical: string): bigint {
  let high = BASIS_HIGH
  let low = BASIS_LOW
  const multiply = (): void => {
    const lowProduct = low * 0x1b3
    const carry = Math.floor(lowProduct / WORD)
    high = (high * 0x1b3 + carry + (low % 2 ** 24) * 256) % WORD
    low = lowProduct % WORD
  }
  for (const [token] of canonical.matchAll(TOKEN)) {
    for (let i = 0; i < token.length; i++) {
      low = (low ^ token.charCodeAt(i)) >>> 0
      multiply()
    }
    multiply()
  }
  return (BigInt(high) << 32n) | BigInt(low)
}

/** A hash as text, `0x` and 16 digits. */
export function formatHash(hash: bigint): string {
  if (typeof hash !== 'bigint' || hash !== BigInt.asUintN(64, hash)) {
    throw new KilnError('TYPE', `a hash is a bigint from 0 to 2^64 - 1, got ${describe(hash)}`)
  }
  return `0x${hash.toString(16).padStart(16, '0')}`
}
