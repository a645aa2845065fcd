import { dtypeOf } from 'kiln-format'
import type { Dtype, DtypeName } from 'kiln-format'
import { literalText } from './literal.js'
import type { Literal } from './literal.js'

/** Kind and bytes as numpy spells them, with the dtype that they are. The byte order stands before them. */
const ROWS: readonly (readonly [code: string, dtype: DtypeName])[] = [
  ['b1', 'bool'],
  ['u1', 'u8'],
  ['i1', 'i8'],
  ['u2', 'u16'],
  ['i2', 'i16'],
  ['u4', 'u32'],
  ['i4', 'i32'],
  ['u8', 'u64'],
  ['i8', 'i64'],
  ['f2', 'f16'],
  ['f4', 'f32'],
  ['f8', 'f64'],
  ['c8', 'c64'],
  ['c16', 'c128'],
]

const byCode = new Map(ROWS)
const byDtype = new Map(ROWS.map(([code, dtype]) => [dtype, code]))

/** How an array's numbers are stored. */
export interface NumberForm {
  readonly dtype: Dtype
  /** Bytes of what is swapped as one: half of a complex number. */
  readonly width: number
  readonly bigEndian: boolean
}

/** The form that a `descr` names, or why Kiln can't carry it. */
export function formOfDescr(descr: Literal): NumberForm | { readonly refused: string } {
  if (descr.kind === 'list') return { refused: structured(descr.items) }
  if (descr.kind !== 'text') {
    return { refused: `dtype ${shortened(literalText(descr))} is no plain number; save the array as one that is` }
  }
  const [, order = '', code = ''] = /^([<>=|]?)(.*)$/s.exec(descr.value)!
  const dtype = byCode.get(code === '?' ? 'b1' : code)
  if (dtype === undefined) return { refused: `dtype '${shortened(descr.value)}' is ${refusal(code)}` }
  const width = dtypeOf(dtype).blockBits / 8 / (code.startsWith('c') ? 2 : 1)
  // '=', '|' and no mark mean the byte order of the machine, and files are written on little-endian ones.
  return { dtype: dtypeOf(dtype), width, bigEndian: order === '>' && width > 1 }
}

function refusal(code: string): string {
  if (code.startsWith('O')) return 'pickled Python objects, which are never unpickled; save numbers, with astype()'
  if (/^[SaUT]/.test(code)) return 'text; save it apart from the tensors'
  if (/^[Mm]/.test(code)) return "a date or a duration; save it as numbers, with view('int64')"
  if (code.startsWith('V')) {
    return (
      'bytes without a type, as which bfloat16 and the small floats of ml_dtypes are saved; ' +
      "save the bits, with view('uint16') or view('uint8')"
    )
  }
  if (/^([fc](10|12|16|24|32)|[gG])$/.test(code))
    return "a long double, which differs from machine to machine; save it with astype('f8') or astype('c16')"
  return 'not known; save the array as plain numbers'
}

function structured(fields: readonly Literal[]): string {
  const shown = fields.slice(0, 8).map(fieldText)
  const more = fields.length > 8 ? `, and ${fields.length - 8} more` : ''
  return `a structured dtype with the fields ${shown.join(', ')}${more}; save each field as an array of its own`
}

function fieldText(field: Literal): string {
  const items = field.kind === 'tuple' || field.kind === 'list' ? field.items : []
  const [name, type] = items
  if (name === undefined || type === undefined) return shortened(literalText(field))
  // A field may have a title beside its name: then both are in a tuple.
  const names = name.kind === 'tuple' ? name.items.at(-1)! : name
  const text = (literal: Literal): string => shortened(literal.kind === 'text' ? literal.value : literalText(literal))
  return `${text(names)} (${text(type)})`
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text
}

/** numpy's spelling of a dtype, little-endian as the payload is; undefined if numpy has none. */
export function descrOfDtype(dtype: DtypeName): string | undefined {
  const code = byDtype.get(dtype)
  if (code === undefined) return undefined
  return `${code.endsWith('1') ? '|' : '<'}${code}`
}
