import { checkMemory, toBytes } from '../bytes/input.js'
import type { ByteInput } from '../frozen/decode.js'
import { signalOf } from './abort.js'
import { checkRange } from './range.js'
import type { ByteSource } from './source.js'

/**
 * A source over bytes in memory. Nothing is copied: what is read borrows them, so leave them as they are. `TYPE` for
 * what is no bytes.
 */
export function bytesSource(bytes: ByteInput, label = 'bytes'): ByteSource {
  const all = toBytes(bytes)
  const size = all.length
  return {
    size,
    label,
    async read(offset, length, options) {
      signalOf(options)
      checkRange({ size, label }, offset, length)
      if (length === 0) return new Uint8Array(0)
      checkMemory(all, size)
      return all.subarray(offset, offset + length)
    },
  }
}
