import { alignUp, PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { allocate } from '../bytes/allocate.js'
import { crc32 } from '../bytes/crc32.js'
import { describe, isUnstable } from '../bytes/input.js'
import { writeU64 } from '../bytes/u64.js'
import { writeUtf8 } from '../bytes/utf8.js'
import type { ByteWriter } from '../bytes/writer.js'
import { isKilnError, KilnError } from '../errors/kiln-error.js'
import { DESCRIPTOR_SIZE, descriptorFields as field, FLAG_CHECKSUM, NO_AXIS, NO_INDEX } from './descriptor.js'
import { dtypeOf, type DtypeName } from './dtypes.js'
import { HEADER_SIZE, heapStart, writeHeader } from './header.js'
import { NameIndex, type NamePlaces } from './name-index.js'
import { checkLinks } from './quantization.js'
import { neededLength, payloadOf, type TensorInput, type TensorOptions } from './tensor-input.js'

const MAX_U32 = 2 ** 32 - 1

/** What a writer says of a tensor before its payload comes. */
export interface TensorDescription extends TensorOptions {
  readonly name?: string | undefined
  readonly dtype: DtypeName
  readonly shape: readonly number[]
}

/** The table of a directory that is to be written, and where payloads go. */
export interface WrittenTable {
  /** Bytes from 0 to `payload_base`: header, descriptors, names, zeros. */
  readonly bytes: Uint8Array
  /** Each payload's offset from the start of the block, and its length. */
  readonly payloads: readonly { readonly offset: number; readonly length: number }[]
  /** Bytes of the whole block. */
  readonly totalSize: number
}

/**
 * Lays out the canonical block of some tensors (FORMAT §4, Valid and canonical) in one pass, and makes its table.
 * With an `alignment` above 64 it is valid and not canonical. Checksums are 0 for now: {@link setChecksum}.
 */
export function writeTable(tensors: readonly TensorDescription[], alignment = PAYLOAD_ALIGNMENT): WrittenTable {
  const count = tensors.length
  const heap = writeNames(tensors)
  if (count > MAX_U32 || heap.bytes.length > MAX_U32) {
    throw new KilnError('LIMIT', 'more tensors, or more bytes of names, than 32 bits can count; split the directory')
  }
  const payloadBase = alignUp(heapStart(count) + heap.bytes.length, alignment)
  const bytes = new Uint8Array(payloadBase)
  bytes.set(heap.bytes, heapStart(count))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const payloads: { offset: number; length: number }[] = []
  const indexes = new LinkIndexes(tensors)
  let cursor = 0
  let nameOffset = 0
  let linked = false
  let i = 0
  try {
    for (; i < count; i++) {
      const tensor = tensors[i]!
      const { dtype, shape } = tensor
      const at = HEADER_SIZE + DESCRIPTOR_SIZE * i
      const length = neededLength(dtype, shape)
      cursor = alignUp(cursor, alignment)
      if (payloadBase + cursor + length > Number.MAX_SAFE_INTEGER) {
        throw new KilnError('LIMIT', 'the directory would take over 2^53 - 1 bytes; split it')
      }
      for (let d = 0; d < shape.length; d++) writeU64(view, at + field.shape + d * 8, shape[d]!)
      writeU64(view, at + field.byteOffset, cursor)
      writeU64(view, at + field.byteLength, length)
      const nameEnd = heap.ends[i]!
      view.setUint32(at + field.nameOffset, nameOffset, true)
      view.setUint32(at + field.nameLength, nameEnd - nameOffset, true)
      view.setUint16(at + field.dtype, dtypeOf(dtype).code, true)
      view.setUint8(at + field.rank, shape.length)
      if (writeLinks(view, at, tensor, indexes)) linked = true
      payloads.push({ offset: payloadBase + cursor, length })
      nameOffset = nameEnd
      cursor += length
    }
  } catch (error) {
    throw located(error, i, tensors[i])
  }
  const totalSize = payloadBase + cursor
  writeHeader(view, 0, { totalSize, tensorCount: count, heapSize: heap.bytes.length, payloadBase })
  checkNames(bytes, view, tensors)
  if (linked) checkWritten(view, tensors)
  return { bytes, payloads, totalSize }
}

/** The names' UTF-8, one after the other, and where each ends. */
function writeNames(tensors: readonly TensorDescription[]): { bytes: Uint8Array; ends: Float64Array } {
  const count = tensors.length
  let units = 0
  for (let i = 0; i < count; i++) units += tensors[i]?.name?.length ?? 0
  // Three bytes a unit are always enough.
  const room = allocate(Uint8Array, units * 3)
  const ends = allocate(Float64Array, count)
  let end = 0
  let i = 0
  try {
    for (; i < count; i++) {
      const name: unknown = tensors[i]!.name
      if (typeof name === 'string') end += writeUtf8(name, room, end)
      else if (name !== undefined) throw new KilnError('TYPE', `a name is a string, got ${describe(name)}`)
      ends[i] = end
    }
  } catch (error) {
    throw located(error, i, tensors[i])
  }
  return { bytes: room.subarray(0, end), ends }
}

/** Throws `TYPE` for a name that stands twice. */
function checkNames(bytes: Uint8Array, view: DataView, tensors: readonly TensorDescription[]): void {
  const count = tensors.length
  const places: NamePlaces = {
    bytes,
    nameStart: (i) => heapStart(count) + view.getUint32(HEADER_SIZE + DESCRIPTOR_SIZE * i + field.nameOffset, true),
    nameLength: (i) => view.getUint32(HEADER_SIZE + DESCRIPTOR_SIZE * i + field.nameLength, true),
  }
  const index = new NameIndex()
  index.reset(count)
  for (let i = 0; i < count; i++) {
    if (places.nameLength(i) > 0 && !index.add(places, i)) {
      throw new KilnError('TYPE', 'the name stands twice; rename one of the tensors').within(tensors[i]!.name!)
    }
  }
}

/** Puts a payload's CRC-32 into its descriptor in the table. */
export function setChecksum(table: Uint8Array, index: number, checksum: number): void {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const at = HEADER_SIZE + DESCRIPTOR_SIZE * index
  view.setUint16(at + field.flags, FLAG_CHECKSUM, true)
  view.setUint32(at + field.checksum, checksum, true)
}

/** An error of a tensor, with the tensor's name, or its place, in front of its path. */
function located(error: unknown, index: number, tensor: TensorDescription | undefined): unknown {
  if (!isKilnError(error)) return error
  const name: unknown = tensor?.name
  return error.within(typeof name === 'string' && name !== '' ? name : index)
}

/** Where tensors stand, by name; made when a link names one. */
class LinkIndexes {
  readonly #tensors: readonly TensorDescription[]
  #byName: Map<string, number> | undefined

  constructor(tensors: readonly TensorDescription[]) {
    this.#tensors = tensors
  }

  find(name: string): number | undefined {
    if (name === '') return undefined
    this.#byName ??= new Map(this.#tensors.map((tensor, i) => [tensor.name ?? '', i]))
    return this.#byName.get(name)
  }
}

/** Writes scheme and links, and says whether there are any. */
function writeLinks(view: DataView, at: number, tensor: TensorDescription, indexes: LinkIndexes): boolean {
  const { scale, outer, axis, groupSize } = tensor
  if (scale === undefined) {
    if (outer !== undefined || axis !== undefined || (groupSize !== undefined && groupSize !== 0)) {
      throw new KilnError('TYPE', 'outer, axis and groupSize need a scale')
    }
    view.setUint16(at + field.quantAxis, NO_AXIS, true)
    view.setUint32(at + field.scaleIndex, NO_INDEX, true)
    view.setUint32(at + field.outerIndex, NO_INDEX, true)
    return false
  }
  view.setUint8(at + field.scheme, outer === undefined ? 1 : 2)
  view.setUint16(at + field.quantAxis, linkNumber(axis, 'axis', NO_AXIS - 1), true)
  view.setUint32(at + field.groupSize, linkNumber(groupSize, 'groupSize', MAX_U32), true)
  view.setUint32(at + field.scaleIndex, linkIndex(scale, 'scale', indexes), true)
  view.setUint32(at + field.outerIndex, outer === undefined ? NO_INDEX : linkIndex(outer, 'outer', indexes), true)
  return true
}

function linkNumber(value: number | undefined, what: string, most: number): number {
  if (Number.isInteger(value) && value! >= 0 && value! <= most) return value!
  throw new KilnError('TYPE', `a tensor with a scale needs ${what}, an integer from 0 to ${most}; got ${value}`)
}

function linkIndex(link: string | number, what: string, indexes: LinkIndexes): number {
  if (typeof link === 'number') return linkNumber(link, `${what} (a tensor's place)`, NO_INDEX - 1)
  const index = indexes.find(link)
  if (index === undefined) throw new KilnError('TYPE', `${what} names the tensor ${describe(link)}, which is not in the list`)
  return index
}

/** The links' rules stand in one place, which works on a table; a fault is told by name, without its offset. */
function checkWritten(view: DataView, tensors: readonly TensorDescription[]): void {
  try {
    checkLinks({ view, tensorCount: tensors.length, descriptorAt: (i) => HEADER_SIZE + DESCRIPTOR_SIZE * i })
  } catch (error) {
    if (!isKilnError(error)) throw error
    const [index] = error.steps
    const name = typeof index === 'number' ? tensors[index]?.name || index : 0
    throw new KilnError(error.code, error.detail).within(name)
  }
}

/**
 * Writes a block at the writer's place: the table, then payloads as slices, with zeros between. No number is
 * looked at one by one; a checksum that is asked for reads the payload once.
 */
export function writeDirectory(
  w: ByteWriter,
  tensors: readonly TensorInput[],
  options: { readonly alignment?: number; readonly checksums?: boolean } = {},
): void {
  const table = writeTable(tensors, options.alignment)
  const count = tensors.length
  const payloads: Uint8Array[] = []
  let i = 0
  try {
    for (; i < count; i++) {
      const tensor = tensors[i]!
      let payload = payloadOf(tensor, table.payloads[i]!.length)
      // Shared memory may change until the message is put together; its checksum must not.
      if (isUnstable(payload)) payload = Uint8Array.prototype.slice.call(payload)
      if (tensor.checksum ?? options.checksums ?? false) setChecksum(table.bytes, i, crc32(payload))
      payloads.push(payload)
    }
  } catch (error) {
    throw located(error, i, tensors[i])
  }
  w.slice(table.bytes)
  let written = table.bytes.length
  for (i = 0; i < count; i++) {
    const { offset, length } = table.payloads[i]!
    w.zeros(offset - written)
    w.slice(payloads[i]!)
    written = offset + length
  }
}
