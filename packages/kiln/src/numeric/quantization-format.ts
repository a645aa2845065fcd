import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { DtypeName } from '../tensors/dtypes.js'

/** How scales are chosen: a shared power of 2, two levels as in NVFP4, or the group's greatest magnitude. */
export type ScaleRule = 'power' | 'twoLevels' | 'absmax'

/**
 * The formats of `quantize`: elements, scales, the rule, and how many elements share a scale where the format
 * says so.
 */
const ROWS = [
  ['mxfp4', 'e2m1', 'e8m0', 'power', 32],
  ['mxfp6e3m2', 'e3m2', 'e8m0', 'power', 32],
  ['mxfp6e2m3', 'e2m3', 'e8m0', 'power', 32],
  ['mxfp8e4m3', 'f8e4m3', 'e8m0', 'power', 32],
  ['mxfp8e5m2', 'f8e5m2', 'e8m0', 'power', 32],
  ['nvfp4', 'e2m1', 'f8e4m3', 'twoLevels', 16],
  ['int8', 'i8', 'f32', 'absmax', undefined],
  ['int4', 'i4', 'f32', 'absmax', undefined],
] as const satisfies readonly (readonly [string, DtypeName, DtypeName, ScaleRule, number | undefined])[]

type Row = (typeof ROWS)[number]
type FixedName = Extract<Row, readonly [string, DtypeName, DtypeName, ScaleRule, number]>[0]
type GroupedName = Exclude<Row[0], FixedName>

/** A format by its name; `int8` and `int4` with how many elements share a scale, such as `int8:128`. */
export type QuantizationName = FixedName | `${GroupedName}:${number}`

/** What a format's name stands for. */
export interface QuantizationFormat {
  readonly name: string
  readonly dtype: DtypeName
  readonly scaleDtype: DtypeName
  readonly rule: ScaleRule
  readonly groupSize: number
}

const MAX_GROUP = 2 ** 32 - 1

/** The format of a name, such as one that a user typed. `TYPE` for a name that is none, with those there are. */
export function quantizationFormat(name: string): QuantizationFormat {
  const [base = '', size, ...rest] = typeof name === 'string' ? name.split(':') : []
  const row = ROWS.find(([known]) => known === base)
  if (row === undefined || rest.length > 0) {
    const known = ROWS.map(([format, , , , fixed]) => (fixed === undefined ? `${format}:N` : format))
    throw new KilnError('TYPE', `${describe(name)} is no quantization; there are ${known.join(', ')}`)
  }
  const [, dtype, scaleDtype, rule, fixed] = row
  if (fixed !== undefined) {
    if (size !== undefined) throw new KilnError('TYPE', `${base} always has groups of ${fixed}; leave :${size} out`)
    return { name: base, dtype, scaleDtype, rule, groupSize: fixed }
  }
  const groupSize = size !== undefined && /^[1-9]\d{0,9}$/.test(size) ? Number(size) : 0
  if (groupSize < 1 || groupSize > MAX_GROUP) {
    throw new KilnError('TYPE', `${base} needs a group size from 1 to ${MAX_GROUP} after a colon, such as ${base}:128`)
  }
  return { name: base, dtype, scaleDtype, rule, groupSize }
}
