import { KilnError } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'

/** Where the directory of a zip lies, and how many entries it has. */
export interface EndRecord {
  readonly entries: number
  readonly directoryStart: number
  readonly directorySize: number
  /** Bytes of the archive's comment. */
  readonly comment: number
}

const END = 0x06054b50
const END_SIZE = 22
const LOCATOR64 = 0x07064b50
const LOCATOR64_SIZE = 20
const END64 = 0x06064b50
const END64_SIZE = 56
const LONGEST_COMMENT = 65_535

/**
 * Finds the record at the end of a zip, and its 64-bit form where there is one: one or two reads. The
 * directory has to end exactly where the record begins, else `FRAME`, so that a file of which a part is
 * missing, or to which something was added, is not taken for another.
 */
export async function readEndRecord(source: ByteSource, options: ReadOptions): Promise<EndRecord> {
  const tailSize = Math.min(source.size, LONGEST_COMMENT + END_SIZE + LOCATOR64_SIZE + END64_SIZE)
  const tailStart = source.size - tailSize
  const tail = await source.read(tailStart, tailSize, options)
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  const at = findEnd(view)
  if (at === undefined) {
    throw new KilnError(
      'EOF',
      'the record at the end of a zip archive is not there: the file is cut short, or no zip',
      source.size,
    )
  }
  const comment = view.getUint16(at + 20, true)
  if (at >= LOCATOR64_SIZE && view.getUint32(at - LOCATOR64_SIZE, true) === LOCATOR64) {
    return readEnd64(source, view, at - LOCATOR64_SIZE, tailStart, comment, options)
  }
  checkOneDisk(view.getUint16(at + 4, true), view.getUint16(at + 6, true), tailStart + at)
  const onDisk = view.getUint16(at + 8, true)
  const record = {
    entries: view.getUint16(at + 10, true),
    directorySize: view.getUint32(at + 12, true),
    directoryStart: view.getUint32(at + 16, true),
    comment,
  }
  return checked(record, onDisk, tailStart + at)
}

/** The last place where a record may stand whose comment ends where the file does. */
function findEnd(view: DataView): number | undefined {
  for (let at = view.byteLength - END_SIZE; at >= 0; at--) {
    if (view.getUint32(at, true) !== END) continue
    if (at + END_SIZE + view.getUint16(at + 20, true) === view.byteLength) return at
  }
  return undefined
}

async function readEnd64(
  source: ByteSource,
  tail: DataView,
  locator: number,
  tailStart: number,
  comment: number,
  options: ReadOptions,
): Promise<EndRecord> {
  const end = tailStart + locator
  checkOneDisk(tail.getUint32(locator + 4, true), tail.getUint32(locator + 16, true) - 1, end)
  const start = Number(tail.getBigUint64(locator + 8, true))
  // The record ends at its locator; it may be longer than 56 bytes, by fields that nobody uses.
  if (!(start + END64_SIZE <= end))
    throw new KilnError('FRAME', 'the locator of a ZIP64 record points past itself', end)
  const bytes = await source.read(start, END64_SIZE, options)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== END64 || start + 12 + Number(view.getBigUint64(4, true)) !== end) {
    throw new KilnError('FRAME', 'there is no ZIP64 record where its locator points', start)
  }
  checkOneDisk(view.getUint32(16, true), view.getUint32(20, true), start)
  const record = {
    entries: Number(view.getBigUint64(32, true)),
    directorySize: Number(view.getBigUint64(40, true)),
    directoryStart: Number(view.getBigUint64(48, true)),
    comment,
  }
  return checked(record, Number(view.getBigUint64(24, true)), start)
}

function checkOneDisk(disk: number, directoryDisk: number, at: number): void {
  if (disk > 0 || directoryDisk > 0)
    throw new KilnError('FRAME', 'the archive is one of several disks; join them first', at)
}

function checked(record: EndRecord, onDisk: number, recordStart: number): EndRecord {
  const { directoryStart, directorySize, entries } = record
  if (directoryStart + directorySize !== recordStart || onDisk !== entries) {
    throw new KilnError(
      'FRAME',
      `the zip's directory is said to be ${directorySize} bytes from byte ${directoryStart}, ` +
        `and its end record is at byte ${recordStart}`,
      recordStart,
    )
  }
  return record
}
