import { KilnError } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import { HeadReader } from '../reading/head-reader.js'
import { utf8Text } from '../reading/text.js'
import { quoted } from '../text/quoted.js'
import { cp437Text } from './cp437.js'
import type { EndRecord } from './end-record.js'
import { DEFLATED, hasFlag, STORED, UTF8_NAME, zip64Values } from './entry.js'
import type { ZipEntry } from './entry.js'

const ENTRY = 0x02014b50
const ENTRY_SIZE = 46
// A byte of deflated data is at most 1,032 of what it was: 258 bytes for two bits.
const LARGEST_RATIO = 1032

/**
 * Reads the directory of a zip, and checks what can be known without the members: names that stand
 * twice (`TYPE`), members that lie over one another or over the directory (`TYPE`, `EOF`), sizes that no
 * deflated data can have (`EOF`).
 */
export async function readDirectory(
  source: ByteSource,
  end: EndRecord,
  cap: number,
  options: ReadOptions,
): Promise<ZipEntry[]> {
  if (end.entries > cap) {
    throw new KilnError(
      'LIMIT',
      `${end.entries} members announced, over the cap of ${cap}; raise limits.members`,
      end.directoryStart,
    )
  }
  const head = new HeadReader(source, {
    signal: options.signal,
    start: end.directoryStart,
    end: end.directoryStart + end.directorySize,
    cap: Infinity,
    capName: '',
    firstRead: 2 ** 16,
  })
  head.checkCount(end.entries, ENTRY_SIZE, 'members of the zip')
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  for (let i = 0; i < end.entries; i++) {
    const at = head.position
    const entry = await readEntry(head, i)
    if (names.has(entry.name)) throw new KilnError('TYPE', `the zip has ${quoted(entry.name)} twice`, at)
    names.add(entry.name)
    entries.push(entry)
  }
  if (head.left > 0)
    throw new KilnError(
      'FRAME',
      `the zip's directory has ${head.left} bytes after its ${end.entries} members`,
      head.position,
    )
  checkPlaces(entries, end.directoryStart)
  return entries
}

async function readEntry(head: HeadReader, index: number): Promise<ZipEntry> {
  const what = `member ${index} of the zip's directory`
  await head.need(ENTRY_SIZE, what)
  const at = head.position
  if (head.u32() !== ENTRY) throw new KilnError('FRAME', `${what} does not begin as a member does`, at)
  head.bytes(4)
  const flags = head.u16()
  const method = head.u16()
  head.bytes(4)
  const crc = head.u32()
  const sizes = [head.u32(), head.u32()]
  const [nameLength, extraLength, commentLength] = [head.u16(), head.u16(), head.u16()]
  head.bytes(8)
  // In the extra field the plain size stands before the compressed one.
  const fields = [sizes[1]!, sizes[0]!, head.u32()]
  await head.need(nameLength + extraLength + commentLength, what)
  const nameBytes = new Uint8Array(head.bytes(nameLength))
  const utf8 = hasFlag(flags, UTF8_NAME)
  const name = utf8 ? utf8Text(nameBytes, 0, nameLength, `the name of ${what}`, at + ENTRY_SIZE) : cp437Text(nameBytes)
  const values = zip64Values(fields, head.bytes(extraLength))
  head.bytes(commentLength)
  if (values === undefined)
    throw new KilnError(
      'FRAME',
      `${quoted(name)} is over 4 GiB by the zip's directory, and its ZIP64 sizes are missing`,
      at,
    )
  const [size, compressedSize, headerStart] = values as [number, number, number]
  if (method === STORED && size !== compressedSize) {
    throw new KilnError(
      'FRAME',
      `${quoted(name)} is stored, and is said to be ${size} bytes and ${compressedSize} compressed`,
      at,
    )
  }
  if (method === DEFLATED && size > compressedSize * LARGEST_RATIO) {
    throw new KilnError(
      'EOF',
      `${quoted(name)} is said to be ${size} bytes, more than its ${compressedSize} deflated bytes can hold`,
      at,
    )
  }
  return { name, nameBytes, flags, method, crc, compressedSize, size, headerStart }
}

const HEADER_SIZE = 30

function checkPlaces(entries: readonly ZipEntry[], directoryStart: number): void {
  const inOrder = [...entries].sort((a, b) => a.headerStart - b.headerStart)
  for (const [i, entry] of inOrder.entries()) {
    // The member's own header may have a longer extra field: what follows it is checked where it is read.
    const end = entry.headerStart + HEADER_SIZE + entry.nameBytes.length + entry.compressedSize
    const next = inOrder[i + 1]
    if (end > directoryStart) {
      throw new KilnError(
        'EOF',
        `${quoted(entry.name)} ends at byte ${end}, and the zip's members at byte ${directoryStart}`,
        entry.headerStart,
      )
    }
    if (next !== undefined && end > next.headerStart) {
      throw new KilnError(
        'TYPE',
        `${quoted(entry.name)} and ${quoted(next.name)} lie over one another in the zip`,
        next.headerStart,
      )
    }
  }
}
