import { KilnError } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import type { ZipEntry } from './entry.js'

/** A member of a zip as a source of its own, whose checksum can be compared. */
export interface MemberSource extends ByteSource {
  /** Reads on to the end of the member and compares its CRC-32: `CHECKSUM`. */
  finish(options?: ReadOptions): Promise<void>
}

export function checkCrc(crc: number, entry: ZipEntry): void {
  if (crc === entry.crc) return
  const hex = (value: number): string => value.toString(16).padStart(8, '0')
  throw new KilnError(
    'CHECKSUM',
    `${quoted(entry.name)} has the CRC-32 ${hex(crc)}, and the zip says ${hex(entry.crc)}`,
    entry.headerStart,
  )
}

export function checkRange(offset: number, length: number, { name, size }: ZipEntry): void {
  if (offset >= 0 && length >= 0 && offset + length <= size) return
  throw new KilnError('EOF', `${quoted(name)}: ${length} bytes from byte ${offset} asked for, it has ${size}`, offset)
}
