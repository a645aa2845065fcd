import type { DtypeName } from 'kiln-format'

/** The dtypes of weights in TensorFlow.js, and what a weight is quantized to; strings are no numbers. */
const DTYPES = new Map<string, DtypeName>([
  ['float32', 'f32'],
  ['float16', 'f16'],
  ['int32', 'i32'],
  ['uint16', 'u16'],
  ['uint8', 'u8'],
  ['bool', 'bool'],
  ['complex64', 'c64'],
])

/** Kiln's dtype for one of a manifest, or undefined for one that the format has not. */
export function kilnDtype(name: string): DtypeName | undefined {
  return DTYPES.get(name)
}

/** What `quantization.dtype` may be. */
export const QUANTIZED: ReadonlySet<string> = new Set(['uint8', 'uint16', 'float16'])
