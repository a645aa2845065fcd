import { alignUp, PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { crc32 } from '../bytes/crc32.js'
import { isUnstable } from '../bytes/input.js'
import { writeU64 } from '../bytes/u64.js'
import { encodeUtf8 } from '../bytes/utf8.js'
import type { ByteWriter } from '../bytes/writer.js'
import { isKilnError, KilnError } from '../errors/kiln-error.js'
import { DESCRIPTOR_SIZE, descriptorFields as field, FLAG_CHECKSUM, NO_AXIS, NO_INDEX } from './descriptor.js'
import { dtypeOf, type DtypeName } from './dtypes.js'
import { HEADER_SIZE, heapStart, writeHeader } from './header.js'
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
  const names = tensors.map((tensor, i) => located(i, tensor, () => encodeUtf8(tensor.name ?? '')))
  const heapSize = names.reduce((sum, name) => sum + name.length, 0)
  if (tensors.length > MAX_U32 || heapSize > MAX_U32) {
    throw new KilnError('LIMIT', 'more tensors, or more bytes of names, than 32 bits can count; split the directory')
  }
  const indexes = indexNames(tensors)
  const payloadBase = alignUp(heapStart(tensors.length) + heapSize, alignment)
  const bytes = new Uint8Array(payloadBase)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const payloads: { offset: number; length: number }[] = []
  let cursor = 0
  let nameOffset = 0
  tensors.forEach((tensor, i) => {
    located(i, tensor, () => {
      const at = HEADER_SIZE + DESCRIPTOR_SIZE * i
      const length = neededLength(tensor.dtype, tensor.shape)
      cursor = alignUp(cursor, alignment)
      if (payloadBase + cursor + length > Number.MAX_SAFE_INTEGER) {
        throw new KilnError('LIMIT', 'the directory would take over 2^53 - 1 bytes; split it')
      }
      tensor.shape.forEach((dimension, d) => writeU64(view, at + field.shape + d * 8, dimension))
      writeU64(view, at + field.byteOffset, cursor)
      writeU64(view, at + field.byteLength, length)
      const name = names[i]!
      view.setUint32(at + field.nameOffset, nameOffset, true)
      view.setUint32(at + field.nameLength, name.length, true)
      bytes.set(name, heapStart(tensors.length) + nameOffset)
      view.setUint16(at + field.dtype, dtypeOf(tensor.dtype).code, true)
      view.setUint8(at + field.rank, tensor.shape.length)
      writeLinks(view, at, tensor, indexes)
      payloads.push({ offset: payloadBase + cursor, length })
      nameOffset += name.length
      cursor += length
    })
  })
  const totalSize = payloadBase + cursor
  writeHeader(view, 0, { totalSize, tensorCount: tensors.length, heapSize, payloadBase })
  checkWritten(view, tensors)
  return { bytes, payloads, totalSize }
}

/** Puts a payload's CRC-32 into its descriptor in the table. */
export function setChecksum(table: Uint8Array, index: number, checksum: number): void {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const at = HEADER_SIZE + DESCRIPTOR_SIZE * index
  view.setUint16(at + field.flags, FLAG_CHECKSUM, true)
  view.setUint32(at + field.checksum, checksum, true)
}

/** Runs a step for a tensor; an error gets the tensor's name, or its place, in front of its path. */
function located<T>(index: number, tensor: TensorDescription, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw isKilnError(error) ? error.within(tensor?.name || index) : error
  }
}

function indexNames(tensors: readonly TensorDescription[]): Map<string, number> {
  const indexes = new Map<string, number>()
  tensors.forEach(({ name }, i) => {
    if (name === undefined || name === '') return
    if (indexes.has(name)) throw new KilnError('TYPE', 'the name stands twice; rename one of the tensors').within(name)
    indexes.set(name, i)
  })
  return indexes
}

function writeLinks(view: DataView, at: number, tensor: TensorDescription, indexes: ReadonlyMap<string, number>): void {
  const { scale, outer, axis, groupSize } = tensor
  if (scale === undefined) {
    if (outer !== undefined || axis !== undefined || (groupSize !== undefined && groupSize !== 0)) {
      throw new KilnError('TYPE', 'outer, axis and groupSize need a scale')
    }
    view.setUint16(at + field.quantAxis, NO_AXIS, true)
    view.setUint32(at + field.scaleIndex, NO_INDEX, true)
    view.setUint32(at + field.outerIndex, NO_INDEX, true)
    return
  }
  view.setUint8(at + field.scheme, outer === undefined ? 1 : 2)
  view.setUint16(at + field.quantAxis, linkNumber(axis, 'axis', NO_AXIS - 1), true)
  view.setUint32(at + field.groupSize, linkNumber(groupSize, 'groupSize', MAX_U32), true)
  view.setUint32(at + field.scaleIndex, linkIndex(scale, 'scale', indexes), true)
  view.setUint32(at + field.outerIndex, outer === undefined ? NO_INDEX : linkIndex(outer, 'outer', indexes), true)
}

function linkNumber(value: number | undefined, what: string, most: number): number {
  if (Number.isInteger(value) && value! >= 0 && value! <= most) return value!
  throw new KilnError('TYPE', `a tensor with a scale needs ${what}, an integer from 0 to ${most}; got ${value}`)
}

function linkIndex(link: string | number, what: string, indexes: ReadonlyMap<string, number>): number {
  if (typeof link === 'number') return linkNumber(link, `${what} (a tensor's place)`, NO_INDEX - 1)
  const index = indexes.get(link)
  if (index === undefined) throw new KilnError('TYPE', `${what} names the tensor ${JSON.stringify(link)}, which is not in the list`)
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
  const payloads = tensors.map((tensor, i) => located(i, tensor, () => payloadOf(tensor)))
  payloads.forEach((payload, i) => {
    // Shared memory may change until the message is put together; its checksum must not.
    if (isUnstable(payload)) payloads[i] = Uint8Array.prototype.slice.call(payload)
    if (tensors[i]!.checksum ?? options.checksums ?? false) setChecksum(table.bytes, i, crc32(payloads[i]!))
  })
  w.slice(table.bytes)
  let written = table.bytes.length
  payloads.forEach((payload, i) => {
    const { offset, length } = table.payloads[i]!
    w.zeros(offset - written)
    w.slice(payload)
    written = offset + length
  })
}
