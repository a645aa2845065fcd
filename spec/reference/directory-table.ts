import { type Cursor, available, isAllZero, readUint, take, uintAt } from './bytes.js'
import type { ReadRules } from './caps.js'
import { type Dtype, dtypeOfCode, isForeign, payloadBytes } from './dtypes.js'
import { must } from './error.js'
import { decodeUtf8 } from './utf8.js'

/** The header of a directory, as far as it isn't constant. */
export interface Header {
  readonly totalSize: bigint
  readonly tensorCount: bigint
  readonly heapSize: bigint
  readonly payloadBase: bigint
}

/** One descriptor, its name read from the heap. */
export interface Descriptor {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly bigint[]
  readonly byteOffset: bigint
  readonly byteLength: bigint
  readonly scheme: bigint
  readonly quantAxis: bigint
  readonly groupSize: bigint
  readonly scaleIndex: bigint
  readonly outerIndex: bigint
  /** The stored number, or undefined with flag 0. */
  readonly checksum: bigint | undefined
}

/** Where the heap ends, counted from the block's first byte. */
export function heapEnd(header: Header): bigint {
  return 64n + 128n * header.tensorCount + header.heapSize
}

/** FORMAT §4 steps 1 to 4. The cursor stays at the block's first byte. */
export function readHeader(cursor: Cursor, rules: ReadRules): Header {
  // Step 1
  const field: Cursor = { ...cursor }
  must(available(cursor) >= 64n, 'EOF', 'a directory begins with 64 bytes')
  // Step 2
  const magic = take(field, 4n)
  must(String.fromCharCode(...magic) === 'KILT', 'FRAME', 'magic')
  must(readUint(field, 1) === 2n, 'FRAME', 'version')
  must(readUint(field, 1) === 0n, 'FRAME', 'flags')
  must(readUint(field, 2) === 0n, 'FRAME', 'first reserved area')
  const totalSize = readUint(field, 8)
  const tensorCount = readUint(field, 4)
  const heapSize = readUint(field, 4)
  const payloadBase = readUint(field, 8)
  must(isAllZero(take(field, 32n)), 'FRAME', 'second reserved area')
  const header: Header = { totalSize, tensorCount, heapSize, payloadBase }
  // Step 3
  must(tensorCount <= rules.caps.tensors, 'LIMIT', 'tensor_count')
  // Step 4
  must(totalSize <= available(cursor), 'EOF', 'total_size')
  must(payloadBase % 64n === 0n, 'FRAME', 'payload_base is no multiple of 64')
  must(payloadBase >= heapEnd(header), 'FRAME', 'payload_base lies in the table')
  must(payloadBase < heapEnd(header) + 65_536n, 'FRAME', 'payload_base lies 65,536 past the heap or further')
  must(payloadBase <= totalSize, 'FRAME', 'payload_base lies past total_size')
  return header
}

/** FORMAT §4 steps 5 and 6, of the block that begins at the cursor. */
export function readDescriptors(cursor: Cursor, header: Header): Descriptor[] {
  const block: Cursor = { ...cursor }
  take(block, 64n)
  const table = take(block, 128n * header.tensorCount)
  const heap = take(block, header.heapSize)
  const gap = take(block, header.payloadBase - heapEnd(header))

  const descriptors: Descriptor[] = []
  const names = new Set<string>()
  let payloadEnd = 0n
  let nameEnd = 0n
  for (let i = 0; i < Number(header.tensorCount); i++) {
    const entry = table.slice(128 * i, 128 * i + 128)
    const flags = uintAt(entry, 94, 2)
    must(flags <= 1n, 'FRAME', 'unknown flags')
    must(isAllZero(entry.slice(112)), 'FRAME', 'reserved bytes')
    const checksum = uintAt(entry, 108, 4)
    must(flags === 1n || checksum === 0n, 'FRAME', 'a checksum without its flag')

    const dtype = dtypeOfCode(uintAt(entry, 88, 2))
    must(dtype !== undefined, 'TYPE', 'unknown dtype')
    const rank = Number(uintAt(entry, 90, 1))
    must(rank <= 8, 'TYPE', 'rank over 8')
    const shape: bigint[] = []
    for (let axis = 0; axis < 8; axis++) {
      const size = uintAt(entry, 8 * axis, 8)
      if (axis < rank) {
        must(size < 2n ** 53n, 'TYPE', 'a dimension over 2^53-1')
        shape.push(size)
      } else must(size === 0n, 'TYPE', 'a dimension beyond the rank')
    }
    if (isForeign(dtype)) {
      must(rank > 0, 'TYPE', 'a foreign block has a dimension')
      must(shape[rank - 1]! % dtype.elements === 0n, 'TYPE', 'the last dimension is no multiple of the block')
    }
    const byteLength = uintAt(entry, 72, 8)
    must(byteLength === payloadBytes(dtype, shape), 'TYPE', 'byte_length')
    const byteOffset = uintAt(entry, 64, 8)
    must(byteOffset % 64n === 0n, 'TYPE', 'byte_offset is no multiple of 64')
    must(byteOffset >= payloadEnd, 'TYPE', 'byte_offset lies before the end of the payload before it')
    payloadEnd = byteOffset + byteLength
    must(header.payloadBase + payloadEnd <= header.totalSize, 'EOF', 'a payload past total_size')

    const nameOffset = uintAt(entry, 80, 4)
    const nameLength = uintAt(entry, 84, 4)
    must(nameOffset === nameEnd, 'TYPE', 'name_offset')
    nameEnd += nameLength
    must(nameEnd <= header.heapSize, 'EOF', 'a name past the heap')
    const name = decodeUtf8(heap.slice(Number(nameOffset), Number(nameEnd)))
    must(name === '' || !names.has(name), 'TYPE', 'a name stands twice')
    names.add(name)

    descriptors.push({
      name,
      dtype,
      shape,
      byteOffset,
      byteLength,
      scheme: uintAt(entry, 91, 1),
      quantAxis: uintAt(entry, 92, 2),
      groupSize: uintAt(entry, 96, 4),
      scaleIndex: uintAt(entry, 100, 4),
      outerIndex: uintAt(entry, 104, 4),
      checksum: flags === 1n ? checksum : undefined,
    })
  }
  // Step 6
  must(nameEnd === header.heapSize, 'FRAME', 'the names do not fill the heap')
  must(isAllZero(gap), 'FRAME', 'a byte between heap and payload_base')
  return descriptors
}
