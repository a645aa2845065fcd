import { KilnError } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import { DESCRIPTOR, ENCRYPTED, hasFlag, methodName, zip64Values } from './entry.js'
import type { ZipEntry } from './entry.js'

const HEADER = 0x04034b50
const HEADER_SIZE = 30

/**
 * Compares a member's own header with the directory and returns where its data begins. Another name,
 * method, size or checksum is `FRAME`; with a data descriptor the header may leave sizes and checksum 0.
 * `limit` is where the next member, or the directory, begins: data past it is `TYPE`.
 */
export async function dataStartOf(
  source: ByteSource,
  entry: ZipEntry,
  limit: number,
  options: ReadOptions,
): Promise<number> {
  const { headerStart, name } = entry
  const bytes = await source.read(headerStart, HEADER_SIZE + entry.nameBytes.length, options)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== HEADER) {
    throw new KilnError('FRAME', `there is no member where the zip's directory has ${quoted(name)}`, headerStart)
  }
  const differs = (what: string): KilnError =>
    new KilnError('FRAME', `the header of ${quoted(name)} and the zip's directory have another ${what}`, headerStart)
  const flags = view.getUint16(6, true)
  const nameLength = view.getUint16(26, true)
  const sameName =
    nameLength === entry.nameBytes.length && entry.nameBytes.every((byte, i) => bytes[HEADER_SIZE + i] === byte)
  if (!sameName) throw differs('name')
  const method = view.getUint16(8, true)
  if (method !== entry.method) throw differs(`method: ${methodName(method)} and ${methodName(entry.method)}`)
  if (hasFlag(flags, ENCRYPTED) !== hasFlag(entry.flags, ENCRYPTED)) throw differs('mark of encryption')

  const extraLength = view.getUint16(28, true)
  const dataStart = headerStart + HEADER_SIZE + nameLength + extraLength
  if (dataStart + entry.compressedSize > limit) {
    throw new KilnError('TYPE', `${quoted(name)} lies over what follows it in the zip`, headerStart)
  }
  const extra = await source.read(dataStart - extraLength, extraLength, options)
  const sizes = zip64Values([view.getUint32(22, true), view.getUint32(18, true)], extra)
  if (sizes === undefined)
    throw new KilnError('FRAME', `the header of ${quoted(name)} lacks its ZIP64 sizes`, headerStart)
  const [size, compressedSize] = sizes
  const crc = view.getUint32(14, true)
  const left = hasFlag(flags, DESCRIPTOR)
  const same = (value: number | undefined, truth: number): boolean => value === truth || (left && value === 0)
  if (!same(size, entry.size) || !same(compressedSize, entry.compressedSize)) throw differs('size')
  if (!same(crc, entry.crc)) throw differs('checksum')
  return dataStart
}
