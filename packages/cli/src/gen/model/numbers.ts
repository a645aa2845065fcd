import type { NumberName, ScalarName } from 'kiln-format'

/** Bytes of each scalar. */
export const WIDTHS: Readonly<Record<ScalarName, number>> = {
  bool: 1,
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  i64: 8,
  u64: 8,
  f16: 2,
  bf16: 2,
  f32: 4,
  f64: 8,
}

export function isScalar(kind: string): kind is ScalarName {
  return Object.hasOwn(WIDTHS, kind)
}

/** Whether lists of it are one typed array: every scalar but `bool`. */
export function isNumber(kind: string): kind is NumberName {
  return isScalar(kind) && kind !== 'bool'
}

export function isInt64(kind: string): boolean {
  return kind === 'i64' || kind === 'u64'
}
