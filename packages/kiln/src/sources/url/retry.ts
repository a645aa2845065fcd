import { KilnError } from '../../errors/kiln-error.js'
import type { AbortSignalLike } from '../source.js'
import type { UrlSettings } from './options.js'
import { sleep } from './platform.js'

/** A failure after which it is worth asking again. Never leaves this folder: a caller sees its `error` in the end. */
export class TryAgain extends Error {
  readonly error: KilnError
  /** Milliseconds that the server asks for, if it does. */
  readonly after: number | undefined

  constructor(error: KilnError, after?: number) {
    super(error.message)
    this.error = error
    this.after = after
  }
}

/** Counts the failures of one read and waits after each. */
export class Retries {
  readonly #settings: UrlSettings
  #failures = 0

  constructor(settings: UrlSettings) {
    this.#settings = settings
  }

  /** A long way forward since the last failure: what comes next is a new one. */
  forget(): void {
    this.#failures = 0
  }

  /** Waits, or throws the failure if it is the last one, or no failure to try again after. */
  async after(failure: unknown, signal: AbortSignalLike): Promise<void> {
    if (!(failure instanceof TryAgain)) throw failure
    const { retries, retryDelay, maxRetryDelay, label } = this.#settings
    this.#failures += 1
    const { error, after } = failure
    if (this.#failures > retries) {
      const times = this.#failures === 1 ? 'once' : `${this.#failures} times`
      throw new KilnError(error.code, `${error.detail} (asked ${times})`, error.offset, { cause: error.cause })
    }
    if (after !== undefined && after > maxRetryDelay) {
      throw new KilnError(
        error.code,
        `${label}: the server asks to be left alone for ${Math.ceil(after / 1000)} s; later, or raise maxRetryDelay`,
        error.offset,
        { cause: error },
      )
    }
    // Between half of the wait and all of it, so that many who failed together don't come back together.
    const wait = Math.min(maxRetryDelay, retryDelay * 2 ** (this.#failures - 1)) * (0.5 + Math.random() / 2)
    await sleep(Math.max(wait, after ?? 0), signal)
  }
}

/** The milliseconds of a Retry-After header: seconds, or a date. */
export function retryAfter(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
