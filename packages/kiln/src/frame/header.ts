import { align64 } from '../bytes/align.js'
import { readU64, writeU64 } from '../bytes/u64.js'
import { KilnError } from '../errors/kiln-error.js'
import { MAX_TEXT_BYTES } from '../schema/rules.js'
import * as frameFields from './frame-fields.js'

/** Bytes of a frame's header without a schema (FORMAT §6). */
export const FRAME_HEADER_SIZE = 32
/** `KILF`, as a little-endian u32. */
export const FRAME_MAGIC = 0x464c494b
const VERSION = 1

/** Bits of the frame's flags. */
export const FLAG_SCHEMA = 1
export const FLAG_CHECKSUM = 2

const MAX_HEADER_SIZE = align64(FRAME_HEADER_SIZE + MAX_TEXT_BYTES)

/** What the fixed part of a frame's header says. */
export interface FrameHeader {
  readonly flags: number
  /** Bytes from the frame's first to the body's first. */
  readonly headerSize: number
  /** The CRC-32 of the body as stored, or 0. */
  readonly checksum: number
  readonly hash: bigint
  /** Bytes; over 2^53 − 1 it is rounded, and never available. */
  readonly bodyLength: number
}

/**
 * Reads the header at `at` by FORMAT §6 step 1. `available` are the bytes from `at` to the end of what there is;
 * `Infinity` for a stream, which waits for the rest.
 */
export function readFixedHeader(view: DataView, at: number, available: number): FrameHeader {
  if (available < FRAME_HEADER_SIZE) {
    throw new KilnError('EOF', `a frame's header takes ${FRAME_HEADER_SIZE} bytes, ${available} left`, at)
  }
  const frame = (field: number, detail: string): KilnError => new KilnError('FRAME', detail, at + field)
  if (view.getUint32(at, true) !== FRAME_MAGIC) {
    throw frame(frameFields.magic, 'a frame begins with the four bytes KILF; this is something else')
  }
  const version = view.getUint8(at + frameFields.version)
  if (version !== VERSION) throw frame(frameFields.version, `frame version ${version}; this library reads version ${VERSION}`)
  const flags = view.getUint8(at + frameFields.flags)
  if (flags > (FLAG_SCHEMA | FLAG_CHECKSUM)) throw frame(frameFields.flags, `unknown flag bits in ${flags}`)
  if (view.getUint16(at + frameFields.reserved, true) !== 0) throw frame(frameFields.reserved, 'reserved bytes must be 0')
  const headerSize = view.getUint32(at + frameFields.headerSize, true)
  const withSchema = (flags & FLAG_SCHEMA) !== 0
  if (withSchema ? headerSize === 0 || headerSize % 64 !== 0 : headerSize !== FRAME_HEADER_SIZE) {
    const want = withSchema ? 'with a schema it is a multiple of 64' : `without a schema it is ${FRAME_HEADER_SIZE}`
    throw frame(frameFields.headerSize, `header_size is ${headerSize}; ${want}`)
  }
  const checksum = view.getUint32(at + frameFields.checksum, true)
  if ((flags & FLAG_CHECKSUM) === 0 && checksum !== 0) throw frame(frameFields.checksum, 'a checksum stands without its flag')
  if (headerSize > MAX_HEADER_SIZE) {
    throw new KilnError('LIMIT', `header_size ${headerSize} is over ${MAX_HEADER_SIZE}, what the longest schema text takes`, at + frameFields.headerSize)
  }
  if (headerSize > available) {
    throw new KilnError('EOF', `the frame's header takes ${headerSize} bytes, ${available} left`, at)
  }
  return {
    flags,
    headerSize,
    checksum,
    hash: view.getBigUint64(at + frameFields.hash, true),
    bodyLength: readU64(view, at + frameFields.bodyLength),
  }
}

/** Bytes of a header with this schema text, or without one. */
export function headerSizeFor(text: string | undefined): number {
  return text === undefined ? FRAME_HEADER_SIZE : align64(FRAME_HEADER_SIZE + text.length)
}

/** Writes the fixed part of a header over bytes that are zero. */
export function writeFixedHeader(view: DataView, header: FrameHeader): void {
  view.setUint32(frameFields.magic, FRAME_MAGIC, true)
  view.setUint8(frameFields.version, VERSION)
  view.setUint8(frameFields.flags, header.flags)
  view.setUint32(frameFields.headerSize, header.headerSize, true)
  view.setUint32(frameFields.checksum, header.checksum, true)
  view.setBigUint64(frameFields.hash, header.hash, true)
  writeU64(view, frameFields.bodyLength, header.bodyLength)
}
