import type { AbortSignalLike } from './source.js'

/** Settles as the promise does, or rejects with the signal's reason when it aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignalLike | undefined): Promise<T> {
  if (signal === undefined) return promise
  let onAbort = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      try {
        signal.throwIfAborted()
      } catch (reason) {
        // The signal's reason is the caller's own value.
        reject(reason)
      }
    }
    signal.addEventListener('abort', onAbort)
    onAbort()
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
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
  outer?.addEventListener('abort', follow)
  follow()
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => outer?.removeEventListener('abort', follow),
  }
}
