import { dtypeOf, type DtypeName } from 'kiln-format'
import { pairedChunks } from './paired-chunks.js'

/** How two payloads of one dtype and shape differ, bit for bit. */
export interface BitDifference {
  /** Elements, or for ggml's dtypes blocks, whose bits differ. */
  readonly count: number
  /** The first of them, counted in row-major order. */
  readonly first: number
}

/** Compares the bits of two payloads piece by piece. Undefined if they are the same. */
export async function bitDifference(
  dtypeName: DtypeName,
  one: AsyncIterable<Uint8Array>,
  other: AsyncIterable<Uint8Array>,
  passed: (bytes: number) => void,
): Promise<BitDifference | undefined> {
  const counter = new ElementCounter(dtypeOf(dtypeName).blockBits)
  let offset = 0
  for await (const [a, b] of pairedChunks(one, other)) {
    if (Buffer.compare(a, b) !== 0) {
      for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) counter.add(offset + i, a[i]!, b[i]!)
    }
    offset += a.length
    passed(a.length)
  }
  return counter.first === undefined ? undefined : { count: counter.count, first: counter.first }
}

/** Counts elements by the bytes that differ, which come in order; each element once. */
class ElementCounter {
  count = 0
  first: number | undefined
  #last = -1
  readonly #bits: number

  constructor(bits: number) {
    this.#bits = bits
  }

  add(offset: number, one: number, other: number): void {
    if (this.#bits % 8 === 0) {
      this.#mark(Math.floor(offset / (this.#bits / 8)))
      return
    }
    for (let bit = 0; bit < 8; bit++) {
      const differs = Math.floor(one / 2 ** bit) % 2 !== Math.floor(other / 2 ** bit) % 2
      if (differs) this.#mark(Math.floor((offset * 8 + bit) / this.#bits))
    }
  }

  #mark(element: number): void {
    if (element === this.#last) return
    this.#last = element
    this.count++
    this.first ??= element
  }
}
