import { KilnError } from 'kiln-format'
import { fieldNames, type ValueField } from './data-types.js'
import {
  eachVarint,
  expectWire,
  FIXED32,
  FIXED64,
  int32,
  int64,
  LENGTH,
  nested,
  text,
  VARINT,
  type WireField,
  type WireMessage,
  type WireRange,
} from './wire-message.js'
import type { WireReader } from './wire-window.js'

/** What stands in a field of elements: how many entries, and between what they lie (for varints). */
export interface ValueSummary {
  count: number
  least: number
  most: number
}

/** A TensorProto as it stands in the file; of its elements only where they are and how many. */
export interface TensorRecord {
  /** Empty where there is none. */
  name: string
  /** The first dimensions, up to one more than Kiln has. */
  dims: bigint[]
  rank: number
  dataType: number
  /** Where `raw_data` is in the source, if there is any. */
  raw: { readonly start: number; readonly end: number } | undefined
  values: ReadonlyMap<ValueField, ValueSummary>
  strings: number
  segment: boolean
  external: boolean
  externalData: ReadonlyMap<string, string>
  docString: string | undefined
  /** How many `metadata_props` it has. */
  properties: number
  readonly range: WireRange
}

const KEPT_DIMS = 9
const MOST_EXTERNAL_KEYS = 64

// One for all records, since most have neither: a hostile file can hold a million of them in a few megabytes.
const NOTHING: ReadonlyMap<never, never> = new Map<never, never>()

/**
 * Reads a TensorProto. Varints are walked through once, so that their number and range are known
 * before the tensor is listed; payloads in raw or fixed-width form are passed over.
 */
export async function readTensor(message: WireMessage): Promise<TensorRecord> {
  const record: TensorRecord = {
    name: '',
    dims: [],
    rank: 0,
    dataType: 0,
    raw: undefined,
    values: NOTHING,
    strings: 0,
    segment: false,
    external: false,
    externalData: NOTHING,
    docString: undefined,
    properties: 0,
    range: message.range,
  }
  for (let field = await message.next(); field !== undefined; field = await message.next()) {
    await readField(message, field, record)
  }
  return record
}

async function readField(message: WireMessage, field: WireField, record: TensorRecord): Promise<void> {
  switch (field.number) {
    case 1:
      await varints(message, field, 'dims', (reader) => {
        const dim = BigInt(reader.int64())
        if (record.rank++ < KEPT_DIMS) record.dims.push(dim)
      })
      break
    case 2:
      record.dataType = int32(message, field, 'data_type')
      break
    case 3:
      expectWire(message, field, LENGTH, 'segment')
      record.segment = true
      break
    case 4:
    case 10:
      countFixed(message, field, field.number, record)
      break
    case 5:
    case 7:
    case 11:
      await countVarints(message, field, field.number, record)
      break
    case 6:
      expectWire(message, field, LENGTH, 'string_data')
      record.strings++
      break
    case 8:
      record.name = await text(message, field, 'name')
      break
    case 9:
      expectWire(message, field, LENGTH, 'raw_data')
      record.raw = { start: field.start, end: field.end }
      break
    case 12:
      record.docString = await text(message, field, 'doc_string')
      break
    case 13:
      await readExternal(message, field, record)
      break
    case 14:
      record.external = int32(message, field, 'data_location') === 1
      break
    case 16:
      expectWire(message, field, LENGTH, 'metadata_props')
      record.properties++
      break
    default:
  }
}

/** Repeated numbers come one by one or packed, and a reader has to take both. */
async function varints(
  message: WireMessage,
  field: WireField,
  name: string,
  read: (reader: WireReader) => void,
): Promise<void> {
  if (field.wire !== LENGTH) expectWire(message, field, VARINT, name)
  await eachVarint(message, field, read)
}

function summary(record: TensorRecord, field: ValueField): ValueSummary {
  let found = record.values.get(field)
  if (found === undefined) {
    found = { count: 0, least: 0, most: 0 }
    record.values = new Map([...record.values, [field, found]])
  }
  return found
}

function countFixed(message: WireMessage, field: WireField, number: 4 | 10, record: TensorRecord): void {
  const width = number === 4 ? 4 : 8
  if (field.wire !== LENGTH) expectWire(message, field, number === 4 ? FIXED32 : FIXED64, fieldNames[number])
  const length = field.end - field.start
  if (length % width !== 0) {
    const name = `${message.range.what}: ${fieldNames[number]}`
    throw new KilnError('FRAME', `${name} of ${length} bytes is no whole count of ${width}-byte numbers`, field.start)
  }
  summary(record, number).count += length / width
}

async function countVarints(
  message: WireMessage,
  field: WireField,
  number: 5 | 7 | 11,
  record: TensorRecord,
): Promise<void> {
  const found = summary(record, number)
  await varints(message, field, fieldNames[number], (reader) => {
    found.count++
    if (number === 7) {
      // All of int64_data is of one dtype, which takes any value: only the count matters.
      reader.uint32()
      return
    }
    const value = number === 5 ? reader.int32() : Number(reader.uint64())
    if (value < found.least) found.least = value
    if (value > found.most) found.most = value
  })
}

async function readExternal(message: WireMessage, field: WireField, record: TensorRecord): Promise<void> {
  const entry = await readEntry(nested(message, field, `${message.range.what}: external_data`))
  if (record.externalData.has(entry.key)) {
    throw new KilnError(
      'TYPE',
      `${message.range.what}: external_data has ${JSON.stringify(entry.key.slice(0, 40))} twice`,
      field.start,
    )
  }
  if (record.externalData.size >= MOST_EXTERNAL_KEYS) {
    throw new KilnError(
      'LIMIT',
      `${message.range.what}: external_data has more than ${MOST_EXTERNAL_KEYS} keys`,
      field.start,
    )
  }
  record.externalData = new Map([...record.externalData, [entry.key, entry.value]])
}

/** Reads a StringStringEntryProto. */
export async function readEntry(message: WireMessage): Promise<{ key: string; value: string }> {
  const entry = { key: '', value: '' }
  for (let field = await message.next(); field !== undefined; field = await message.next()) {
    if (field.number === 1) entry.key = await text(message, field, 'key')
    else if (field.number === 2) entry.value = await text(message, field, 'value')
  }
  return entry
}

/** The field's value where one integer of 64 bits is expected, as a text that loses nothing. */
export function int64Text(message: WireMessage, field: WireField, name: string): string {
  return int64(message, field, name).toString()
}
