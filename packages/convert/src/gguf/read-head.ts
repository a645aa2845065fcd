import { KilnError, payloadLength } from 'kiln-format'
import type { ByteSource, Dtype, ReadOptions } from 'kiln-format'
import { alignUp } from '../reading/align.js'
import { resolveCaps } from '../reading/caps.js'
import { HeadReader } from '../reading/head-reader.js'
import { quoted } from '../text/quoted.js'
import { readKeyValue, readText, takeCount } from './read-value.js'
import type { GgufReader } from './read-value.js'
import { dtypeOfGgml, unknownGgml } from './tensor-types.js'
import { ALIGNMENT_KEY, DEFAULT_ALIGNMENT, LARGEST_ALIGNMENT } from './value-types.js'
import type { GgufKeyValue } from './value-types.js'
import { readVersion } from './version.js'

/** The caps of a GGUF reader; what is over one is `LIMIT`. */
export interface GgufLimits {
  /** Bytes of the head: key-values and tensor infos. Default 2^28; the largest vocabularies take 2^25. */
  readonly head: number
  /** Default 2^20. */
  readonly tensors: number
  /** Default 2^20. */
  readonly keyValues: number
}

const defaultLimits = { head: 2 ** 28, tensors: 2 ** 20, keyValues: 2 ** 20 }

/** What a tensor info says. */
export interface GgufTensorInfo {
  readonly name: string
  readonly dtype: Dtype
  /** The number of the type in ggml. */
  readonly ggmlType: number
  /** Outermost first: GGUF's own order is the reverse. */
  readonly shape: readonly number[]
  readonly byteLength: number
  /** From the start of the tensors' data, as stored. */
  readonly offset: number
}

/** The head of one GGUF file, checked, with the size of the source in mind. */
export interface GgufHead {
  readonly version: number
  readonly littleEndian: boolean
  readonly alignment: number
  readonly keyValues: readonly GgufKeyValue[]
  readonly infos: readonly GgufTensorInfo[]
  /** Where the head ends, and the tensors' data begins: the head's end, aligned. */
  readonly headEnd: number
  readonly dataStart: number
}

export interface HeadOptions extends ReadOptions {
  readonly version1?: boolean | undefined
  readonly limits?: Partial<GgufLimits> | undefined
}

const MOST_DIMENSIONS = 4

/** Reads and checks a head, but not how the tensors lie: see `checkLayout`. */
export async function readHead(source: ByteSource, options: HeadOptions): Promise<GgufHead> {
  const limits = resolveCaps(defaultLimits, options.limits)
  const head = new HeadReader(source, {
    signal: options.signal,
    cap: limits.head,
    capName: 'limits.head',
    firstRead: 2 ** 18,
  })
  const version = await readVersion(head, source.label, options.version1 === true)
  const countWidth = version === 1 ? 4 : 8
  const reader: GgufReader = { head, countWidth }
  await head.need(2 * countWidth, 'the counts of tensors and key-values')
  const tensorCount = takeCount(reader)
  const keyValueCount = takeCount(reader)
  checkCap(tensorCount, limits.tensors, 'tensors', head.position)
  checkCap(keyValueCount, limits.keyValues, 'keyValues', head.position)
  // A key-value is at least two lengths' worth of words and one byte; a tensor info has a name, counts and an offset.
  head.checkCount(keyValueCount, countWidth + 5, 'key-values')
  head.checkCount(tensorCount, countWidth + 16, 'tensor infos')

  const keyValues: GgufKeyValue[] = []
  const keys = new Set<string>()
  for (let i = 0; i < keyValueCount; i++) {
    const at = head.position
    const keyValue = await readKeyValue(reader, i)
    if (keys.has(keyValue.key)) throw new KilnError('TYPE', `the key ${quoted(keyValue.key)} stands twice`, at)
    keys.add(keyValue.key)
    keyValues.push(keyValue)
  }
  const alignment = alignmentOf(keyValues)

  const infos: GgufTensorInfo[] = []
  const names = new Set<string>()
  for (let i = 0; i < tensorCount; i++) {
    const at = head.position
    const info = await readInfo(reader, i, source.size)
    if (names.has(info.name)) throw new KilnError('TYPE', `the tensor name ${quoted(info.name)} stands twice`, at)
    names.add(info.name)
    infos.push(info)
  }
  const headEnd = head.position
  return {
    version,
    littleEndian: head.littleEndian,
    alignment,
    keyValues,
    infos,
    headEnd,
    dataStart: alignUp(headEnd, alignment),
  }
}

function checkCap(count: number, cap: number, name: string, at: number): void {
  if (count > cap)
    throw new KilnError('LIMIT', `${count} ${name} announced, over the cap of ${cap}; raise limits.${name}`, at)
}

/** `general.alignment`, which must be a uint32 and a power of two of at most 65,536; 32 where it is missing. */
export function alignmentOf(keyValues: readonly GgufKeyValue[]): number {
  const found = keyValues.find(({ key }) => key === ALIGNMENT_KEY)
  if (found === undefined) return DEFAULT_ALIGNMENT
  if (found.type !== 'uint32')
    throw new KilnError('TYPE', `${ALIGNMENT_KEY} must be of type uint32; it is of type ${found.type}`)
  const { value } = found
  if (value > LARGEST_ALIGNMENT) {
    throw new KilnError('LIMIT', `${ALIGNMENT_KEY} is ${value}; at most ${LARGEST_ALIGNMENT} is taken`)
  }
  if (!Number.isInteger(Math.log2(value))) {
    throw new KilnError('TYPE', `${ALIGNMENT_KEY} is ${value}, and has to be a power of two`)
  }
  return value
}

async function readInfo(reader: GgufReader, index: number, fileSize: number): Promise<GgufTensorInfo> {
  const { head, countWidth } = reader
  const name = await readText(reader, `the name of tensor ${index}`)
  const what = `tensor ${quoted(name)}`
  await head.need(4, `the rank of ${what}`)
  const at = head.position
  const rank = head.u32()
  if (rank > MOST_DIMENSIONS) {
    throw new KilnError('TYPE', `${what} has ${rank} dimensions; GGUF has at most ${MOST_DIMENSIONS}`, at)
  }
  await head.need(rank * countWidth + 12, `the shape, type and offset of ${what}`)
  const shape: number[] = []
  for (let i = 0; i < rank; i++) {
    const dimension = takeCount(reader)
    if (!Number.isSafeInteger(dimension)) throw new KilnError('TYPE', `${what} has a dimension over 2^53 − 1`, at)
    shape.unshift(dimension)
  }
  const ggmlType = head.u32()
  const offset = head.u64()
  const dtype = dtypeOfGgml(ggmlType)
  if (dtype === undefined)
    throw new KilnError('TYPE', `${what} is of ggml's type ${ggmlType}, ${unknownGgml(ggmlType)}`, at)
  const row = shape[rank - 1]
  if (dtype.foreign && (row === undefined || row % dtype.blockElements !== 0)) {
    const has = row === undefined ? 'no dimension' : `rows of ${row} elements`
    throw new KilnError('TYPE', `${what} has ${has}; ${dtype.name} needs whole blocks of ${dtype.blockElements}`, at)
  }
  const byteLength = payloadLength(dtype, shape)
  if (typeof byteLength === 'bigint' || byteLength > fileSize) {
    throw new KilnError(
      'EOF',
      `${what} of shape [${shape.join(', ')}] needs ${byteLength} bytes, and the file has ${fileSize}`,
      at,
    )
  }
  return { name, dtype, ggmlType, shape, byteLength, offset }
}
