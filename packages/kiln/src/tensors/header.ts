import { align64, PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { overCap } from '../bytes/reader.js'
import { readU64, writeU64 } from '../bytes/u64.js'
import { KilnError } from '../errors/kiln-error.js'
import { DESCRIPTOR_SIZE } from './descriptor.js'
import * as headerFields from './header-fields.js'

/** Bytes of a directory's header (FORMAT §4). */
export const HEADER_SIZE = 64
/** A larger alignment that a bare directory may have is at most this. */
export const MAX_ALIGNMENT = 65_536

/** `KILT`, as a little-endian u32. */
export const DIRECTORY_MAGIC = 0x544c494b
const VERSION = 2

/** What a header says. All sizes are bytes, all within the input that was there. */
export interface DirectoryHeader {
  totalSize: number
  tensorCount: number
  heapSize: number
  payloadBase: number
}

/** Where the name heap begins, from the start of the block. */
export function heapStart(tensorCount: number): number {
  return HEADER_SIZE + DESCRIPTOR_SIZE * tensorCount
}

/** The `payload_base` of the canonical block (FORMAT §4, Valid and canonical). */
export function canonicalBase(tensorCount: number, heapSize: number): number {
  return align64(heapStart(tensorCount) + heapSize)
}

/**
 * Reads the header at `at` by FORMAT §4, steps 1 to 4. `available` are the bytes from `at` to the end of
 * the input, or of the source if only the front of it is here; `view` holds the 64 bytes if they are available. The answer goes to `into`.
 */
export function readHeader(view: DataView, at: number, available: number, cap: number, into: DirectoryHeader): void {
  if (available < HEADER_SIZE) {
    throw new KilnError('EOF', `a directory's header takes ${HEADER_SIZE} bytes, ${available} left`, at)
  }
  checkConstants(view, at)
  const tensorCount = view.getUint32(at + headerFields.tensorCount, true)
  if (tensorCount > cap) throw overCap(tensorCount, 'tensors', cap, 'tensors', at + headerFields.tensorCount)
  const heapSize = view.getUint32(at + headerFields.heapSize, true)
  const totalSize = readU64(view, at + headerFields.totalSize)
  if (totalSize > available) {
    throw new KilnError(
      'EOF',
      `the directory says that it takes ${totalSize} bytes, ${available} are left`,
      at + headerFields.totalSize,
    )
  }
  const payloadBase = readU64(view, at + headerFields.payloadBase)
  const heapEnd = heapStart(tensorCount) + heapSize
  if (
    payloadBase % PAYLOAD_ALIGNMENT !== 0 ||
    payloadBase < heapEnd ||
    payloadBase - heapEnd >= MAX_ALIGNMENT ||
    payloadBase > totalSize
  ) {
    throw new KilnError(
      'FRAME',
      `payload_base is ${payloadBase}; with ${tensorCount} tensors and ${heapSize} bytes of names it is a multiple of ` +
        `${PAYLOAD_ALIGNMENT} from ${heapEnd} on, less than ${MAX_ALIGNMENT} past it, within ${totalSize} bytes`,
      at + headerFields.payloadBase,
    )
  }
  into.totalSize = totalSize
  into.tensorCount = tensorCount
  into.heapSize = heapSize
  into.payloadBase = payloadBase
}

function checkConstants(view: DataView, at: number): void {
  const frame = (field: number, detail: string): KilnError => new KilnError('FRAME', detail, at + field)
  if (view.getUint32(at, true) !== DIRECTORY_MAGIC) {
    throw frame(headerFields.magic, 'a tensor directory begins with the four bytes KILT; this is something else')
  }
  const version = view.getUint8(at + headerFields.version)
  if (version !== VERSION) throw frame(headerFields.version, `directory version ${version}; this library reads version ${VERSION}`)
  const flags = view.getUint8(at + headerFields.flags)
  if (flags !== 0) throw frame(headerFields.flags, `the directory's flags are ${flags}, they must be 0`)
  if (view.getUint16(at + headerFields.reserved, true) !== 0) throw frame(headerFields.reserved, 'reserved bytes must be 0')
  for (let i = headerFields.reservedTail; i < HEADER_SIZE; i += 4) {
    if (view.getUint32(at + i, true) !== 0) throw frame(i, 'reserved bytes must be 0')
  }
}

/** Writes a header over 64 bytes that are zero. */
export function writeHeader(view: DataView, at: number, header: Readonly<DirectoryHeader>): void {
  view.setUint32(at + headerFields.magic, DIRECTORY_MAGIC, true)
  view.setUint8(at + headerFields.version, VERSION)
  writeU64(view, at + headerFields.totalSize, header.totalSize)
  view.setUint32(at + headerFields.tensorCount, header.tensorCount, true)
  view.setUint32(at + headerFields.heapSize, header.heapSize, true)
  writeU64(view, at + headerFields.payloadBase, header.payloadBase)
}
