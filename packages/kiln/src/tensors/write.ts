import { alignUp, PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { crc32 } from '../bytes/crc32.js'
import { describe } from '../bytes/input.js'
import { writeU64 } from '../bytes/u64.js'
import { writeUtf8 } from '../bytes/utf8.js'
import { ByteWriter } from '../bytes/writer.js'
import { viewOf } from '../bytes/view-of.js'
import { isKilnError, KilnError } from '../errors/kiln-error.js'
import { DESCRIPTOR_SIZE, FLAG_CHECKSUM, NO_AXIS, NO_INDEX } from './descriptor.js'
import * as field from './descriptor-fields.js'
import { dtypeOf, type DtypeName } from './dtypes.js'
import { HEADER_SIZE, heapStart, writeHeader } from './header.js'
import { checkLinks } from './quantization.js'
import { lengthOf, stablePayloadOf, type TensorInput, type TensorOptions } from './tensor-input.js'

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
 * Lays out the canonical block of some tensors (FORMAT §4, Valid and canonical) and makes its table.
 * With an `alignment` above 64 it is valid and not canonical. Checksums are 0 for now: {@link setChecksum}.
 */
export function writeTable(tensors: readonly TensorDescription[], alignment = PAYLOAD_ALIGNMENT): WrittenTable {
  const w = new ByteWriter()
  const { payloadBase, lengths, totalSize } = layTable(w, tensors, alignment)
  let cursor = 0
  const payloads = lengths.map((length) => {
    const at = alignUp(cursor, alignment)
    cursor = at + length
    return { offset: payloadBase + at, length }
  })
  return { bytes: w.finish(), payloads, totalSize }
}

interface Layout {
  readonly payloadBase: number
  /** Each payload's length; it begins at the first multiple of the alignment behind the one before. */
  readonly lengths: readonly number[]
  readonly totalSize: number
}

/** Writes the table at the writer's place, in one pass over the tensors. */
function layTable(w: ByteWriter, tensors: readonly TensorDescription[], alignment: number): Layout {
  const count = tensors.length
  const names = namesOf(tensors)
  const heapOffset = heapStart(count)
  // Three bytes a unit are always enough.
  w.reserve(heapOffset + names.reduce((sum, name) => sum + name.length * 3, 0) + alignment)
  const { bytes, view, pos: start } = w
  bytes.fill(0, start, start + heapOffset)
  const lengths: number[] = []
  const indexes = new LinkIndexes(names)
  let cursor = 0
  let heapSize = 0
  let linked = false
  let i = 0
  try {
    for (; i < count; i++) {
      const tensor = tensors[i]!
      const { shape } = tensor
      const dtype = dtypeOf(tensor.dtype)
      const at = start + HEADER_SIZE + DESCRIPTOR_SIZE * i
      const length = lengthOf(dtype, shape)
      cursor = alignUp(cursor, alignment)
      for (let d = 0; d < shape.length; d++) writeU64(view, at + field.shape + d * 8, shape[d]!)
      writeU64(view, at + field.byteOffset, cursor)
      writeU64(view, at + field.byteLength, length)
      const nameLength = writeUtf8(names[i]!, bytes, start + heapOffset + heapSize)
      view.setUint32(at + field.nameOffset, heapSize, true)
      view.setUint32(at + field.nameLength, nameLength, true)
      view.setUint16(at + field.dtype, dtype.code, true)
      view.setUint8(at + field.rank, shape.length)
      if (writeLinks(view, at, tensor, indexes)) linked = true
      lengths.push(length)
      heapSize += nameLength
      cursor += length
      if (cursor > Number.MAX_SAFE_INTEGER) throw tooLarge()
    }
  } catch (error) {
    throw located(error, i, tensors[i])
  }
  const payloadBase = alignUp(heapOffset + heapSize, alignment)
  const totalSize = payloadBase + cursor
  if (count > MAX_U32 || heapSize > MAX_U32) {
    throw new KilnError('LIMIT', 'more tensors, or more bytes of names, than 32 bits can count; split the directory')
  }
  if (totalSize > Number.MAX_SAFE_INTEGER) throw tooLarge()
  bytes.fill(0, start + heapOffset + heapSize, start + payloadBase)
  writeHeader(view, start, { totalSize, tensorCount: count, heapSize, payloadBase })
  checkNames(names)
  if (linked) checkWritten(view, start, names)
  w.pos = start + payloadBase
  return { payloadBase, lengths, totalSize }
}

function tooLarge(): KilnError {
  return new KilnError('LIMIT', 'the directory would take over 2^53 - 1 bytes; split it')
}

/** The names, each asked for once; empty where there is none. */
function namesOf(tensors: readonly TensorDescription[]): string[] {
  return tensors.map((tensor, i) => {
    const name: unknown = tensor.name
    if (typeof name === 'string') return name
    if (name === undefined) return ''
    throw new KilnError('TYPE', `a name is a string, got ${describe(name)}`).within(i)
  })
}

// Up to here a search through the names before is quicker than a Set of them (2 µs for 16 names, against 3).
const FEW = 16

/** Throws `TYPE` for a name that stands twice. Names that differ have different UTF-8. */
function checkNames(names: readonly string[]): void {
  const seen = names.length > FEW ? new Set<string>() : undefined
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    if (name === '') continue
    if (seen === undefined ? names.indexOf(name) < i : seen.has(name)) {
      throw new KilnError('TYPE', 'the name stands twice; rename one of the tensors').within(name)
    }
    seen?.add(name)
  }
}

/** Puts a payload's CRC-32 into its descriptor in the table. */
export function setChecksum(table: Uint8Array, index: number, checksum: number): void {
  const view = viewOf(table)
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
  private readonly names: readonly string[]
  private byName: Map<string, number> | undefined = undefined

  constructor(names: readonly string[]) {
    this.names = names
  }

  find(name: string): number | undefined {
    if (name === '') return undefined
    this.byName ??= new Map(this.names.map((other, i) => [other, i]))
    return this.byName.get(name)
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

function linkNumber(value: number | undefined, option: keyof TensorOptions, most: number, what: string = option): number {
  if (Number.isInteger(value) && value! >= 0 && value! <= most) return value!
  throw new KilnError('TYPE', `a tensor with a scale needs ${what}, an integer from 0 to ${most}; got ${describe(value)}`).within(option)
}

function linkIndex(link: string | number, option: 'scale' | 'outer', indexes: LinkIndexes): number {
  if (typeof link === 'number') return linkNumber(link, option, NO_INDEX - 1, `${option} (a tensor's place)`)
  const index = indexes.find(link)
  if (index !== undefined) return index
  throw new KilnError('TYPE', `${option} names the tensor ${describe(link)}, which is not in the list`).within(option)
}

/** What a writer's options call the fields of a descriptor that say how a tensor is linked. */
const OPTIONS: Readonly<Record<string, keyof TensorOptions>> = { scale_index: 'scale', outer_index: 'outer', quant_axis: 'axis', group_size: 'groupSize' }

/** The links' rules stand in one place, which works on a table; a fault is told by name and option, without its offset. */
function checkWritten(view: DataView, start: number, names: readonly string[]): void {
  try {
    checkLinks({ view, tensorCount: names.length, descriptorAt: (i) => start + HEADER_SIZE + DESCRIPTOR_SIZE * i })
  } catch (error) {
    if (!isKilnError(error)) throw error
    const [index, what] = error.steps
    const fault = new KilnError(error.code, error.detail)
    const option = OPTIONS[String(what)]
    if (option !== undefined) fault.within(option)
    throw fault.within(typeof index === 'number' ? names[index] || index : 0)
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
  const alignment = options.alignment ?? PAYLOAD_ALIGNMENT
  const start = w.pos
  const { payloadBase, lengths } = layTable(w, tensors, alignment)
  let cursor = 0
  let i = 0
  try {
    for (; i < tensors.length; i++) {
      const tensor = tensors[i]!
      const payload = stablePayloadOf(tensor, lengths[i]!)
      if (tensor.checksum ?? options.checksums ?? false) {
        setChecksum(w.bytes.subarray(start, start + payloadBase), i, crc32(payload))
      }
      const at = alignUp(cursor, alignment)
      w.zeros(at - cursor)
      w.slice(payload)
      cursor = at + payload.length
    }
  } catch (error) {
    throw located(error, i, tensors[i])
  }
}
