/** A dtype of FORMAT §4: `elements` make a block of `bits`. A plain dtype's block is one element. */
export interface Dtype {
  readonly name: string
  readonly code: bigint
  readonly elements: bigint
  readonly bits: bigint
}

const PLAIN: readonly (readonly [code: number, name: string, bits: number])[] = [
  [0x0001, 'bool', 8],
  [0x0002, 'u8', 8],
  [0x0003, 'i8', 8],
  [0x0004, 'u16', 16],
  [0x0005, 'i16', 16],
  [0x0006, 'u32', 32],
  [0x0007, 'i32', 32],
  [0x0008, 'u64', 64],
  [0x0009, 'i64', 64],
  [0x000a, 'u4', 4],
  [0x000b, 'i4', 4],
  [0x000c, 'u2', 2],
  [0x000d, 'i2', 2],
  [0x000e, 'u1', 1],
  [0x0101, 'f16', 16],
  [0x0102, 'bf16', 16],
  [0x0103, 'f32', 32],
  [0x0104, 'f64', 64],
  [0x0105, 'c64', 64],
  [0x0106, 'c128', 128],
  [0x0201, 'f8e4m3', 8],
  [0x0202, 'f8e5m2', 8],
  [0x0203, 'f8e4m3fnuz', 8],
  [0x0204, 'f8e5m2fnuz', 8],
  [0x0205, 'e8m0', 8],
  [0x0206, 'e3m2', 6],
  [0x0207, 'e2m3', 6],
  [0x0208, 'e2m1', 4],
]

/** ggml's blocks: the number of the type in ggml, its name, elements and bytes a block. */
const GGML: readonly (readonly [type: number, name: string, elements: number, bytes: number])[] = [
  [2, 'q4_0', 32, 18],
  [3, 'q4_1', 32, 20],
  [6, 'q5_0', 32, 22],
  [7, 'q5_1', 32, 24],
  [8, 'q8_0', 32, 34],
  [9, 'q8_1', 32, 36],
  [10, 'q2_k', 256, 84],
  [11, 'q3_k', 256, 110],
  [12, 'q4_k', 256, 144],
  [13, 'q5_k', 256, 176],
  [14, 'q6_k', 256, 210],
  [15, 'q8_k', 256, 292],
  [16, 'iq2_xxs', 256, 66],
  [17, 'iq2_xs', 256, 74],
  [18, 'iq3_xxs', 256, 98],
  [19, 'iq1_s', 256, 50],
  [20, 'iq4_nl', 32, 18],
  [21, 'iq3_s', 256, 110],
  [22, 'iq2_s', 256, 82],
  [23, 'iq4_xs', 256, 136],
  [29, 'iq1_m', 256, 56],
  [34, 'tq1_0', 256, 54],
  [35, 'tq2_0', 256, 66],
  [39, 'mxfp4', 32, 17],
  [40, 'nvfp4', 64, 36],
  [41, 'q1_0', 128, 18],
  [42, 'q2_0', 64, 18],
]

export const DTYPES: readonly Dtype[] = [
  ...PLAIN.map(([code, name, bits]) => ({ name, code: BigInt(code), elements: 1n, bits: BigInt(bits) })),
  ...GGML.map(([type, name, elements, bytes]) => ({
    name: `ggml_${name}`,
    code: 0x1000n + BigInt(type),
    elements: BigInt(elements),
    bits: 8n * BigInt(bytes),
  })),
]

export function dtypeOfCode(code: bigint): Dtype | undefined {
  return DTYPES.find((dtype) => dtype.code === code)
}

export function dtypeOfName(name: string): Dtype | undefined {
  return DTYPES.find((dtype) => dtype.name === name)
}

export function isForeign(dtype: Dtype): boolean {
  return dtype.elements > 1n
}

/** The number of elements; 1 where there is no dimension. */
export function elementsOf(shape: readonly bigint[]): bigint {
  return shape.reduce((product, size) => product * size, 1n)
}

/** Bytes of a payload. A foreign block's last dimension has been checked to be whole blocks. */
export function payloadBytes(dtype: Dtype, shape: readonly bigint[]): bigint {
  const bits = (elementsOf(shape) / dtype.elements) * dtype.bits
  return (bits + 7n) / 8n
}
