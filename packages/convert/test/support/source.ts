import { KilnError, type ByteSource } from 'kiln-format'

/** Bytes in memory as a source that knows what was read of it, and whether it was closed. */
export interface TestSource extends ByteSource {
  readonly reads: (readonly [offset: number, length: number])[]
  closed: number
}

/** Gives each read a copy at an odd offset of its buffer, as a source may, and checks that it lies inside. */
export function source(bytes: Uint8Array, label = 'test'): TestSource {
  const reads: [number, number][] = []
  return {
    size: bytes.length,
    label,
    reads,
    closed: 0,
    read(offset, length) {
      if (!(Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0)) {
        throw new Error(`read(${offset}, ${length}) of ${label}`)
      }
      if (offset + length > bytes.length) {
        return Promise.reject(new KilnError('EOF', `${length} bytes from ${offset}, there are ${bytes.length}`, offset))
      }
      reads.push([offset, length])
      const copy = new Uint8Array(length + 8).subarray(3, 3 + length)
      copy.set(bytes.subarray(offset, offset + length))
      return Promise.resolve(copy)
    },
    close() {
      this.closed++
      return Promise.resolve()
    },
  }
}

/** The most bytes that were asked for at once. */
export function longestRead({ reads }: TestSource): number {
  return Math.max(0, ...reads.map(([, length]) => length))
}
