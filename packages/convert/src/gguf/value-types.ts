/** The value types of GGUF's key-values: the id in the file, and the bytes of one value where they are fixed. */
const ROWS = [
  ['uint8', 0, 1],
  ['int8', 1, 1],
  ['uint16', 2, 2],
  ['int16', 3, 2],
  ['uint32', 4, 4],
  ['int32', 5, 4],
  ['float32', 6, 4],
  ['bool', 7, 1],
  ['string', 8, undefined],
  ['array', 9, undefined],
  ['uint64', 10, 8],
  ['int64', 11, 8],
  ['float64', 12, 8],
] as const

/** The name of a value type of GGUF, as its specification spells it. */
export type GgufValueType = (typeof ROWS)[number][0]

/** The value types whose arrays are typed arrays here. */
export type GgufNumberType = Exclude<GgufValueType, 'bool' | 'string' | 'array'>

const ids = new Map<GgufValueType, number>(ROWS.map(([name, id]) => [name, id]))
const names = new Map<number, GgufValueType>(ROWS.map(([name, id]) => [id, name]))
const widths = new Map<GgufValueType, number | undefined>(ROWS.map(([name, , width]) => [name, width]))

/** The value type of an id, or undefined if there is none. */
export function valueTypeOfId(id: number): GgufValueType | undefined {
  return names.get(id)
}

export function valueTypeId(type: GgufValueType): number {
  return ids.get(type)!
}

export function isValueType(name: string): name is GgufValueType {
  return ids.has(name as GgufValueType)
}

/** Bytes of one value; undefined for string and array. */
export function valueWidth(type: GgufValueType): number | undefined {
  return widths.get(type)
}

/** The items of an array of numbers, as a typed array of their type. */
export type GgufNumbers =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | BigUint64Array
  | BigInt64Array
  | Float64Array

/** The typed array that holds the items of an array of numbers, NaN payloads and −0 included. */
export const numberArrays: { readonly [T in GgufNumberType]: new (length: number) => GgufNumbers } = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  float64: Float64Array,
}

/** The least and the greatest value of the integer types. */
export const integerRanges: ReadonlyMap<GgufValueType, readonly [bigint, bigint]> = new Map([
  ['uint8', [0n, 255n]],
  ['int8', [-128n, 127n]],
  ['uint16', [0n, 65_535n]],
  ['int16', [-32_768n, 32_767n]],
  ['uint32', [0n, 2n ** 32n - 1n]],
  ['int32', [-(2n ** 31n), 2n ** 31n - 1n]],
  ['uint64', [0n, 2n ** 64n - 1n]],
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
])

/** An array value. What its items are follows from `itemType`. */
export type GgufArray =
  | { readonly itemType: GgufNumberType; readonly items: GgufNumbers }
  | { readonly itemType: 'bool'; readonly items: readonly boolean[] }
  | { readonly itemType: 'string'; readonly items: readonly string[] }
  | { readonly itemType: 'array'; readonly items: readonly GgufArray[] }

/** A value with its type: bigint for the 64-bit integers, whatever their size, and number for the other numbers. */
export type GgufValue =
  | { readonly type: Exclude<GgufNumberType, 'uint64' | 'int64' | 'float32' | 'float64'>; readonly value: number }
  | {
      readonly type: 'float32' | 'float64'
      readonly value: number
      /** The bits, where `value` is a NaN: its sign and payload, which a number need not keep. */
      readonly bits?: bigint | undefined
    }
  | { readonly type: 'uint64' | 'int64'; readonly value: bigint }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'array'; readonly value: GgufArray }

/** One entry of a GGUF file's metadata. */
export type GgufKeyValue = GgufValue & { readonly key: string }

/** Arrays in arrays, at most so many levels: `[1]` is one. The depth that the format allows for schemas. */
export const ARRAY_DEPTH = 64

/** Bytes of a key at most, by GGUF's specification. */
export const LONGEST_KEY = 65_535

/** What holds where a file has no `general.alignment`. */
export const DEFAULT_ALIGNMENT = 32

/** The greatest alignment that is believed; the greatest that a directory of Kiln may have too. */
export const LARGEST_ALIGNMENT = 65_536

export const ALIGNMENT_KEY = 'general.alignment'
