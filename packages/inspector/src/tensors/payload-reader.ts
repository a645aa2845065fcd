import type { ViewTensor } from '../model/opened-file.js'

/** Payloads up to here are read as a whole and kept while their tensor is looked at. */
const WHOLE = 16 * 2 ** 20
/** Of a payload that comes only from its front on, so much is kept. */
const MOST_KEPT = 256 * 2 ** 20

/** Parts of one tensor's payload, wherever they lie; small payloads are read once. */
export class PayloadReader {
  readonly tensor: ViewTensor
  #whole: Promise<Uint8Array> | undefined

  constructor(tensor: ViewTensor) {
    this.tensor = tensor
  }

  /** Whether a part costs as much as all that lies before it. */
  get fromFrontOnly(): boolean {
    return this.tensor.read === undefined && this.tensor.byteLength > WHOLE
  }

  async read(offset: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const { byteLength, read } = this.tensor
    if (read !== undefined && byteLength > WHOLE) return read(offset, length, { signal })
    if (byteLength > MOST_KEPT) return this.#fromFront(offset, length, signal)
    // Reading the whole is not ended with the view that first asked for it: the next one wants it too.
    this.#whole ??= collect(this.tensor)
    try {
      return (await this.#whole).subarray(offset, offset + length)
    } catch (error) {
      this.#whole = undefined
      throw error
    }
  }

  async #fromFront(offset: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const part = new Uint8Array(length)
    let at = 0
    for await (const piece of this.tensor.chunks({ signal })) {
      const from = Math.max(offset - at, 0)
      if (from < piece.length)
        part.set(piece.subarray(from, Math.min(piece.length, offset + length - at)), at + from - offset)
      at += piece.length
      if (at >= offset + length) break
    }
    return part
  }
}

async function collect(tensor: ViewTensor): Promise<Uint8Array> {
  const all = new Uint8Array(tensor.byteLength)
  let at = 0
  for await (const piece of tensor.chunks()) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
