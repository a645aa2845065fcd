import type { DtypeName } from 'kiln-format'

/**
 * The dtypes of safetensors and what they are in Kiln, in the order of the reference implementation:
 * its writer sorts by it, the last first, so that wide elements come before narrow ones.
 */
const ROWS = [
  ['BOOL', 'bool'],
  ['F4', 'e2m1'],
  ['F6_E2M3', 'e2m3'],
  ['F6_E3M2', 'e3m2'],
  ['U8', 'u8'],
  ['I8', 'i8'],
  ['F8_E5M2', 'f8e5m2'],
  ['F8_E4M3', 'f8e4m3'],
  ['F8_E8M0', 'e8m0'],
  ['F8_E4M3FNUZ', 'f8e4m3fnuz'],
  ['F8_E5M2FNUZ', 'f8e5m2fnuz'],
  ['I16', 'i16'],
  ['U16', 'u16'],
  ['F16', 'f16'],
  ['BF16', 'bf16'],
  ['I32', 'i32'],
  ['U32', 'u32'],
  ['F32', 'f32'],
  ['C64', 'c64'],
  ['F64', 'f64'],
  ['I64', 'i64'],
  ['U64', 'u64'],
] as const satisfies readonly (readonly [string, DtypeName])[]

const toKiln = new Map<string, DtypeName>(ROWS)
const fromKiln = new Map<DtypeName, { name: string; order: number }>()
ROWS.forEach(([name, dtype], order) => fromKiln.set(dtype, { name, order }))

/** Kiln's dtype for one of safetensors, or undefined for a name that the format has not (yet). */
export function kilnDtype(name: string): DtypeName | undefined {
  return toKiln.get(name)
}

/** The name of a Kiln dtype in safetensors and its place in the writer's order; undefined if it has none. */
export function safetensorsDtype(dtype: DtypeName): { readonly name: string; readonly order: number } | undefined {
  return fromKiln.get(dtype)
}
