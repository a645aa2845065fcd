import type { ByteSource } from 'kiln-format'
import { memorySource } from './memory.js'

/** A source in memory that knows every range that was read of it, and whether it was closed. */
export interface TestSource extends ByteSource {
  readonly ranges: (readonly [offset: number, length: number])[]
  closed: number
}

export function source(bytes: Uint8Array, label = 'test'): TestSource {
  const memory = memorySource(bytes, label)
  const ranges: [number, number][] = []
  return {
    size: memory.size,
    label,
    ranges,
    closed: 0,
    read(offset, length, options) {
      ranges.push([offset, length])
      return memory.read(offset, length, options)
    },
    close() {
      this.closed++
      return Promise.resolve()
    },
  }
}
