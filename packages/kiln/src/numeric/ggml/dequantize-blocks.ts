import { KilnError } from '../../errors/kiln-error.js'
import { dtypeOf, dtypes, type DtypeName } from '../../tensors/dtypes.js'
import type { BlockReader } from './block.js'
import { mxfp4, nvfp4 } from './fp4.js'
import { iq1_m, iq1_s } from './iq1.js'
import { iq2_s, iq2_xs, iq2_xxs } from './iq2.js'
import { iq3_s, iq3_xxs } from './iq3.js'
import { iq4_nl, iq4_xs } from './iq4.js'
import { q2_k, q3_k, q4_k, q5_k, q6_k } from './k-quants.js'
import { q4_0, q4_1, q5_0, q5_1, q8_0 } from './legacy.js'
import { tq1_0, tq2_0 } from './ternary.js'

const readers = new Map<DtypeName, BlockReader>([
  ['ggml_q4_0', q4_0],
  ['ggml_q4_1', q4_1],
  ['ggml_q5_0', q5_0],
  ['ggml_q5_1', q5_1],
  ['ggml_q8_0', q8_0],
  ['ggml_q2_k', q2_k],
  ['ggml_q3_k', q3_k],
  ['ggml_q4_k', q4_k],
  ['ggml_q5_k', q5_k],
  ['ggml_q6_k', q6_k],
  ['ggml_iq2_xxs', iq2_xxs],
  ['ggml_iq2_xs', iq2_xs],
  ['ggml_iq3_xxs', iq3_xxs],
  ['ggml_iq1_s', iq1_s],
  ['ggml_iq4_nl', iq4_nl],
  ['ggml_iq3_s', iq3_s],
  ['ggml_iq2_s', iq2_s],
  ['ggml_iq4_xs', iq4_xs],
  ['ggml_iq1_m', iq1_m],
  ['ggml_tq1_0', tq1_0],
  ['ggml_tq2_0', tq2_0],
  ['ggml_mxfp4', mxfp4],
  ['ggml_nvfp4', nvfp4],
])

/** Whether `dequantize` knows a dtype's blocks; false for every dtype that is none of ggml's. */
export function dequantizesGgml(dtype: DtypeName): boolean {
  return readers.has(dtype)
}

/** Refuses a dtype that has no block reader, with the ones that have none. */
export function checkGgml(dtype: DtypeName): void {
  if (readers.has(dtype)) return
  const missing = dtypes.filter(({ foreign, name }) => foreign && !readers.has(name)).map(({ name }) => name)
  throw new KilnError('TYPE', `${dtype} can't be dequantized; of ggml's dtypes these can't: ${missing.join(', ')}`)
}

/** Dequantizes whole blocks from the start of `bytes` to the start of `target`, as ggml's reference does. */
export function dequantizeBlocks(dtype: DtypeName, bytes: Uint8Array, blocks: number, target: Float32Array): void {
  checkGgml(dtype)
  const read = readers.get(dtype)!
  const { blockElements, blockBits } = dtypeOf(dtype)
  for (let i = 0; i < blocks; i++) read(bytes, i * (blockBits / 8), target, i * blockElements)
}
