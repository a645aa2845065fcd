/** Payloads from here on are not kept: reading them again costs little beside using them. */
const LARGEST = 2 ** 20

/**
 * The payloads used last, up to a number of bytes in all. What goes in and what comes out is copied: a caller may write
 * to what it has loaded.
 */
export class PayloadCache {
  readonly #limit: number
  #size = 0
  // A Map keeps the order in which keys were set, so the first is the one used longest ago.
  readonly #payloads = new Map<number, Uint8Array>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(index: number): Uint8Array | undefined {
    const payload = this.#payloads.get(index)
    if (payload === undefined) return undefined
    this.#payloads.delete(index)
    this.#payloads.set(index, payload)
    return payload.slice()
  }

  set(index: number, payload: Uint8Array): void {
    if (payload.length > Math.min(LARGEST, this.#limit) || this.#payloads.has(index)) return
    for (const [oldest, bytes] of this.#payloads) {
      if (this.#size + payload.length <= this.#limit) break
      this.#payloads.delete(oldest)
      this.#size -= bytes.length
    }
    // Not payload.slice(): that of a Buffer shares its memory.
    this.#payloads.set(index, Uint8Array.prototype.slice.call(payload))
    this.#size += payload.length
  }
}
