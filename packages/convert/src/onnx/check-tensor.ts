import { dtypeOf, elementCount, KilnError, payloadLength, type DtypeName } from 'kiln-format'
import { dataType, fieldNames, int32Entries, type DataType, type ValueField } from './data-types.js'
import { checkLocation, externalRange, type ExternalRange } from './external-data.js'
import type { TensorRecord } from './tensor-record.js'

/** Where a tensor's elements are. */
export type Storage =
  | { readonly kind: 'raw'; readonly start: number }
  | { readonly kind: 'field'; readonly field: ValueField }
  | { readonly kind: 'external'; readonly range: ExternalRange }

/** A tensor that has been checked: what Kiln holds of it, and where its elements are. */
export interface CheckedTensor {
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  readonly byteLength: number
  readonly storage: Storage
}

const MOST_RANK = 8

/**
 * Checks a TensorProto: its dims, that its elements are stored in one place which fits its data type,
 * and that they are as many as data type and dims need. Else `TYPE`, beginning with `what`. A tensor
 * that is well-formed, and that Kiln can't hold, gives the reason instead.
 */
export function checkTensor(record: TensorRecord, what: string): CheckedTensor | { readonly reason: string } {
  const at = record.range.start
  checkLocation(record, what)
  const shape = shapeOf(record, what)
  const type = dataType(record.dataType)
  if (type === undefined || record.dataType === 0) return { reason: `data type ${record.dataType} is not known` }
  if (type.dtype === undefined)
    return { reason: `a tensor of strings (${type.name}), and Kiln's tensors are of numbers` }
  if (record.segment) return { reason: 'a segment of a larger tensor' }
  if (shape === undefined) return { reason: `rank ${record.rank}; a Kiln tensor has at most ${MOST_RANK} dimensions` }
  const byteLength = payloadLength(dtypeOf(type.dtype), shape)
  if (typeof byteLength !== 'number')
    throw new KilnError('TYPE', `${what}: its dims make it larger than 2^53 - 1 bytes`, at)
  const base = { dtype: type.dtype, shape, byteLength }
  const filled = filledFields(record)
  if (record.external) {
    if (filled.length > 0)
      throw new KilnError('TYPE', `${what}: external data, and ${filled.join(' and ')} too; which holds is open`, at)
    return { ...base, storage: { kind: 'external', range: externalRange(record, byteLength, what) } }
  }
  if (filled.length > 1)
    throw new KilnError('TYPE', `${what}: its elements are in ${filled.join(' and in ')}; which holds is open`, at)
  if (filled.length === 0 || filled[0] === 'raw_data') {
    const raw = record.raw ?? { start: at, end: at }
    checkCount(raw.end - raw.start, byteLength, 'bytes of raw_data', type, what, at)
    return { ...base, storage: { kind: 'raw', start: raw.start } }
  }
  return { ...base, storage: { kind: 'field', field: checkField(record, type, base, what, filled[0]!) } }
}

/** Names of the places that hold elements. */
function filledFields(record: TensorRecord): string[] {
  const filled: string[] = []
  if (record.raw !== undefined && record.raw.end > record.raw.start) filled.push('raw_data')
  for (const [field, { count }] of record.values) if (count > 0) filled.push(fieldNames[field])
  if (record.strings > 0) filled.push('string_data')
  return filled
}

/** The dims as numbers, or undefined if there are too many; a negative one, or one over 2^53 − 1, is `TYPE`. */
function shapeOf(record: TensorRecord, what: string): number[] | undefined {
  const shape: number[] = []
  for (const dim of record.dims) {
    if (dim < 0n || dim > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw new KilnError('TYPE', `${what}: a dim of ${dim}; dims go from 0 to 2^53 - 1`, record.range.start)
    }
    shape.push(Number(dim))
  }
  return record.rank > MOST_RANK ? undefined : shape
}

function checkCount(found: number, needed: number, unit: string, type: DataType, what: string, at: number): void {
  if (found === needed) return
  throw new KilnError('TYPE', `${what}: ${found} ${unit}, ${type.name} and its dims need ${needed}`, at)
}

/** Checks the one field that holds elements against the data type; returns its number. */
function checkField(
  record: TensorRecord,
  type: DataType,
  { dtype, shape, byteLength }: { dtype: DtypeName; shape: readonly number[]; byteLength: number },
  what: string,
  name: string,
): ValueField {
  const at = record.range.start
  const { field } = type
  const found = field === 0 ? undefined : record.values.get(field)
  if (field === 0 || found === undefined || fieldNames[field] !== name) {
    const place = field === 0 ? 'nowhere' : fieldNames[field]
    throw new KilnError(
      'TYPE',
      `${what}: its elements are in ${name}, ${type.name} is kept in ${place} or raw_data`,
      at,
    )
  }
  const bits = dtypeOf(dtype).blockBits
  // Complex numbers are two entries; what is narrower than a byte is packed, a byte an entry.
  const entries =
    dtype === 'c64' || dtype === 'c128'
      ? 2 * Number(elementCount(shape))
      : bits < 8
        ? byteLength
        : Number(elementCount(shape))
  checkCount(found.count, entries, `entries of ${name}`, type, what, at)
  const range = field === 5 ? int32Entries[dtype] : dtype === 'u32' ? { least: 0, most: 2 ** 32 - 1 } : undefined
  if (range !== undefined && (found.least < range.least || found.most > range.most)) {
    const value = found.least < range.least ? found.least : found.most
    throw new KilnError(
      'TYPE',
      `${what}: an entry of ${name} is ${value}, ${type.name} goes from ${range.least} to ${range.most}`,
      at,
    )
  }
  return field
}
