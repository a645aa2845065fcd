import { KilnError } from '../errors/kiln-error.js'
import type { Settings } from '../limits/limits.js'
import { isUnstable } from './input.js'
import { viewOf } from './view-of.js'

/**
 * A cursor over the input. Readers are free functions that take one; `pos` and `end` are offsets in
 * `bytes`, which is as the caller gave it, so `pos` is also the offset that an error names.
 */
export interface ByteReader {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Whether the bytes lie in shared or resizable memory. */
  readonly unstable: boolean
  readonly settings: Settings
  pos: number
  end: number
  /** Where in `bytes` what the caller gave begins: 0, but for a `messageReader`. */
  readonly origin: number
}

export function byteReader(bytes: Uint8Array, settings: Settings, pos = 0, end = bytes.length): ByteReader {
  return {
    bytes,
    view: viewOf(bytes),
    unstable: isUnstable(bytes),
    settings,
    pos,
    end,
    origin: 0,
  }
}

/** Takes `size` bytes and returns where they begin, or throws `EOF`. */
export function take(r: ByteReader, size: number, what: string): number {
  const at = r.pos
  if (size > r.end - at) throw endOfInput(r, size, what)
  r.pos = at + size
  return at
}

export function endOfInput(r: ByteReader, size: number, what: string): KilnError {
  return new KilnError('EOF', `${size} bytes of ${what} announced, ${r.end - r.pos} left`, r.pos)
}

/**
 * Takes a count of elements, in the order of FORMAT §2, Counts: the word is there, the count is within
 * its cap, and that many elements of at least `minSize` bytes are available. Whoever allocates for a
 * count of the input has it from here.
 *
 * The product is exact: a count is below 2^32, a minSize below 2^20 (64 KiB of schema text).
 */
export function takeCount(r: ByteReader, minSize: number, cap: 'count' | 'numbers'): number {
  const at = r.pos
  if (r.end - at < 4) throw endOfInput(r, 4, 'a count')
  const count = r.view.getUint32(at, true)
  if (count > r.settings.limits[cap]) throw overCap(count, cap, r.settings.limits[cap], 'elements', at)
  r.pos = at + 4
  if (count * minSize > r.end - r.pos) {
    throw new KilnError(
      'EOF',
      `${count} elements of at least ${minSize} bytes announced, ${r.end - r.pos} bytes left`,
      at,
    )
  }
  return count
}

/**
 * Takes the length of a `string` or `bytes` and then that many bytes, and returns where these begin
 * (FORMAT §2, Counts); they end at `pos`.
 */
export function takeLength(r: ByteReader, what: 'string' | 'bytes'): number {
  const at = r.pos
  if (r.end - at < 4) throw endOfInput(r, 4, `${what} length`)
  const length = r.view.getUint32(at, true)
  if (what === 'string' && length > r.settings.limits.string) {
    throw overCap(length, 'string', r.settings.limits.string, 'bytes of string', at)
  }
  if (length > r.end - at - 4) {
    throw new KilnError('EOF', `${length} bytes of ${what} announced, ${r.end - at - 4} left`, at)
  }
  r.pos = at + 4 + length
  return at + 4
}

/** `LIMIT`: says which option raises the cap. */
export function overCap(given: number, cap: string, limit: number, what: string, at?: number): KilnError {
  return new KilnError('LIMIT', `${given} ${what} are over the cap of ${limit}; raise limits.${cap} if they are meant`, at)
}

/** Throws `TRAILING` unless the value took all of the input (FORMAT §2, Standalone). */
export function checkEnd(r: ByteReader, what: string): void {
  if (r.pos !== r.end) {
    throw new KilnError('TRAILING', `${r.end - r.pos} bytes follow the ${what}; decodePrefix reads a value with more behind it`, r.pos)
  }
}
