/** Bytes of a piece: large enough for a sink or a socket, small beside any tensor worth streaming. */
const PIECE = 262_144

/** Puts small runs of bytes together to pieces of 256 KiB, the last one shorter. Each piece is memory of its own. */
export class BytePieces {
  #piece: Uint8Array | undefined
  #length = 0
  #full: Uint8Array[] = []

  /** Adds bytes, which are copied. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      this.#piece ??= new Uint8Array(PIECE)
      const length = Math.min(PIECE - this.#length, bytes.length - at)
      this.#piece.set(bytes.subarray(at, at + length), this.#length)
      this.#length += length
      at += length
      if (this.#length === PIECE) this.#close()
    }
  }

  /** The pieces that are full, once each. */
  take(): Uint8Array[] {
    const full = this.#full
    this.#full = []
    return full
  }

  /** What is left, full or not. */
  end(): Uint8Array[] {
    if (this.#length > 0) this.#close()
    return this.take()
  }

  #close(): void {
    this.#full.push(this.#piece!.subarray(0, this.#length))
    this.#piece = undefined
    this.#length = 0
  }
}
