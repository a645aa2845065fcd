import { type Cursor, align64, available, cursorOver, take, toHex } from './bytes.js'
import type { ReadRules } from './caps.js'
import type { CaseTensor } from './case-values.js'
import { checkLinks } from './directory-links.js'
import { type Descriptor, type Header, heapEnd, readDescriptors, readHeader } from './directory-table.js'
import { must } from './error.js'

/** A directory as it was read: its table, and the bytes of its block. */
export interface Directory {
  readonly header: Header
  readonly descriptors: readonly Descriptor[]
  readonly block: Uint8Array
}

/** FORMAT §4 steps 1 to 7; the cursor then stands behind the block, where the next field starts. */
export function readDirectory(cursor: Cursor, rules: ReadRules): Directory {
  const header = readHeader(cursor, rules)
  const descriptors = readDescriptors(cursor, header)
  checkLinks(descriptors)
  if (rules.strict) checkCanonical(header, descriptors)
  return { header, descriptors, block: take(cursor, header.totalSize) }
}

/** The same of a block that stands alone: step 8 too. */
export function readStandaloneDirectory(bytes: Uint8Array, rules: ReadRules): Directory {
  const cursor = cursorOver(bytes)
  const directory = readDirectory(cursor, rules)
  must(available(cursor) === 0n, 'TRAILING', 'bytes after the block')
  return directory
}

/** What only a strict reader refuses: offsets and sizes that no writer would choose. */
function checkCanonical(header: Header, descriptors: readonly Descriptor[]): void {
  must(header.payloadBase === align64(heapEnd(header)), 'TYPE', 'payload_base is not canonical')
  let cursor = 0n
  for (const descriptor of descriptors) {
    cursor = align64(cursor)
    must(descriptor.byteOffset === cursor, 'TYPE', 'byte_offset is not canonical')
    cursor += descriptor.byteLength
  }
  must(header.totalSize === header.payloadBase + cursor, 'TYPE', 'total_size is not canonical')
}

/** The payload of a descriptor. */
export function payloadOf(directory: Directory, descriptor: Descriptor): Uint8Array {
  const start = Number(directory.header.payloadBase + descriptor.byteOffset)
  return directory.block.slice(start, start + Number(descriptor.byteLength))
}

/** The tensors in the notation of the case files. */
export function caseTensors(directory: Directory): CaseTensor[] {
  return directory.descriptors.map((descriptor) => ({
    name: descriptor.name,
    dtype: descriptor.dtype.name,
    shape: descriptor.shape.map(String),
    data: toHex(payloadOf(directory, descriptor)),
    scheme: Number(descriptor.scheme),
    quant_axis: Number(descriptor.quantAxis),
    group_size: Number(descriptor.groupSize),
    scale_index: Number(descriptor.scaleIndex),
    outer_index: Number(descriptor.outerIndex),
    checksum: descriptor.checksum === undefined ? null : Number(descriptor.checksum),
  }))
}
