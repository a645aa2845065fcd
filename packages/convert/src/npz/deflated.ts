import type { ByteSource, ReadOptions } from 'kiln-format'
import type { ZipEntry } from './entry.js'
import { Inflater } from './inflater.js'
import { checkRange } from './member-source.js'
import type { MemberSource } from './member-source.js'

/**
 * A deflated member as a source. Reads that go forward inflate it once; a read before the last one's
 * start inflates it from the beginning again. One reader at a time, and at most one piece is held.
 */
export function deflatedMember(source: ByteSource, entry: ZipEntry, dataStart: number): MemberSource {
  let inflater = new Inflater(source, entry, dataStart)
  let piece: Uint8Array = new Uint8Array(0)
  let pieceStart = 0

  async function advance(options: ReadOptions | undefined): Promise<boolean> {
    const next = await inflater.next(options)
    pieceStart += piece.length
    piece = next ?? new Uint8Array(0)
    return next !== undefined
  }

  return {
    size: entry.size,
    label: entry.name,
    async read(offset: number, length: number, options?: ReadOptions) {
      checkRange(offset, length, entry)
      if (offset < pieceStart) {
        inflater = new Inflater(source, entry, dataStart)
        piece = new Uint8Array(0)
        pieceStart = 0
      }
      let bytes: Uint8Array | undefined
      for (let done = 0; done < length;) {
        const at = offset + done - pieceStart
        if (at >= piece.length) {
          await advance(options)
          continue
        }
        const part = piece.subarray(at, at + length - done)
        if (part.length === length) return part
        bytes ??= new Uint8Array(length)
        bytes.set(part, done)
        done += part.length
      }
      return bytes ?? new Uint8Array(0)
    },
    async finish(options?: ReadOptions) {
      while (await advance(options));
    },
  }
}
