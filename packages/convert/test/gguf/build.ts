import type { GgufArray, GgufKeyValue, GgufValueType } from '../../src/gguf/value-types.js'

/** Value types by their ids, written out here once more so that the tests don't take them from the sources. */
export const TYPE_IDS: Readonly<Record<GgufValueType, number>> = {
  uint8: 0,
  int8: 1,
  uint16: 2,
  int16: 3,
  uint32: 4,
  int32: 5,
  float32: 6,
  bool: 7,
  string: 8,
  array: 9,
  uint64: 10,
  int64: 11,
  float64: 12,
}

export interface BuildOptions {
  readonly version?: number
  readonly littleEndian?: boolean
}

/** A part of a GGUF file, put together number by number. */
export class Builder {
  private readonly bytes: number[] = []
  private readonly littleEndian: boolean
  private readonly countWidth: 4 | 8

  constructor({ version = 3, littleEndian = true }: BuildOptions = {}) {
    this.littleEndian = littleEndian
    this.countWidth = version === 1 ? 4 : 8
  }

  get length(): number {
    return this.bytes.length
  }

  raw(...bytes: readonly number[]): this {
    for (const byte of bytes) this.bytes.push(byte)
    return this
  }

  number(width: 1 | 2 | 4 | 8, value: number | bigint): this {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true)
    for (let i = 0; i < width; i++) this.bytes.push(view.getUint8(this.littleEndian ? i : width - 1 - i))
    return this
  }

  u32(value: number): this {
    return this.number(4, value)
  }

  u64(value: number | bigint): this {
    return this.number(8, value)
  }

  count(value: number | bigint): this {
    return this.number(this.countWidth, value)
  }

  float(width: 4 | 8, value: number): this {
    const view = new DataView(new ArrayBuffer(8))
    if (width === 4) view.setFloat32(0, value)
    else view.setFloat64(0, value)
    return this.number(width, width === 4 ? view.getUint32(0) : view.getBigUint64(0))
  }

  text(text: string | Uint8Array): this {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    this.count(bytes.length)
    for (const byte of bytes) this.bytes.push(byte)
    return this
  }

  /** What follows the type of a value. */
  value(keyValue: Pick<GgufKeyValue, 'type' | 'value'>): this {
    const { type, value } = keyValue
    if (type === 'array') return this.array(value as GgufArray)
    return this.scalar(type, value as number | bigint | boolean | string)
  }

  scalar(type: Exclude<GgufValueType, 'array'>, value: number | bigint | boolean | string): this {
    switch (type) {
      case 'string':
        return this.text(value as string)
      case 'bool':
        return this.number(1, value === true ? 1 : 0)
      case 'uint8':
      case 'int8':
        return this.number(1, value as number)
      case 'uint16':
      case 'int16':
        return this.number(2, value as number)
      case 'uint32':
      case 'int32':
        return this.number(4, value as number)
      case 'uint64':
      case 'int64':
        return this.number(8, value as bigint)
      case 'float32':
        return this.float(4, value as number)
      case 'float64':
        return this.float(8, value as number)
    }
  }

  array(array: GgufArray): this {
    return this.u32(TYPE_IDS[array.itemType]).count(array.items.length).items(array)
  }

  /** The items of an array as they are stored. */
  items(array: GgufArray): this {
    if (array.itemType === 'array') {
      for (const item of array.items) this.array(item)
    } else if (array.itemType === 'float32' || array.itemType === 'float64') {
      // By their bits: a NaN that passes through a number may lose its payload.
      const { buffer, byteOffset, length, BYTES_PER_ELEMENT: width } = array.items
      const words =
        width === 4 ? new Uint32Array(buffer, byteOffset, length) : new BigUint64Array(buffer, byteOffset, length)
      for (const word of words) this.number(width === 4 ? 4 : 8, word)
    } else for (const item of array.items) this.scalar(array.itemType, item)
    return this
  }

  pad(alignment = 32): this {
    while (this.bytes.length % alignment !== 0) this.bytes.push(0)
    return this
  }

  done(): Uint8Array {
    return Uint8Array.from(this.bytes)
  }
}

/** A tensor info. `ne` is innermost first, as stored. Without a payload the offset is only a number. */
export interface BuiltTensor {
  readonly name: string | Uint8Array
  readonly ne: readonly (number | bigint)[]
  readonly type: number
  readonly offset: number | bigint
  readonly payload?: Uint8Array
}

/** A whole file: `keyValues` are written by `write` for what no {@link GgufKeyValue} can be. */
export function buildGguf(
  keyValues: readonly (GgufKeyValue | ((file: Builder) => void))[],
  tensors: readonly BuiltTensor[] = [],
  { alignment = 32, ...options }: BuildOptions & { readonly alignment?: number } = {},
): Uint8Array {
  const { version = 3 } = options
  const file = new Builder(options)
  file.raw(0x47, 0x47, 0x55, 0x46).u32(version).count(tensors.length).count(keyValues.length)
  for (const keyValue of keyValues) {
    if (typeof keyValue === 'function') keyValue(file)
    else file.text(keyValue.key).u32(TYPE_IDS[keyValue.type]).value(keyValue)
  }
  for (const { name, ne, type, offset } of tensors) {
    file.text(name).u32(ne.length)
    for (const n of ne) file.count(n)
    file.u32(type).u64(offset)
  }
  file.pad(alignment)
  const start = file.length
  for (const { offset, payload } of tensors) {
    if (payload === undefined) continue
    while (file.length < start + Number(offset)) file.raw(0)
    for (const byte of payload) file.raw(byte)
    file.pad(alignment)
  }
  return file.done()
}
