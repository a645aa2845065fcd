import { KilnError } from 'kiln-format'
import { hostIsLittleEndian, swapNumbers } from '../reading/byte-order.js'
import type { HeadReader } from '../reading/head-reader.js'
import { quoted } from '../text/quoted.js'
import { ARRAY_DEPTH, LONGEST_KEY, numberArrays, valueTypeOfId, valueWidth } from './value-types.js'
import type { GgufArray, GgufKeyValue, GgufNumbers, GgufNumberType, GgufValue, GgufValueType } from './value-types.js'

/** A head reader that knows how wide counts and lengths are: 8 bytes, and 4 in version 1. */
export interface GgufReader {
  readonly head: HeadReader
  readonly countWidth: 4 | 8
}

const NAN32 = 0x7fc00000n
const NAN64 = 0x7ff8000000000000n

/** The bits that `value: NaN` without `bits` stands for. */
export function standardNan(type: 'float32' | 'float64'): bigint {
  return type === 'float32' ? NAN32 : NAN64
}

/** A count or length, after `need` of its bytes. */
export function takeCount({ head, countWidth }: GgufReader): number {
  return countWidth === 8 ? head.u64() : head.u32()
}

export async function readText(reader: GgufReader, what: string, cap = Infinity): Promise<string> {
  const { head, countWidth } = reader
  await head.need(countWidth, `the length of ${what}`)
  const at = head.position
  const length = takeCount(reader)
  if (length > cap) throw new KilnError('LIMIT', `${what} has ${length} bytes; at most ${cap} are allowed`, at)
  await head.need(length, what)
  return head.text(length, what)
}

/** One key with its value. */
export async function readKeyValue(reader: GgufReader, index: number): Promise<GgufKeyValue> {
  const key = await readText(reader, `key ${index}`, LONGEST_KEY)
  const what = `the value of ${quoted(key)}`
  const type = await readType(reader.head, what)
  return { key, ...(await readValue(reader, type, what)) }
}

async function readType(head: HeadReader, what: string): Promise<GgufValueType> {
  await head.need(4, `the type of ${what}`)
  const at = head.position
  const id = head.u32()
  const type = valueTypeOfId(id)
  if (type === undefined) throw new KilnError('TYPE', `${what} has type ${id}; GGUF has the types 0 to 12`, at)
  return type
}

async function readValue(reader: GgufReader, type: GgufValueType, what: string): Promise<GgufValue> {
  if (type === 'string') return { type, value: await readText(reader, what) }
  if (type === 'array') return { type, value: await readArray(reader, what, 1) }
  const { head } = reader
  await head.need(valueWidth(type)!, what)
  if (type === 'bool') return { type, value: takeBool(head, what) }
  switch (type) {
    case 'uint8':
      return { type, value: head.u8() }
    case 'int8':
      return { type, value: signed(head.u8(), 8) }
    case 'uint16':
      return { type, value: head.u16() }
    case 'int16':
      return { type, value: signed(head.u16(), 16) }
    case 'uint32':
      return { type, value: head.u32() }
    case 'int32':
      return { type, value: signed(head.u32(), 32) }
    case 'uint64':
      return { type, value: head.bigU64() }
    case 'int64':
      return { type, value: BigInt.asIntN(64, head.bigU64()) }
    case 'float32':
      return float(type, BigInt(head.u32()))
    case 'float64':
      return float(type, head.bigU64())
  }
}

function signed(value: number, bits: 8 | 16 | 32): number {
  return value >= 2 ** (bits - 1) ? value - 2 ** bits : value
}

/** A float from its bits, which it keeps beside it if it is a NaN. */
export function float(type: 'float32' | 'float64', bits: bigint): GgufValue {
  const view = new DataView(new ArrayBuffer(8))
  if (type === 'float32') view.setUint32(0, Number(bits))
  else view.setBigUint64(0, bits)
  const value = type === 'float32' ? view.getFloat32(0) : view.getFloat64(0)
  return Number.isNaN(value) ? { type, value, bits } : { type, value }
}

function takeBool(head: HeadReader, what: string): boolean {
  const byte = head.u8()
  if (byte > 1) throw new KilnError('TYPE', `${what} is a bool of byte ${byte}; only 0 and 1 are`, head.position - 1)
  return byte === 1
}

async function readArray(reader: GgufReader, what: string, depth: number): Promise<GgufArray> {
  const { head, countWidth } = reader
  if (depth > ARRAY_DEPTH) {
    throw new KilnError('LIMIT', `${what} nests arrays more than ${ARRAY_DEPTH} deep`, head.position)
  }
  const itemType = await readType(head, `the items of ${what}`)
  await head.need(countWidth, `the length of ${what}`)
  const count = takeCount(reader)
  // What an item takes at least: a number its width, a string its length, an array its type and length.
  const least = valueWidth(itemType) ?? (itemType === 'string' ? countWidth : 4 + countWidth)
  head.checkCount(count, least, `the items of ${what}`)

  if (itemType === 'string') {
    const items: string[] = []
    for (let i = 0; i < count; i++) {
      // Waits only at the window's edge: a vocabulary has hundreds of thousands of short strings.
      if (!head.has(countWidth)) await head.need(countWidth, `the length of item ${i} of ${what}`)
      const length = takeCount(reader)
      if (!head.has(length)) await head.need(length, `item ${i} of ${what}`)
      items.push(head.text(length, what))
    }
    return { itemType, items }
  }
  if (itemType === 'array') {
    const items: GgufArray[] = []
    for (let i = 0; i < count; i++) items.push(await readArray(reader, what, depth + 1))
    return { itemType, items }
  }
  await head.need(count * least, `the items of ${what}`)
  if (itemType === 'bool') {
    const items: boolean[] = []
    for (let i = 0; i < count; i++) items.push(takeBool(head, `item ${i} of ${what}`))
    return { itemType, items }
  }
  return { itemType, items: takeNumbers(head, itemType, count, least) }
}

function takeNumbers(head: HeadReader, type: GgufNumberType, count: number, width: number): GgufNumbers {
  const items = new numberArrays[type](count)
  const bytes = new Uint8Array(items.buffer, items.byteOffset, items.byteLength)
  bytes.set(head.bytes(count * width))
  if (head.littleEndian !== hostIsLittleEndian) swapNumbers(bytes, width)
  return items
}
