/** A source of numbers that are the same on every run with the same seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A 32-bit unsigned number. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) % 2 ** 32
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return this.word() % bound
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256))
  }

  hex(count: number): string {
    return Buffer.from(this.bytes(count)).toString('hex')
  }

  /** `make` called 0 to `most` times. */
  many<T>(most: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.below(most + 1) }, (_, i) => make(i))
  }
}
