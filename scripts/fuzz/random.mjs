/** Draws that are the same for the same seed (mulberry32). */
export class Random {
  #state

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** An integer from 0 up to `below`. @param {number} below */
  int(below) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }

  /** @param {number} oneIn */
  chance(oneIn) {
    return this.int(oneIn) === 0
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  of(items) {
    return items[this.int(items.length)]
  }

  /** @param {number} length */
  bytes(length) {
    return Uint8Array.from({ length }, () => this.int(256))
  }
}
