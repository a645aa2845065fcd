import { hostIsLittleEndian, swapNumbers } from '../reading/byte-order.js'
import { utf8Bytes } from '../reading/text.js'
import { quoted } from '../text/quoted.js'
import { standardNan } from './read-value.js'
import { valueTypeId } from './value-types.js'
import type { GgufArray, GgufKeyValue, GgufNumbers } from './value-types.js'

/** Bytes of a head, little-endian, in a buffer that doubles. */
export class HeadWriter {
  private bytes: Uint8Array
  private view: DataView
  private at = 0

  constructor(capacity = 4096) {
    this.bytes = new Uint8Array(capacity)
    this.view = new DataView(this.bytes.buffer)
  }

  get length(): number {
    return this.at
  }

  private room(length: number): number {
    const at = this.at
    this.at += length
    if (this.at > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.at, this.bytes.length * 2))
      grown.set(this.bytes.subarray(0, at))
      this.bytes = grown
      this.view = new DataView(grown.buffer)
    }
    return at
  }

  u8(value: number): void {
    const at = this.room(1)
    this.view.setUint8(at, value)
  }

  u16(value: number): void {
    const at = this.room(2)
    this.view.setUint16(at, value, true)
  }

  u32(value: number): void {
    const at = this.room(4)
    this.view.setUint32(at, value, true)
  }

  u64(value: number | bigint): void {
    const at = this.room(8)
    this.view.setBigUint64(at, BigInt(value), true)
  }

  float32(value: number): void {
    const at = this.room(4)
    this.view.setFloat32(at, value, true)
  }

  float64(value: number): void {
    const at = this.room(8)
    this.view.setFloat64(at, value, true)
  }

  append(bytes: Uint8Array): void {
    const at = this.room(bytes.length)
    this.bytes.set(bytes, at)
  }

  /** Numbers of a typed array, by their bits. */
  numbers(items: GgufNumbers): void {
    const at = this.room(items.byteLength)
    this.bytes.set(new Uint8Array(items.buffer, items.byteOffset, items.byteLength), at)
    if (!hostIsLittleEndian) swapNumbers(this.bytes.subarray(at, this.at), items.BYTES_PER_ELEMENT)
  }

  text(text: string, what: string): void {
    const bytes = utf8Bytes(text, what)
    this.u64(bytes.length)
    this.append(bytes)
  }

  /** What was written so far, which stays this writer's until it is written to again. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.at)
  }
}

/** Writes one key-value of version 3. */
export function writeKeyValue(head: HeadWriter, keyValue: GgufKeyValue): void {
  const { key } = keyValue
  head.text(key, `the key ${quoted(key)}`)
  head.u32(valueTypeId(keyValue.type))
  const what = `the value of ${quoted(key)}`
  switch (keyValue.type) {
    case 'string':
      return head.text(keyValue.value, what)
    case 'array':
      return writeArray(head, keyValue.value, what)
    case 'bool':
      return head.u8(keyValue.value ? 1 : 0)
    case 'uint64':
    case 'int64':
      return head.u64(BigInt.asUintN(64, keyValue.value))
    case 'float32':
      if (Number.isNaN(keyValue.value)) return head.u32(Number(keyValue.bits ?? standardNan('float32')))
      return head.float32(keyValue.value)
    case 'float64':
      if (Number.isNaN(keyValue.value)) return head.u64(keyValue.bits ?? standardNan('float64'))
      return head.float64(keyValue.value)
    case 'uint8':
    case 'int8':
      return head.u8(keyValue.value)
    case 'uint16':
    case 'int16':
      return head.u16(keyValue.value)
    case 'uint32':
    case 'int32':
      return head.u32(keyValue.value)
  }
}

function writeArray(head: HeadWriter, array: GgufArray, what: string): void {
  head.u32(valueTypeId(array.itemType))
  head.u64(array.items.length)
  switch (array.itemType) {
    case 'string':
      for (const item of array.items) head.text(item, what)
      return
    case 'bool':
      for (const item of array.items) head.u8(item ? 1 : 0)
      return
    case 'array':
      for (const item of array.items) writeArray(head, item, what)
      return
    default:
      head.numbers(array.items)
  }
}
