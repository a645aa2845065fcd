import { PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { readU64 } from '../bytes/u64.js'
import { firstMalformed } from '../bytes/utf8.js'
import { KilnError } from '../errors/kiln-error.js'
import { DESCRIPTOR_SIZE, descriptorShape, FLAG_CHECKSUM, hasNoLinks, MAX_RANK } from './descriptor.js'
import { descriptorFault as fault } from './descriptor-fault.js'
import * as field from './descriptor-fields.js'
import { dtypeOfCode, lengthOfElements, productOf, type Dtype } from './dtypes.js'
import { HEADER_SIZE, heapStart, type DirectoryHeader } from './header.js'
import type { NameIndex, NamePlaces } from './name-index.js'

/** A table whose header has been read. */
interface ReadTable extends NamePlaces, Readonly<DirectoryHeader> {
  /** Where the block begins in `bytes`. */
  readonly start: number
  name(index: number): string
}

/**
 * Checks each descriptor in order (FORMAT §4 step 5) and that the names fill the heap (step 6, first half), and puts the
 * names into the index. Says whether any tensor has a scheme or links, which {@link checkLinks} is there for.
 *
 * One loop over local variables, because this is what opening a directory costs: 60 ns a tensor, half of it for the name.
 */
export function checkDescriptors(table: ReadTable, names: NameIndex): boolean {
  const { view, start, tensorCount, heapSize } = table
  const heap = start + heapStart(tensorCount)
  const room = table.totalSize - table.payloadBase
  let payloadEnd = 0
  let nameEnd = 0
  let linked = false
  // Most tensors of a directory have the dtype of the one before.
  let code = -1
  let dtype: Dtype | undefined
  for (let i = 0, at = start + HEADER_SIZE; i < tensorCount; i++, at += DESCRIPTOR_SIZE) {
    const flags = view.getUint16(at + field.flags, true)
    if (flags > FLAG_CHECKSUM) throw fault('FRAME', i, 'flags', at + field.flags, `unknown flag bits in ${flags}`)
    const reserved = at + field.reserved
    // A sum of words, none of which is negative: one branch where all is well.
    if (
      view.getUint32(reserved, true) + view.getUint32(reserved + 4, true) +
      view.getUint32(reserved + 8, true) + view.getUint32(reserved + 12, true) !== 0
    ) {
      throw reservedFault(view, i, reserved)
    }
    if (flags === 0 && view.getUint32(at + field.checksum, true) !== 0) {
      throw fault('FRAME', i, 'checksum', at + field.checksum, 'a checksum stands without its flag')
    }
    const own = view.getUint16(at + field.dtype, true)
    if (own !== code) {
      code = own
      dtype = dtypeOfCode(code)
    }
    if (dtype === undefined) {
      throw fault('TYPE', i, 'dtype', at + field.dtype, `no dtype has the code 0x${own.toString(16)}; a newer library may know it`)
    }
    const rank = view.getUint8(at + field.rank)
    if (rank > MAX_RANK) throw fault('TYPE', i, 'rank', at + field.rank, `the rank is ${rank}, at most ${MAX_RANK} is possible`)
    let product = 1
    let last = 1
    let d = 0
    for (; d < rank; d++) {
      last = readU64(view, at + d * 8)
      if (last > Number.MAX_SAFE_INTEGER) throw dimensionFault(i, at, d, `${last} is over 2^53 - 1`)
      product *= last
    }
    for (; d < MAX_RANK; d++) {
      // As a float: half the reads, and of all 64-bit patterns +0 alone is 0 and not -0.
      const rest = view.getFloat64(at + d * 8, true)
      if (rest !== 0 || Object.is(rest, -0)) throw dimensionFault(i, at, d, `the rank is ${rank}, so this entry must be 0`)
    }
    if (dtype.foreign && last % dtype.blockElements !== 0) {
      throw fault('TYPE', i, 'shape', at, `the last dimension of ${dtype.name} is a multiple of ${dtype.blockElements}, not ${last}`)
    }
    const elements = product <= Number.MAX_SAFE_INTEGER ? product : productOf(descriptorShape(view, at))
    payloadEnd = checkPayload(view, i, at, lengthOfElements(dtype, elements), payloadEnd, room)
    if (!linked) linked = !hasNoLinks(view, at)

    const nameOffset = view.getUint32(at + field.nameOffset, true)
    if (nameOffset !== nameEnd) {
      throw fault('TYPE', i, 'name_offset', at + field.nameOffset, `${nameOffset} must be ${nameEnd}, the sum of the name lengths before`)
    }
    const length = view.getUint32(at + field.nameLength, true)
    nameEnd += length
    if (nameEnd > heapSize) {
      throw fault('EOF', i, 'name', at + field.nameLength, `a name of ${length} bytes goes past the heap of ${heapSize}`)
    }
    if (length === 0) continue
    const nameStart = heap + nameOffset
    const added = names.add(table, i, nameStart, length)
    if (added !== 'added') throw nameFault(table, i, nameStart, length, added)
  }
  if (nameEnd !== heapSize) throw new KilnError('FRAME', `the names take ${nameEnd} bytes of a heap of ${heapSize}`, heap + nameEnd)
  return linked
}

/** Checks a payload's length and place, counted from `payload_base`, and returns where it ends; `room` is up to the block's end. */
function checkPayload(view: DataView, i: number, at: number, needed: number | bigint, before: number, room: number): number {
  const byteLength = readU64(view, at + field.byteLength)
  // A bigint is over 2^53 - 1, where byteLength has been rounded.
  if (typeof needed === 'number' ? byteLength !== needed : view.getBigUint64(at + field.byteLength, true) !== needed) {
    throw fault('TYPE', i, 'byte_length', at + field.byteLength, `dtype and shape need ${needed} bytes, not ${byteLength}`)
  }
  const byteOffset = readU64(view, at + field.byteOffset)
  // The low word alone tells of the multiple: over 2^53 the number has been rounded.
  if (view.getUint32(at + field.byteOffset, true) % PAYLOAD_ALIGNMENT !== 0 || byteOffset < before) {
    throw fault(
      'TYPE', i, 'byte_offset', at + field.byteOffset,
      `${byteOffset} must be a multiple of ${PAYLOAD_ALIGNMENT} and not before ${before}, where the payload before it ends`,
    )
  }
  // Rounded sums are over 2^53 and so over any room, which is within the input.
  const end = byteOffset + byteLength
  if (end > room) {
    throw fault('EOF', i, 'byte_length', at + field.byteLength, `the payload would end ${end} bytes past payload_base, the block ends after ${room}`)
  }
  return end
}

function nameFault(table: ReadTable, i: number, start: number, length: number, what: 'twice' | 'malformed'): KilnError {
  if (what === 'malformed') return fault('UTF8', i, 'name', firstMalformed(table.bytes, start, start + length), 'the name is not UTF-8')
  return fault('TYPE', i, 'name', start, `the name ${JSON.stringify(table.name(i))} stands twice; rename one of the tensors`)
}

function reservedFault(view: DataView, i: number, reserved: number): KilnError {
  let o = reserved
  while (view.getUint32(o, true) === 0) o += 4
  return fault('FRAME', i, 'reserved', o, 'reserved bytes must be 0')
}

function dimensionFault(i: number, at: number, d: number, detail: string): KilnError {
  return new KilnError('TYPE', detail, at + d * 8).within(d).within('shape').within(i)
}
