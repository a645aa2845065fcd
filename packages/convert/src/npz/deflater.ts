import { Deflate } from 'fflate'

export type DeflateLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** Bytes that are deflated at once. What comes out depends on where they are parted, so they always are here. */
const BLOCK = 2 ** 16

/**
 * Deflates bytes front to back; a block and the library's window of them are held. However the bytes come,
 * the same bytes are deflated to the same.
 */
export class Deflater {
  private readonly deflate: Deflate
  private readonly block = new Uint8Array(BLOCK)
  private filled = 0
  private made: Uint8Array[] = []

  constructor(level: DeflateLevel) {
    this.deflate = new Deflate({ level }, (piece) => {
      if (piece.length > 0) this.made.push(piece)
    })
  }

  /** Takes bytes, which it copies, and returns what is ready. */
  push(bytes: Uint8Array): Uint8Array[] {
    for (let at = 0; at < bytes.length;) {
      const take = Math.min(BLOCK - this.filled, bytes.length - at)
      this.block.set(bytes.subarray(at, at + take), this.filled)
      this.filled += take
      at += take
      if (this.filled < BLOCK) break
      this.deflate.push(this.block)
      this.filled = 0
    }
    return this.taken()
  }

  /** The rest, after the last bytes. */
  end(): Uint8Array[] {
    this.deflate.push(this.block.subarray(0, this.filled), true)
    return this.taken()
  }

  private taken(): Uint8Array[] {
    const { made } = this
    this.made = []
    return made
  }
}
