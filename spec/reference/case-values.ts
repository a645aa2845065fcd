/** A JSON value in the notation of spec/CASES.md. */
export type CaseValue = null | boolean | number | string | readonly CaseValue[] | { readonly [key: string]: CaseValue }

/** A tensor in that notation. */
export interface CaseTensor {
  readonly [key: string]: CaseValue
  readonly name: string
  readonly dtype: string
  readonly shape: readonly string[]
  readonly data: string
  readonly scheme: number
  readonly quant_axis: number
  readonly group_size: number
  readonly scale_index: number
  readonly outer_index: number
  readonly checksum: number | null
}
