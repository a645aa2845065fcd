import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkOptions } from '../limits/options.js'
import type { AbortSignalLike, ReadOptions } from './source.js'

/**
 * The signal of a call's options, which has not aborted: else its reason is thrown. `TYPE` for options that are none,
 * and for a signal that is none (an AbortController, say).
 */
export function signalOf(options: ReadOptions | undefined): AbortSignalLike | undefined {
  checkOptions(options)
  const signal = options?.signal
  if (signal === undefined) return undefined
  const { throwIfAborted, addEventListener } = (signal ?? {}) as Partial<AbortSignalLike>
  if (typeof throwIfAborted !== 'function' || typeof addEventListener !== 'function') {
    throw new KilnError('TYPE', `signal is an AbortSignal, such as the one of an AbortController; got ${describe(signal)}`)
  }
  signal.throwIfAborted()
  return signal
}

// One listener a signal, however many tasks stand under it: Node warns of a leak from the eleventh on. Keyed by
// identity and gone with the last task, so no call can spoil it for another.
const watched = new WeakMap<AbortSignalLike, Watch>()

interface Watch {
  readonly callbacks: Set<() => void>
  readonly stop: () => void
}

/** Calls back when the signal aborts; what comes back ends that. A signal that has aborted already calls nobody. */
export function onAbort(signal: AbortSignalLike, callback: () => void): () => void {
  const watch = watched.get(signal) ?? startWatch(signal)
  watch.callbacks.add(callback)
  return () => {
    if (!watch.callbacks.delete(callback) || watch.callbacks.size > 0) return
    watched.delete(signal)
    watch.stop()
  }
}

function startWatch(signal: AbortSignalLike): Watch {
  const callbacks = new Set<() => void>()
  const listener = (): void => {
    for (const callback of [...callbacks]) callback()
  }
  signal.addEventListener('abort', listener)
  const watch = { callbacks, stop: () => signal.removeEventListener('abort', listener) }
  watched.set(signal, watch)
  return watch
}

/** Settles as the promise does, or rejects with the signal's reason when it aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignalLike | undefined): Promise<T> {
  if (signal === undefined) return promise
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    const check = (): void => {
      try {
        signal.throwIfAborted()
      } catch (reason) {
        reject(reason)
      }
    }
    stop = onAbort(signal, check)
    check()
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    stop()
  }
}

interface AbortControllerLike {
  readonly signal: AbortSignalLike
  abort(reason?: unknown): void
}

const { AbortController } = globalThis as unknown as { readonly AbortController: new () => AbortControllerLike }

/** A signal of the platform's own that can also be aborted from here. */
export interface LinkedAbort {
  readonly signal: AbortSignalLike
  abort(reason?: unknown): void
  /** Stops listening to the outer signal. */
  unlink(): void
}

/**
 * A real AbortSignal, as `fetch` insists on, that follows the caller's, which may be a look-alike, and that can be
 * aborted on its own when a caller loses interest.
 */
export function linkedAbort(outer: AbortSignalLike | undefined): LinkedAbort {
  const controller = new AbortController()
  const follow = (): void => {
    try {
      outer?.throwIfAborted()
    } catch (reason) {
      controller.abort(reason)
    }
  }
  const unlink = outer === undefined ? () => undefined : onAbort(outer, follow)
  follow()
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink,
  }
}
