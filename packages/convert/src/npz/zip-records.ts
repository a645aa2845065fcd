import { DEFLATED, DESCRIPTOR, IN_EXTRA, UTF8_NAME, ZIP64_EXTRA } from './entry.js'

/*
 * The records of a zip that is written, little-endian. All are of the same form whatever the values, but
 * for ZIP64: a value that does not fit into its 32 or 16 bits goes into a longer field, and only such.
 */

/** A member that is written. */
export interface WrittenMember {
  readonly nameBytes: Uint8Array
  readonly method: number
  readonly size: number
  readonly headerStart: number
  /** Whether checksum and compressed size follow the data, because they were not known before. */
  readonly descriptor: boolean
  /** Whether sizes of that member have 64 bits in its own header and descriptor. */
  readonly zip64: boolean
  readonly crc: number
  readonly compressedSize: number
}

const LOCAL = 0x04034b50
const DESCRIPTOR_MARK = 0x08074b50
const ENTRY = 0x02014b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const END = 0x06054b50
const IN_END64 = 0xffff

const VERSION = 20
const VERSION_ZIP64 = 45
/** Made on Unix, so that the mode below counts: unpacked files are readable. */
const MADE_ON_UNIX = 3 * 256
const MODE = 0o100644 * 65_536
/** 1 January 1980, the first day that a zip knows: the same tensors give the same bytes whenever they are written. */
const DATE = 0x0021

/** Bytes of the given widths, one after the other. */
function packed(fields: readonly (readonly [width: 2 | 4 | 8, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else if (width === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += width
  }
  return bytes
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function extra64(values: readonly number[]): Uint8Array {
  if (values.length === 0) return new Uint8Array(0)
  return packed([[2, ZIP64_EXTRA], [2, values.length * 8], ...values.map((value) => [8, value] as const)])
}

/** A mark is needed for names beyond ASCII: without it they are of code page 437. */
function flagsOf({ nameBytes, descriptor }: WrittenMember): number {
  return (descriptor ? DESCRIPTOR : 0) + (nameBytes.some((byte) => byte > 0x7f) ? UTF8_NAME : 0)
}

/** What stands before a member's data. */
export function localHeader(member: WrittenMember): Uint8Array {
  const { nameBytes, method, size, compressedSize, crc, descriptor, zip64 } = member
  // With a descriptor all three are 0 here, as the zip specification has it.
  const sizes = descriptor ? [0, 0] : [size, compressedSize]
  const extra = extra64(zip64 ? sizes : [])
  const head = packed([
    [4, LOCAL],
    [2, zip64 ? VERSION_ZIP64 : VERSION],
    [2, flagsOf(member)],
    [2, method],
    [2, 0],
    [2, DATE],
    [4, descriptor ? 0 : crc],
    [4, zip64 ? IN_EXTRA : sizes[1]!],
    [4, zip64 ? IN_EXTRA : sizes[0]!],
    [2, nameBytes.length],
    [2, extra.length],
  ])
  return joined(head, nameBytes, extra)
}

/** Where in a member's header the checksum stands. */
export const CRC_OFFSET = 14

export function crcBytes(crc: number): Uint8Array {
  return packed([[4, crc]])
}

/** What stands after a member's data, where its checksum was not known before. */
export function descriptorOf({ crc, compressedSize, size, zip64 }: WrittenMember): Uint8Array {
  const width = zip64 ? 8 : 4
  return packed([
    [4, DESCRIPTOR_MARK],
    [4, crc],
    [width, compressedSize],
    [width, size],
  ])
}

/** A member's entry in the directory. */
export function directoryEntry(member: WrittenMember): Uint8Array {
  const { nameBytes, method, size, compressedSize, crc, headerStart, zip64 } = member
  const over = (value: number): boolean => value >= IN_EXTRA
  const field = (value: number): number => (over(value) ? IN_EXTRA : value)
  const extra = extra64([size, compressedSize, headerStart].filter(over))
  const version = zip64 || extra.length > 0 ? VERSION_ZIP64 : VERSION
  const head = packed([
    [4, ENTRY],
    [2, MADE_ON_UNIX + version],
    [2, version],
    [2, flagsOf(member)],
    [2, method],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, field(compressedSize)],
    [4, field(size)],
    [2, nameBytes.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, MODE],
    [4, field(headerStart)],
  ])
  return joined(head, nameBytes, extra)
}

/** The end of the archive, after a directory that begins at `start`. */
export function endRecords(entries: number, start: number, size: number): Uint8Array {
  const zip64 = entries >= IN_END64 || start >= IN_EXTRA || size >= IN_EXTRA
  const count = Math.min(entries, IN_END64)
  const end = packed([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, Math.min(size, IN_EXTRA)],
    [4, Math.min(start, IN_EXTRA)],
    [2, 0],
  ])
  if (!zip64) return end
  const end64 = packed([
    [4, END64],
    // The bytes of this record after this number.
    [8, 44],
    [2, MADE_ON_UNIX + VERSION_ZIP64],
    [2, VERSION_ZIP64],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, size],
    [8, start],
  ])
  const locator = packed([
    [4, LOCATOR64],
    [4, 0],
    [8, start + size],
    [4, 1],
  ])
  return joined(end64, locator, end)
}

/**
 * Whether a member needs 64-bit sizes: its own, or what it may come to when deflated, is no 32-bit number.
 * fflate falls back to stored blocks of at least 7,000 bytes with 5 more each, so it never adds 0.1 %.
 */
export function needsZip64(size: number, method: number): boolean {
  const most = method === DEFLATED ? size + Math.ceil(size / 1000) + 65_536 : size
  return most >= IN_EXTRA
}
