import type { ByteSink } from 'kiln-format'

/** A sink in memory that knows what became of it. */
export interface TestSink extends ByteSink {
  readonly chunks: Uint8Array[]
  state: 'open' | 'closed' | 'aborted'
  bytes(): Uint8Array
}

export function sink(): TestSink {
  const chunks: Uint8Array[] = []
  return {
    chunks,
    state: 'open',
    write(chunk) {
      if (this.state !== 'open') throw new Error(`a write after the sink was ${this.state}`)
      chunks.push(chunk.slice())
      return Promise.resolve()
    },
    close() {
      this.state = 'closed'
      return Promise.resolve()
    },
    abort() {
      if (this.state === 'open') this.state = 'aborted'
      return Promise.resolve()
    },
    bytes() {
      return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))
    },
  }
}
