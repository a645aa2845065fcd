/** The part of the platform's AbortSignal that Kiln uses. Any AbortSignal fits. */
export interface AbortSignalLike {
  readonly aborted: boolean
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** What every asynchronous call takes. */
export interface ReadOptions {
  /** Ends the call early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignalLike | undefined
}

/**
 * Bytes that can be read by position: a file, a Blob, a URL, or bytes in memory.
 *
 * Ranges are a start and a length in bytes, never an end. `size` is up to 2^53 − 1.
 */
export interface ByteSource {
  /** Bytes in all. */
  readonly size: number
  /** What to call it in messages: a path, a URL, `bytes`. */
  readonly label: string
  /**
   * For a source whose reads are dear, such as a URL's: bytes that one read had better ask for. Who goes through
   * a long range then reads in steps of this.
   */
  readonly readSize?: number | undefined
  /**
   * Exactly `length` bytes from `offset`. Asking beyond `size` is `EOF`, before anything is read or
   * allocated. What comes back may borrow the source's memory: don't write to it.
   */
  read(offset: number, length: number, options?: ReadOptions): Promise<Uint8Array>
  /** Lets go of the handle, if there is one; a second call does nothing. */
  close?(): Promise<void>
}
