import { checkMemory, isUnstable, toBytes } from '../bytes/input.js'
import type { ByteInput } from '../frozen/decode.js'
import { signalOf } from '../sources/abort.js'
import { checkSource } from '../sources/check-source.js'
import { readRange } from '../sources/range.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'
import { checkWalk, walkInput } from './file.js'
import type { Span, WalkOptions } from './span.js'
import { WalkState } from './state.js'

export type { Span, SpanKind, WalkFault, WalkOptions } from './span.js'

/** A walk reads at least so much of a source at once. */
const READ_AHEAD = 65_536

/**
 * Goes through a file, frame, directory or value and says what each of its bytes is: spans in the order of the bytes,
 * which tile the input. All checks of the readers are made as far as the walk comes, but none on payloads.
 *
 * Bad input is no error here: what was valid comes as spans, then one of kind `error` with the check that failed,
 * and last one of kind `rest`. Checks run in the order of the format, so a span before the fault may
 * belong to a part that a later check would have looked at.
 */
export function* walk(bytes: ByteInput, options: WalkOptions = {}): Generator<Span, undefined> {
  checkWalk(options)
  const given = toBytes(bytes)
  const input = isUnstable(given) ? Uint8Array.prototype.slice.call(given) : given
  const w = new WalkState(input.length, input, options)
  const walker = walkInput(w, options)
  for (let done = false; !done;) {
    checkMemory(input, w.size)
    done = walker.next().done === true
    yield* w.drain()
  }
  return undefined
}

/**
 * As {@link walk}, over a source: payloads are never read, nor text over 1 MiB, nor bytes or numbers over 4 KiB; such
 * spans have no value. A frame's CRC-32 is not compared, for that would read all of its body. Reads at
 * most a directory's table, or 64 KiB, at once.
 */
export async function* walkSource(
  source: ByteSource,
  options: WalkOptions & ReadOptions = {},
): AsyncGenerator<Span, undefined> {
  checkWalk(options)
  checkSource(source)
  const w = new WalkState(source.size, undefined, options)
  const walker = walkInput(w, options)
  const signal = signalOf(options)
  for (;;) {
    const { done, value: need } = walker.next()
    yield* w.drain()
    if (done === true) return undefined
    signal?.throwIfAborted()
    if (need === undefined) continue
    const length = Math.min(Math.max(need.length, READ_AHEAD), source.size - need.offset)
    w.load(await readRange(source, need.offset, length, { signal }), need.offset)
  }
}
