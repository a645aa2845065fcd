import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'

/**
 * Every dtype (FORMAT §4, Dtypes and Foreign blocks): the name, the code in the descriptor, how
 * many elements make a block and how many bits a block takes. A plain dtype is a block of one
 * element. This table is the only place that knows them.
 */
const ROWS = [
  ['bool', 0x0001, 1, 8],
  ['u8', 0x0002, 1, 8],
  ['i8', 0x0003, 1, 8],
  ['u16', 0x0004, 1, 16],
  ['i16', 0x0005, 1, 16],
  ['u32', 0x0006, 1, 32],
  ['i32', 0x0007, 1, 32],
  ['u64', 0x0008, 1, 64],
  ['i64', 0x0009, 1, 64],
  ['u4', 0x000a, 1, 4],
  ['i4', 0x000b, 1, 4],
  ['u2', 0x000c, 1, 2],
  ['i2', 0x000d, 1, 2],
  ['u1', 0x000e, 1, 1],
  ['f16', 0x0101, 1, 16],
  ['bf16', 0x0102, 1, 16],
  ['f32', 0x0103, 1, 32],
  ['f64', 0x0104, 1, 64],
  ['c64', 0x0105, 1, 64],
  ['c128', 0x0106, 1, 128],
  ['f8e4m3', 0x0201, 1, 8],
  ['f8e5m2', 0x0202, 1, 8],
  ['f8e4m3fnuz', 0x0203, 1, 8],
  ['f8e5m2fnuz', 0x0204, 1, 8],
  ['e8m0', 0x0205, 1, 8],
  ['e3m2', 0x0206, 1, 6],
  ['e2m3', 0x0207, 1, 6],
  ['e2m1', 0x0208, 1, 4],
  ['ggml_q4_0', 0x1002, 32, 18 * 8],
  ['ggml_q4_1', 0x1003, 32, 20 * 8],
  ['ggml_q5_0', 0x1006, 32, 22 * 8],
  ['ggml_q5_1', 0x1007, 32, 24 * 8],
  ['ggml_q8_0', 0x1008, 32, 34 * 8],
  ['ggml_q8_1', 0x1009, 32, 36 * 8],
  ['ggml_q2_k', 0x100a, 256, 84 * 8],
  ['ggml_q3_k', 0x100b, 256, 110 * 8],
  ['ggml_q4_k', 0x100c, 256, 144 * 8],
  ['ggml_q5_k', 0x100d, 256, 176 * 8],
  ['ggml_q6_k', 0x100e, 256, 210 * 8],
  ['ggml_q8_k', 0x100f, 256, 292 * 8],
  ['ggml_iq2_xxs', 0x1010, 256, 66 * 8],
  ['ggml_iq2_xs', 0x1011, 256, 74 * 8],
  ['ggml_iq3_xxs', 0x1012, 256, 98 * 8],
  ['ggml_iq1_s', 0x1013, 256, 50 * 8],
  ['ggml_iq4_nl', 0x1014, 32, 18 * 8],
  ['ggml_iq3_s', 0x1015, 256, 110 * 8],
  ['ggml_iq2_s', 0x1016, 256, 82 * 8],
  ['ggml_iq4_xs', 0x1017, 256, 136 * 8],
  ['ggml_iq1_m', 0x101d, 256, 56 * 8],
  ['ggml_tq1_0', 0x1022, 256, 54 * 8],
  ['ggml_tq2_0', 0x1023, 256, 66 * 8],
  ['ggml_mxfp4', 0x1027, 32, 17 * 8],
  ['ggml_nvfp4', 0x1028, 64, 36 * 8],
  ['ggml_q1_0', 0x1029, 128, 18 * 8],
  ['ggml_q2_0', 0x102a, 64, 18 * 8],
] as const

/** The name of a dtype, such as `bf16`, `e2m1` or `ggml_q4_k`. */
export type DtypeName = (typeof ROWS)[number][0]

/** What the format says of a dtype. */
export interface Dtype {
  readonly name: DtypeName
  /** The code in the descriptor. */
  readonly code: number
  /** Elements a block: 1, or for a ggml dtype 32, 64, 128 or 256. */
  readonly blockElements: number
  /** Bits a block; with one element a block, bits an element. */
  readonly blockBits: number
  /** Whether the dtype is one of ggml's blocks, which Kiln stores and doesn't interpret. */
  readonly foreign: boolean
}

const byCode = new Map<number, Dtype>()
const byName = new Map<string, Dtype>()
for (const [name, code, blockElements, blockBits] of ROWS) {
  const dtype: Dtype = Object.freeze({ name, code, blockElements, blockBits, foreign: blockElements > 1 })
  byCode.set(code, dtype)
  byName.set(name, dtype)
}

/** All dtypes, in the order of their codes. */
export const dtypes: readonly Dtype[] = /* @__PURE__ */ (() => Object.freeze([...byCode.values()]))()

/** The dtype with this code in the descriptor, or undefined. */
export function dtypeOfCode(code: number): Dtype | undefined {
  return byCode.get(code)
}

/** The dtype of this name. Throws `TYPE` for a name that is not a dtype's. */
export function dtypeOf(name: string): Dtype {
  const dtype = byName.get(name)
  if (dtype === undefined) {
    throw new KilnError('TYPE', `${describe(name)} is no dtype; there are ${[...byName.keys()].slice(0, 28).join(' ')} and ggml_…`)
  }
  return dtype
}

/**
 * Bytes of a payload (FORMAT §4, Payloads): `ceil(elements * bits / 8)`, and for a foreign dtype
 * whole blocks. `shape` is outermost first. Its product may be of any size on the way, so the answer is
 * exact: a bigint where it is over 2^53 − 1.
 */
export function payloadLength(dtype: Dtype, shape: ArrayLike<number>): number | bigint {
  // By what it says, not by identity: it may be of another copy of the library.
  const known = typeof dtype === 'object' && dtype !== null ? byName.get(dtype.name) : undefined
  if (known === undefined || known.code !== dtype.code) {
    throw new KilnError('TYPE', `payloadLength takes a dtype such as dtypeOf('f32'), got ${describe(dtype)}`)
  }
  return lengthOfElements(known, elementCount(shape))
}

/** As {@link payloadLength}, from the number of elements. */
export function lengthOfElements(dtype: Dtype, elements: number | bigint): number | bigint {
  if (typeof elements === 'number') {
    const bits = (elements / dtype.blockElements) * dtype.blockBits
    if (bits <= Number.MAX_SAFE_INTEGER) return Math.ceil(bits / 8)
  }
  return exactNumber(((BigInt(elements) / BigInt(dtype.blockElements)) * BigInt(dtype.blockBits) + 7n) / 8n)
}

/** The product of a shape (1 for rank 0): a number while that is exact, else a bigint. `TYPE` for what is no shape. */
export function elementCount(shape: ArrayLike<number>): number | bigint {
  checkDimensions(shape)
  return productOf(shape)
}

/** Throws `TYPE` unless all are dimensions. */
export function checkDimensions(shape: ArrayLike<number>): void {
  if (typeof shape !== 'object' || shape === null || !Number.isSafeInteger(shape.length)) {
    throw new KilnError('TYPE', `a shape is an array of dimensions, got ${describe(shape)}`)
  }
  for (let d = 0; d < shape.length; d++) {
    const dimension: unknown = shape[d]
    if (!Number.isSafeInteger(dimension) || (dimension as number) < 0) {
      throw new KilnError('TYPE', `a dimension is an integer from 0 to 2^53 - 1, got ${describe(dimension)}`)
    }
  }
}

/** As {@link elementCount}, of dimensions that have been checked. */
export function productOf(shape: ArrayLike<number>): number | bigint {
  let product = 1
  for (let i = 0; i < shape.length; i++) product *= shape[i]!
  if (product <= Number.MAX_SAFE_INTEGER) return product
  let exact = 1n
  for (let i = 0; i < shape.length; i++) exact *= BigInt(shape[i]!)
  return exactNumber(exact)
}

function exactNumber(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}
