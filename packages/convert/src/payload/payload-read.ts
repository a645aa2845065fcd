import { KilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import type { ForeignTensor } from '../model.js'

/** `ForeignTensor.read` for a payload that lies in the source as Kiln has it, from `start` on. */
export function payloadRead(source: ByteSource, start: number, byteLength: number): NonNullable<ForeignTensor['read']> {
  return async (offset: number, length: number, options?: ReadOptions) => {
    const inside = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0 && length <= byteLength - offset
    if (!inside) {
      throw new KilnError('EOF', `${length} bytes from byte ${offset} of a payload asked for, it has ${byteLength}`)
    }
    return source.read(start + offset, length, options)
  }
}
