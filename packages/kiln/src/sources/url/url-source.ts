import { allocate } from '../../bytes/allocate.js'
import { KilnError } from '../../errors/kiln-error.js'
import { linkedAbort, signalOf, type LinkedAbort } from '../abort.js'
import { asyncDispose, type Closable } from '../dispose.js'
import { checkRange } from '../range.js'
import type { AbortSignalLike, ByteSource, ReadOptions } from '../source.js'
import { contentEncoding, contentLength, judge, statusFault, type Answer } from './answer.js'
import { collectBody, readBody } from './body.js'
import { Identity } from './identity.js'
import { urlSettings, type UrlSettings, type UrlSourceOptions } from './options.js'
import type { ResponseLike } from './platform.js'
import { discard, Requester } from './requester.js'
import { Retries, TryAgain } from './retry.js'
import { Turns } from './turns.js'

/** A failure after this many bytes of one read is not counted together with those before: proxies that send a part of what is asked for send more. */
const FAR = 2 ** 16

/** A URL that has been opened. Closing it ends the requests that are under way. */
export interface UrlSource extends ByteSource, Closable {
  close(): Promise<void>
}

/**
 * Opens a URL for reading by ranges: one GET, whose bytes are kept and serve the first reads. HEAD is asked only where
 * the size can't be told from that answer (a Content-Range that the server doesn't expose to pages of other origins:
 * `Access-Control-Expose-Headers: Content-Range, ETag`), and where HEAD is forbidden the head of a plain GET tells.
 *
 * A server that knows no ranges sends everything: that is kept if it is at most `wholeBodyLimit`, else `LIMIT`. Bytes
 * that don't come (no connection, a status such as 404, a body that is short again and again) are `EOF`, after
 * `retries`; an answer that isn't what was asked for (another range, compressed parts, a redirect that can't be
 * followed, a file that was changed since) is `FRAME`; a bad URL or option is `TYPE`.
 */
export async function urlSource(
  url: string | { readonly href: string },
  options: UrlSourceOptions = {},
): Promise<UrlSource> {
  const settings = urlSettings(url, options)
  signalOf(options)
  const remote = new RemoteFile(settings)
  await remote.open(options)
  const { label, readSize } = settings
  return {
    size: remote.size,
    label,
    readSize,
    read: (offset, length, how) => remote.read(offset, length, how),
    close: () => remote.close(),
    [asyncDispose]: () => remote.close(),
  }
}

/** Where in the caller's bytes the next ones belong. */
interface Filling {
  readonly target: Uint8Array
  /** In the file, of the first byte of `target`. */
  readonly offset: number
  filled: number
}

class RemoteFile {
  size = 0
  readonly #settings: UrlSettings
  readonly #requester: Requester
  readonly #turns: Turns
  readonly #identity: Identity
  readonly #running = new Set<LinkedAbort>()
  /** The bytes at the front that are kept: those of the first request, or all. */
  #front: Uint8Array = new Uint8Array(0)
  #closed = false

  constructor(settings: UrlSettings) {
    this.#settings = settings
    this.#requester = new Requester(settings)
    this.#turns = new Turns(settings.concurrency)
    this.#identity = new Identity(settings.label, settings.size)
  }

  async open(options: ReadOptions): Promise<void> {
    await this.#abortable(options, async (signal) => {
      const retries = new Retries(this.#settings)
      for (;;) {
        try {
          await this.#openOnce(signal)
          return
        } catch (failure) {
          await retries.after(failure, signal)
        }
      }
    })
  }

  async read(offset: number, length: number, options: ReadOptions = {}): Promise<Uint8Array> {
    signalOf(options)
    if (this.#closed) throw new KilnError('TYPE', `${this.#settings.label} has been closed`)
    checkRange({ size: this.size, label: this.#settings.label }, offset, length)
    // A copy: who loads a tensor may write to it, and these bytes are read again.
    if (offset + length <= this.#front.length) return this.#front.slice(offset, offset + length)
    const target = allocate(Uint8Array, length)
    const known = this.#front.subarray(offset)
    target.set(known)
    const filling: Filling = { target, offset, filled: known.length }
    await this.#abortable(options, (signal) => this.#turns.run(signal, () => this.#fill(filling, signal)))
    return target
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const abort of this.#running)
      abort.abort(new KilnError('TYPE', `${this.#settings.label} was closed while it was read`))
  }

  async #abortable(options: ReadOptions, task: (signal: AbortSignalLike) => Promise<void>): Promise<void> {
    const abort = linkedAbort(options.signal)
    this.#running.add(abort)
    try {
      await task(abort.signal)
    } finally {
      this.#running.delete(abort)
      abort.unlink()
    }
  }

  async #request(
    offset: number,
    length: number,
    signal: AbortSignalLike,
  ): Promise<{ response: ResponseLike; answer: Answer }> {
    const response = await this.#requester.send('GET', `bytes=${offset}-${offset + length - 1}`, signal)
    try {
      const answer = judge(response, offset, length, this.#settings.label)
      this.#identity.check(response, answer.kind === 'whole' ? answer.length : answer.total)
      return { response, answer }
    } catch (error) {
      discard(response)
      throw error
    }
  }

  async #openOnce(signal: AbortSignalLike): Promise<void> {
    const { prefetch, size } = this.#settings
    const { response, answer } = await this.#request(0, prefetch, signal)
    if (answer.kind === 'whole') return this.#keepWhole(response, answer.length, signal)
    if (answer.kind === 'beyond') {
      discard(response)
      // No file but an empty one is without a first byte.
      if ((answer.total ?? size ?? (await this.#askSize(signal))) === 0) return
      throw new KilnError(
        'FRAME',
        `${this.#settings.label}: the server says that the file has no byte 0, and that it isn't empty`,
      )
    }
    const front = await collectBody(response, prefetch, this.#settings.label, signal, () => this.#tooLong(0))
    if (answer.length !== undefined && front.length !== answer.length)
      throw this.#wrongLength(0, answer.length, front.length)
    this.size = answer.total ?? size ?? (await this.#askSize(signal))
    if (front.length > this.size || (answer.length === undefined && front.length < Math.min(prefetch, this.size))) {
      throw this.#wrongLength(0, Math.min(prefetch, this.size), front.length)
    }
    this.#front = front
  }

  /** The size from the head of an answer for the whole file; pages of other origins may always see Content-Length. */
  async #askSize(signal: AbortSignalLike): Promise<number> {
    for (const method of ['HEAD', 'GET'] as const) {
      const response = await this.#requester.send(method, undefined, signal)
      discard(response)
      const size =
        response.status === 200 && contentEncoding(response) === undefined ? contentLength(response) : undefined
      if (size !== undefined) {
        this.#identity.check(response, size)
        return size
      }
      const fault = response.status === 200 ? undefined : statusFault(response, this.#settings.label)
      if (fault instanceof TryAgain && method === 'GET') throw fault
    }
    throw new KilnError(
      'EOF',
      `${this.#settings.label}: the server doesn't tell the size; give { size }, or let it send ` +
        'Access-Control-Expose-Headers: Content-Range',
    )
  }

  async #keepWhole(response: ResponseLike, told: number | undefined, signal: AbortSignalLike): Promise<void> {
    const { wholeBodyLimit, label } = this.#settings
    const over = (): KilnError =>
      new KilnError(
        'LIMIT',
        `${label}: the server knows no ranges and sends ${told === undefined ? 'everything' : `all ${told} bytes`}; ` +
          `up to ${wholeBodyLimit} are kept in memory (wholeBodyLimit). Raise that, or use a server with ranges`,
      )
    if (told !== undefined && told > wholeBodyLimit) {
      discard(response)
      throw over()
    }
    const all = await collectBody(response, wholeBodyLimit, label, signal, over)
    if (told !== undefined && all.length !== told) throw this.#wrongLength(0, told, all.length)
    this.#identity.check(response, all.length)
    this.size = all.length
    this.#front = all
  }

  /** Fills the rest of a range; goes on where it stood when a connection breaks. */
  async #fill(filling: Filling, signal: AbortSignalLike): Promise<void> {
    const retries = new Retries(this.#settings)
    while (filling.filled < filling.target.length) {
      const before = filling.filled
      try {
        await this.#fillOnce(filling, signal)
      } catch (failure) {
        if (filling.filled - before >= FAR) retries.forget()
        await retries.after(failure, signal)
      }
    }
  }

  async #fillOnce(filling: Filling, signal: AbortSignalLike): Promise<void> {
    const { target, offset, filled } = filling
    const at = offset + filled
    const length = target.length - filled
    const { response, answer } = await this.#request(at, length, signal)
    if (answer.kind === 'beyond') {
      discard(response)
      throw this.#identity.changed('it has become shorter')
    }
    if (answer.kind === 'whole') {
      // Some caches send everything now and then.
      await this.#keepWhole(response, answer.length, signal)
      target.set(this.#front.subarray(at, at + length), filled)
      filling.filled = target.length
      return
    }
    // Where nobody says which bytes these are, only exactly the length asked for tells that they are the right ones.
    const expected = answer.length ?? length
    let got = 0
    await readBody(response, this.#settings.label, signal, (piece) => {
      got += piece.length
      if (got > expected) throw this.#tooLong(at)
      target.set(piece, filled + got - piece.length)
      if (answer.length !== undefined) filling.filled = filled + got
      return true
    })
    if (got < expected) throw this.#wrongLength(at, expected, got)
    filling.filled = filled + got
    // A server may send less than was asked for and say so; then the rest is asked for. But not for nothing for ever.
    if (got < length && got < FAR) throw this.#wrongLength(at, length, got)
  }

  #tooLong(at: number): KilnError {
    return new KilnError('FRAME', `${this.#settings.label}: the server sends more bytes than were asked for`, at)
  }

  #wrongLength(at: number, expected: number, got: number): TryAgain {
    return new TryAgain(
      new KilnError(
        'EOF',
        `${this.#settings.label}: ${expected} bytes were to come from byte ${at} on, ${got} came`,
        at,
      ),
    )
  }
}
