import type { DtypeName } from 'kiln-format'
import { dequantizesGgml } from 'kiln-format/numeric'

/** Dtypes whose elements are numbers with a fraction: what `--dtype` and `--quantize` are about. */
const FLOATS: ReadonlySet<DtypeName> = new Set([
  'f16', 'bf16', 'f32', 'f64', 'f8e4m3', 'f8e5m2', 'f8e4m3fnuz', 'f8e5m2fnuz', 'e3m2', 'e2m3', 'e2m1',
])

/** Whether a tensor of this dtype, with or without links, holds fractions. Scales alone (`e8m0`) do not count. */
export function holdsFractions(dtype: DtypeName, linked: boolean): boolean {
  return linked || FLOATS.has(dtype) || dequantizesGgml(dtype)
}
