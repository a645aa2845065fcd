import { isAllZero } from './bytes.js'
import { crc32 } from './crc32.js'
import { type Directory, payloadOf } from './directory-read.js'
import { must } from './error.js'

/** What reading leaves unread (FORMAT §4): gaps and checksums, payload by payload, then the rest. */
export function verifyDirectory(directory: Directory): void {
  const { header, descriptors, block } = directory
  let end = header.payloadBase
  for (const descriptor of descriptors) {
    const start = header.payloadBase + descriptor.byteOffset
    must(isAllZero(block.slice(Number(end), Number(start))), 'FRAME', 'a byte in the gap before a payload')
    if (descriptor.checksum !== undefined) {
      must(crc32(payloadOf(directory, descriptor)) === descriptor.checksum, 'CHECKSUM', 'a payload')
    }
    end = start + descriptor.byteLength
  }
  must(isAllZero(block.slice(Number(end))), 'FRAME', 'a byte after the last payload')
}
