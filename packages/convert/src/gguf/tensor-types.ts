import { dtypes } from 'kiln-format'
import type { Dtype } from 'kiln-format'

/** ggml's plain types and the dtypes that they are; every other type of ggml is the dtype 0x1000 + its number. */
const PLAIN: readonly (readonly [type: number, dtype: string])[] = [
  [0, 'f32'],
  [1, 'f16'],
  [24, 'i8'],
  [25, 'i16'],
  [26, 'i32'],
  [27, 'i64'],
  [28, 'f64'],
  [30, 'bf16'],
]

/** Types that ggml had once: files with them have to be made anew. */
const REMOVED: ReadonlyMap<number, string> = new Map([
  [4, 'Q4_2'],
  [5, 'Q4_3'],
  [31, 'Q4_0_4_4'],
  [32, 'Q4_0_4_8'],
  [33, 'Q4_0_8_8'],
  [36, 'IQ4_NL_4_4'],
  [37, 'IQ4_NL_4_8'],
  [38, 'IQ4_NL_8_8'],
])

const FOREIGN_BASE = 0x1000

const byType = new Map<number, Dtype>()
const byDtype = new Map<string, number>()
for (const dtype of dtypes) {
  const type = dtype.foreign ? dtype.code - FOREIGN_BASE : PLAIN.find(([, name]) => name === dtype.name)?.[0]
  if (type === undefined) continue
  byType.set(type, dtype)
  byDtype.set(dtype.name, type)
}

/** The dtype of ggml's type, or undefined. */
export function dtypeOfGgml(type: number): Dtype | undefined {
  return byType.get(type)
}

/** ggml's number for a dtype, or undefined if GGUF can't hold it. */
export function ggmlOfDtype(name: string): number | undefined {
  return byDtype.get(name)
}

/** Why a type number is not known: it was removed, or there is none. */
export function unknownGgml(type: number): string {
  const removed = REMOVED.get(type)
  if (removed !== undefined) return `${removed}, which ggml has removed: convert the model anew`
  return 'which is not known: it is newer than this reader, or the file is damaged'
}

/**
 * Where the 16-bit numbers lie in a block that also comes in big-endian files. Only the types for
 * which llama.cpp's own conversion between byte orders is defined are here: for the others the
 * files in circulation don't tell which fields of a block a big-endian host swaps.
 */
export const swappedFields: ReadonlyMap<string, readonly number[]> = new Map([
  ['ggml_q4_0', [0]],
  ['ggml_q8_0', [0]],
  ['ggml_q4_k', [0, 2]],
  ['ggml_q6_k', [208]],
  ['ggml_mxfp4', []],
])
