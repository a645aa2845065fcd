import { KilnError } from 'kiln-format'
import { plainPath } from '../paths/plain-name.js'
import { quoted } from '../text/quoted.js'
import type { TensorRecord } from './tensor-record.js'

/** Where a tensor's payload lies beside the model. */
export interface ExternalRange {
  /** A path of plain names, in the model's folder or below. */
  readonly location: string
  readonly offset: number
  readonly length: number
  /** SHA-1 of the whole file, 40 hex digits in lower case, if the model has one. */
  readonly checksum: string | undefined
}

/**
 * Checks that the file which a tensor names is in the model's folder or below, whether or not the
 * tensor is carried over: a model with such a name is refused as a whole, and nothing is opened.
 */
export function checkLocation(record: TensorRecord, what: string): void {
  const location = record.externalData.get('location')
  if (location !== undefined) plainPath(location, `${what}: external data in`)
  else if (record.external)
    throw new KilnError('TYPE', `${what}: its external data has no location`, record.range.start)
}

/** The range that a tensor of `byteLength` bytes says it has in its file. */
export function externalRange(record: TensorRecord, byteLength: number, what: string): ExternalRange {
  const location = plainPath(record.externalData.get('location') ?? '', `${what}: external data in`)
  const offset = number(record, 'offset', what) ?? 0
  const length = number(record, 'length', what) ?? byteLength
  if (length !== byteLength) {
    throw new KilnError(
      'TYPE',
      `${what}: ${length} bytes of external data, its data type and dims need ${byteLength}`,
      record.range.start,
    )
  }
  const checksum = record.externalData.get('checksum')?.toLowerCase()
  return { location, offset, length, checksum }
}

function number(record: TensorRecord, key: string, what: string): number | undefined {
  const text = record.externalData.get(key)
  if (text === undefined) return undefined
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value)) return value
  throw new KilnError(
    'TYPE',
    `${what}: the ${key} of its external data must be a number from 0 to 2^53 - 1, not ${quoted(text)}`,
    record.range.start,
  )
}
