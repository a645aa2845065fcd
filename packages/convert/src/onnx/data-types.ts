import type { DtypeName } from 'kiln-format'

/** The fields of TensorProto that hold elements, by their number. */
export type ValueField = 4 | 5 | 7 | 10 | 11

/**
 * ONNX's data types by their number: the name there, Kiln's dtype, and the field that holds elements
 * where they aren't raw bytes. `field` 0: not numbers.
 */
const ROWS: readonly (readonly [name: string, dtype: DtypeName | undefined, field: ValueField | 0])[] = [
  ['UNDEFINED', undefined, 0],
  ['FLOAT', 'f32', 4],
  ['UINT8', 'u8', 5],
  ['INT8', 'i8', 5],
  ['UINT16', 'u16', 5],
  ['INT16', 'i16', 5],
  ['INT32', 'i32', 5],
  ['INT64', 'i64', 7],
  ['STRING', undefined, 0],
  ['BOOL', 'bool', 5],
  ['FLOAT16', 'f16', 5],
  ['DOUBLE', 'f64', 10],
  ['UINT32', 'u32', 11],
  ['UINT64', 'u64', 11],
  ['COMPLEX64', 'c64', 4],
  ['COMPLEX128', 'c128', 10],
  ['BFLOAT16', 'bf16', 5],
  ['FLOAT8E4M3FN', 'f8e4m3', 5],
  ['FLOAT8E4M3FNUZ', 'f8e4m3fnuz', 5],
  ['FLOAT8E5M2', 'f8e5m2', 5],
  ['FLOAT8E5M2FNUZ', 'f8e5m2fnuz', 5],
  ['UINT4', 'u4', 5],
  ['INT4', 'i4', 5],
  ['FLOAT4E2M1', 'e2m1', 5],
  ['FLOAT8E8M0', 'e8m0', 5],
  ['UINT2', 'u2', 5],
  ['INT2', 'i2', 5],
]

/** A data type of ONNX. */
export interface DataType {
  readonly name: string
  readonly dtype: DtypeName | undefined
  readonly field: ValueField | 0
}

const types: readonly DataType[] = ROWS.map(([name, dtype, field]) => ({ name, dtype, field }))

/** The data type of a number in a file, or undefined for one that is not known. */
export function dataType(number: number): DataType | undefined {
  return types[number]
}

/** The name that ONNX gives a field of elements. */
export const fieldNames: Readonly<Record<ValueField, string>> = {
  4: 'float_data',
  5: 'int32_data',
  7: 'int64_data',
  10: 'double_data',
  11: 'uint64_data',
}

/**
 * What an entry of `int32_data` may be, by dtype: the range that the entry has to lie in, and the bytes
 * that are kept of it. Bits of floats are unsigned; an entry of a dtype under a byte is a packed byte,
 * which some writers take for a signed one.
 */
export const int32Entries: Readonly<
  Partial<Record<DtypeName, { readonly least: number; readonly most: number; readonly bytes: 1 | 2 | 4 }>>
> = {
  bool: { least: 0, most: 1, bytes: 1 },
  u8: { least: 0, most: 255, bytes: 1 },
  i8: { least: -128, most: 127, bytes: 1 },
  u16: { least: 0, most: 65_535, bytes: 2 },
  i16: { least: -32_768, most: 32_767, bytes: 2 },
  i32: { least: -(2 ** 31), most: 2 ** 31 - 1, bytes: 4 },
  f16: { least: 0, most: 65_535, bytes: 2 },
  bf16: { least: 0, most: 65_535, bytes: 2 },
  f8e4m3: { least: 0, most: 255, bytes: 1 },
  f8e4m3fnuz: { least: 0, most: 255, bytes: 1 },
  f8e5m2: { least: 0, most: 255, bytes: 1 },
  f8e5m2fnuz: { least: 0, most: 255, bytes: 1 },
  e8m0: { least: 0, most: 255, bytes: 1 },
  u4: { least: -128, most: 255, bytes: 1 },
  i4: { least: -128, most: 255, bytes: 1 },
  e2m1: { least: -128, most: 255, bytes: 1 },
  u2: { least: -128, most: 255, bytes: 1 },
  i2: { least: -128, most: 255, bytes: 1 },
}
