import { crc32 } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import { rangeChunks } from '../payload/range-chunks.js'
import type { ZipEntry } from './entry.js'
import { checkCrc, checkRange } from './member-source.js'
import type { MemberSource } from './member-source.js'

/**
 * A stored member: ranges of the zip. The checksum goes along with reads that follow one another, and
 * `finish` reads what they left out, so that reading front to back reads everything once.
 */
export function storedMember(source: ByteSource, entry: ZipEntry, dataStart: number): MemberSource {
  let crc = 0
  let checked = 0
  return {
    size: entry.size,
    label: entry.name,
    async read(offset: number, length: number, options?: ReadOptions) {
      checkRange(offset, length, entry)
      const bytes = await source.read(dataStart + offset, length, options)
      if (offset <= checked && offset + length > checked) {
        crc = crc32(bytes.subarray(checked - offset), crc)
        checked = offset + length
      }
      return bytes
    },
    async finish(options?: ReadOptions) {
      for await (const bytes of rangeChunks(source, dataStart + checked, entry.size - checked, options)) {
        crc = crc32(bytes, crc)
      }
      checked = entry.size
      checkCrc(crc, entry)
    },
  }
}
