import { allocate } from '../bytes/allocate.js'
import type { OwnBytes } from '../bytes/host.js'
import { toBytes } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkRange } from './range.js'
import type { ByteSink } from './sink.js'

/** A sink that keeps what is written in memory. */
export interface BytesSink extends ByteSink {
  /** Bytes written so far. */
  readonly size: number
  patch(offset: number, bytes: Uint8Array): Promise<void>
  /** All that was written, in bytes of their own; `TYPE` before `close` has resolved, or after `abort`. */
  bytes(): OwnBytes
}

/** A sink in memory, for bytes that are to be sent or kept there. A host that can't hold more is `LIMIT`. */
export function bytesSink(): BytesSink {
  let buffer = new Uint8Array(1024)
  let size = 0
  let state: 'open' | 'closed' | 'aborted' = 'open'

  function checkOpen(): void {
    if (state !== 'open') throw new KilnError('TYPE', `the sink is ${state}; nothing more can be written`)
  }

  return {
    get size() {
      return size
    },
    async write(chunk, options) {
      options?.signal?.throwIfAborted()
      checkOpen()
      const bytes = toBytes(chunk)
      if (size + bytes.length > buffer.length) {
        const grown = allocate(Uint8Array, Math.max(size + bytes.length, buffer.length * 2))
        grown.set(buffer.subarray(0, size))
        buffer = grown
      }
      buffer.set(bytes, size)
      size += bytes.length
    },
    async patch(offset, given) {
      checkOpen()
      const bytes = toBytes(given)
      checkRange({ size, label: 'the sink' }, offset, bytes.length)
      buffer.set(bytes, offset)
    },
    async close() {
      if (state === 'aborted') throw new KilnError('TYPE', 'the sink was aborted; what was written is gone')
      state = 'closed'
    },
    async abort() {
      if (state === 'closed') return
      state = 'aborted'
      buffer = new Uint8Array(0)
      size = 0
    },
    bytes() {
      if (state !== 'closed') throw new KilnError('TYPE', `the sink is ${state}; its bytes are there once it is closed`)
      return Uint8Array.prototype.slice.call(buffer, 0, size) as OwnBytes
    },
  }
}
