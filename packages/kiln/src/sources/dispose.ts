/// <reference lib="esnext.disposable" preserve="true" />

/**
 * `Symbol.asyncDispose`, by which `await using` closes things. Where the platform has none yet nobody can use it,
 * and the method just isn't found.
 */
export const asyncDispose: typeof Symbol.asyncDispose =
  (Symbol as Partial<typeof Symbol>).asyncDispose ?? (Symbol('asyncDispose') as typeof Symbol.asyncDispose)

/** Something with a handle behind it. `close` may be called twice; `await using` calls it too. */
export interface Closable {
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
