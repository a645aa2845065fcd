import { describe, toBytes } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { signalOf, unlessAborted } from './abort.js'
import { checkSource } from './check-source.js'
import type { ByteSource, ReadOptions } from './source.js'

/** The most bytes of one piece of a payload that is streamed: 1 MiB. */
export const PIECE = 2 ** 20

/**
 * Whether a source has these bytes, for those who write one: `TYPE` for an offset or a length that is no integer
 * from 0 to 2^53 − 1, `EOF` for a range that goes past `size`. Nothing has been read or allocated by then.
 */
export function checkRange(
  source: { readonly size: number; readonly label: string },
  offset: number,
  length: number,
): void {
  const { size, label } = source ?? {}
  if (!isSize(size)) throw new KilnError('TYPE', `a source has a size, an integer from 0 on; got ${describe(size)}`)
  if (!isSize(offset) || !isSize(length)) {
    throw new KilnError(
      'TYPE',
      `${label}: a range is an offset and a length, integers from 0 on; got ${describe(offset)} and ${describe(length)}`,
    )
  }
  // Not offset + length, which rounds beyond 2^53. For an offset past the end there are less than none.
  if (length > size - offset) {
    throw new KilnError('EOF', `${label}: ${length} bytes from byte ${offset} on asked for, it has ${size}`, offset)
  }
}

function isSize(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 0
}

/**
 * Reads a range of anybody's source and holds it to its promise, for those who read a source themselves: exactly
 * `length` bytes or `EOF`, and `TYPE` for what is no bytes. Rejects as soon as the signal aborts, even if the source
 * doesn't look at it.
 */
export async function readRange(
  source: ByteSource,
  offset: number,
  length: number,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  const signal = signalOf(options)
  checkSource(source)
  checkRange(source, offset, length)
  if (length === 0) return new Uint8Array(0)
  const bytes = toBytes(await unlessAborted(source.read(offset, length, options), signal))
  if (bytes.length !== length) {
    throw new KilnError(
      'EOF',
      `${source.label}: ${length} bytes from byte ${offset} on asked for, the source gave ${bytes.length}`,
      offset,
    )
  }
  return bytes
}

/**
 * The bytes of a range in pieces of at most 1 MiB, none empty; each is good until the next is asked for. A source
 * for which small reads are dear (`readSize`) is read in larger steps.
 */
export async function* rangeChunks(
  source: ByteSource,
  offset: number,
  length: number,
  options: ReadOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  signalOf(options)
  checkRange(source, offset, length)
  const step = Math.max(PIECE, source.readSize ?? 0)
  for (let done = 0; done < length; done += step) {
    const bytes = await readRange(source, offset + done, Math.min(step, length - done), options)
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, Math.min(at + PIECE, bytes.length))
  }
}
