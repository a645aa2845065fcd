import { Deflate } from 'fflate'

export type DeflateLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** Deflates bytes front to back; at most a window of them is held. */
export class Deflater {
  private readonly deflate: Deflate
  private made: Uint8Array[] = []

  constructor(level: DeflateLevel) {
    this.deflate = new Deflate({ level }, (piece) => {
      if (piece.length > 0) this.made.push(piece)
    })
  }

  /** Takes bytes, which it copies, and returns what is ready. */
  push(bytes: Uint8Array): Uint8Array[] {
    this.deflate.push(bytes)
    return this.taken()
  }

  /** The rest, after the last bytes. */
  end(): Uint8Array[] {
    this.deflate.push(new Uint8Array(0), true)
    return this.taken()
  }

  private taken(): Uint8Array[] {
    const { made } = this
    this.made = []
    return made
  }
}
