import { bytesSource, type ByteSource, type ReadOptions } from 'kiln-format'

/** A source that notes what is read of it. */
export interface CountedSource extends ByteSource {
  readonly reads: { readonly offset: number; readonly length: number }[]
  /** Bytes read in all. */
  readonly total: number
  readonly closed: number
}

/** Any source, with its reads noted. */
export function counted(source: ByteSource | Uint8Array): CountedSource {
  const inner = source instanceof Uint8Array ? bytesSource(source) : source
  const reads: { offset: number; length: number }[] = []
  let closed = 0
  return {
    size: inner.size,
    label: inner.label,
    readSize: inner.readSize,
    reads,
    get total() {
      return reads.reduce((sum, { length }) => sum + length, 0)
    },
    get closed() {
      return closed
    },
    read(offset: number, length: number, options?: ReadOptions) {
      reads.push({ offset, length })
      return inner.read(offset, length, options)
    },
    async close() {
      closed++
      await inner.close?.()
    },
  }
}

/** A source whose bytes come as slices at an odd place of larger buffers, a moment later. */
export function askew(bytes: Uint8Array, by = 3): ByteSource {
  return {
    size: bytes.length,
    label: 'askew',
    async read(offset, length) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      const buffer = new Uint8Array(length + by)
      buffer.set(bytes.subarray(offset, offset + length), by)
      return buffer.subarray(by)
    },
  }
}
