/**
 * The dtypes as the builders know them: name, code, a count of elements to try, and the bytes that
 * they take. Stated a second time on purpose: the reference has a table of its own, and each
 * guards the other.
 */
export type DtypeRow = readonly [name: string, code: number, elements: number, bytes: number]

export const PLAIN_ROWS: readonly DtypeRow[] = [
  ['bool', 0x0001, 3, 3],
  ['u8', 0x0002, 3, 3],
  ['i8', 0x0003, 3, 3],
  ['u16', 0x0004, 3, 6],
  ['i16', 0x0005, 3, 6],
  ['u32', 0x0006, 3, 12],
  ['i32', 0x0007, 3, 12],
  ['u64', 0x0008, 3, 24],
  ['i64', 0x0009, 3, 24],
  ['u4', 0x000a, 3, 2],
  ['i4', 0x000b, 3, 2],
  ['u2', 0x000c, 5, 2],
  ['i2', 0x000d, 5, 2],
  ['u1', 0x000e, 9, 2],
  ['f16', 0x0101, 3, 6],
  ['bf16', 0x0102, 3, 6],
  ['f32', 0x0103, 3, 12],
  ['f64', 0x0104, 3, 24],
  ['c64', 0x0105, 3, 24],
  ['c128', 0x0106, 3, 48],
  ['f8e4m3', 0x0201, 3, 3],
  ['f8e5m2', 0x0202, 3, 3],
  ['f8e4m3fnuz', 0x0203, 3, 3],
  ['f8e5m2fnuz', 0x0204, 3, 3],
  ['e8m0', 0x0205, 3, 3],
  ['e3m2', 0x0206, 3, 3],
  ['e2m3', 0x0207, 5, 4],
  ['e2m1', 0x0208, 3, 2],
]

/** One block of each: the elements are the block, the bytes are its size. */
export const GGML_ROWS: readonly DtypeRow[] = [
  ['ggml_q4_0', 0x1002, 32, 18],
  ['ggml_q4_1', 0x1003, 32, 20],
  ['ggml_q5_0', 0x1006, 32, 22],
  ['ggml_q5_1', 0x1007, 32, 24],
  ['ggml_q8_0', 0x1008, 32, 34],
  ['ggml_q8_1', 0x1009, 32, 36],
  ['ggml_q2_k', 0x100a, 256, 84],
  ['ggml_q3_k', 0x100b, 256, 110],
  ['ggml_q4_k', 0x100c, 256, 144],
  ['ggml_q5_k', 0x100d, 256, 176],
  ['ggml_q6_k', 0x100e, 256, 210],
  ['ggml_q8_k', 0x100f, 256, 292],
  ['ggml_iq2_xxs', 0x1010, 256, 66],
  ['ggml_iq2_xs', 0x1011, 256, 74],
  ['ggml_iq3_xxs', 0x1012, 256, 98],
  ['ggml_iq1_s', 0x1013, 256, 50],
  ['ggml_iq4_nl', 0x1014, 32, 18],
  ['ggml_iq3_s', 0x1015, 256, 110],
  ['ggml_iq2_s', 0x1016, 256, 82],
  ['ggml_iq4_xs', 0x1017, 256, 136],
  ['ggml_iq1_m', 0x101d, 256, 56],
  ['ggml_tq1_0', 0x1022, 256, 54],
  ['ggml_tq2_0', 0x1023, 256, 66],
  ['ggml_mxfp4', 0x1027, 32, 17],
  ['ggml_nvfp4', 0x1028, 64, 36],
  ['ggml_q1_0', 0x1029, 128, 18],
  ['ggml_q2_0', 0x102a, 64, 18],
]

/** Codes beside the ones that there are: gaps, neighbours, ggml's plain and retired types. */
export const UNKNOWN_CODES: readonly number[] = [
  0x0000, 0x000f, 0x0010, 0x00ff, 0x0100, 0x0107, 0x0200, 0x0209, 0x02ff, 0x0301, 0x0fff, 0x1000, 0x1001, 0x1004,
  0x1005, 0x1018, 0x101c, 0x101e, 0x101f, 0x1021, 0x1024, 0x1026, 0x102b, 0x10ff, 0x1102, 0x2003, 0xffff,
]

const CODES = new Map([...PLAIN_ROWS, ...GGML_ROWS].map(([name, code]) => [name, code]))

/** The code of a dtype that there is. */
export function codeOf(name: string): number {
  const code = CODES.get(name)
  if (code === undefined) throw new Error(`no dtype ${name}`)
  return code
}
