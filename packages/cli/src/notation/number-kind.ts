import type { Schema } from 'kiln-format'

const NUMBERS: ReadonlySet<string> = new Set(['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'bf16', 'f32', 'f64'])

/** Whether lists of this type are one run of raw numbers (FORMAT §2); `bool` is not among them. */
export function isNumberSchema(schema: Schema): boolean {
  return NUMBERS.has(schema.kind)
}
