import type { ReadOptions } from './source.js'

/**
 * Where bytes are written to, front to back.
 *
 * `write` takes a chunk and resolves when the next may come (back-pressure). The chunk is the
 * caller's again once it has resolved, so a sink that keeps bytes copies them. Nothing that was
 * written counts until `close` has resolved; `abort` drops it all.
 */
export interface ByteSink {
  write(chunk: Uint8Array, options?: ReadOptions): Promise<void>
  /**
   * Writes over bytes that were written before, from `offset` on; the place of the next `write` stays. A sink that
   * can't go back has no such method, and a writer that needs to know more than it does at the start then goes
   * through its input twice.
   */
  patch?(offset: number, bytes: Uint8Array, options?: ReadOptions): Promise<void>
  /** Makes what was written final. */
  close(): Promise<void>
  /** Drops what was written; a second call, or one after `close`, does nothing. */
  abort(reason?: unknown): Promise<void>
}
