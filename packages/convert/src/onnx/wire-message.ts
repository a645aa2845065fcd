import { KilnError } from 'kiln-format'
import { utf8Text } from '../reading/text.js'
import { wireError, type WireReader, type WireWindow } from './wire-window.js'

/** The wire types of protobuf that ONNX uses. */
export const VARINT = 0
export const FIXED64 = 1
export const LENGTH = 2
export const FIXED32 = 5

/** A field of a message: the range of its value in the source, without tag and length. */
export interface WireField {
  readonly number: number
  readonly wire: number
  readonly start: number
  readonly end: number
}

/** A message, or a packed list: a range of the source, and what to call it. */
export interface WireRange {
  readonly start: number
  readonly end: number
  readonly what: string
}

/** The most bytes of a text that is read at once: 2^28, Kiln's own cap on a string. */
const LONGEST_TEXT = 2 ** 28

/**
 * Walks through the fields of a message in a source, in stored order. Values are not read, and what
 * has a length is passed over, so a message of any size takes little memory.
 *
 * A field past the end of its message is `EOF`; a tag that is none, a varint over ten bytes, or a
 * group, which ONNX doesn't use, `FRAME`.
 */
export class WireMessage {
  readonly window: WireWindow
  readonly range: WireRange
  private at: number

  constructor(window: WireWindow, range: WireRange) {
    this.window = window
    this.range = range
    this.at = range.start
  }

  /** The next field; undefined after the last. */
  async next(): Promise<WireField | undefined> {
    const { window, range } = this
    if (this.at >= range.end) return undefined
    if (!window.has(this.at)) await window.load(this.at)
    const tagAt = this.at
    let number: number
    let wire: number
    let length: number
    try {
      const reader = window.at(tagAt)
      ;[number, wire] = reader.tag()
      length = valueLength(reader, wire)
    } catch (cause) {
      throw wireError(cause, range.what, tagAt)
    }
    if (length < 0)
      throw new KilnError('FRAME', `${range.what}: field ${number} is a group, which ONNX doesn't use`, tagAt)
    const start = wire === VARINT ? window.position - length : window.position
    // As a difference, since the sum could be rounded for a length near 2^64.
    if (start > range.end || length > range.end - start) {
      const left = Math.max(0, range.end - start)
      throw new KilnError('EOF', `${range.what}: field ${number} is ${length} bytes long, and ${left} are left`, tagAt)
    }
    this.at = start + length
    return { number, wire, start, end: this.at }
  }
}

/** Bytes of the value at the reader, which is left behind a varint and before any other value; −1 for a group. */
function valueLength(reader: WireReader, wire: number): number {
  switch (wire) {
    case VARINT: {
      const start = reader.pos
      // Only its length is of interest here; the call refuses what is over ten bytes.
      reader.uint32()
      return reader.pos - start
    }
    case FIXED64:
      return 8
    case LENGTH:
      return Number(reader.uint64())
    case FIXED32:
      return 4
    default:
      return -1
  }
}

/** Throws `FRAME` unless the field has this wire type. */
export function expectWire(message: WireMessage, field: WireField, wire: number, name: string): void {
  if (field.wire === wire) return
  throw new KilnError(
    'FRAME',
    `${message.range.what}: ${name} has wire type ${field.wire}, it must be ${wire}`,
    field.start,
  )
}

/** The field as a message of its own. */
export function nested(message: WireMessage, field: WireField, what: string): WireMessage {
  expectWire(message, field, LENGTH, what)
  return new WireMessage(message.window, { start: field.start, end: field.end, what })
}

/** The field's value as a signed 64-bit integer. */
export function int64(message: WireMessage, field: WireField, name: string): bigint {
  expectWire(message, field, VARINT, name)
  return BigInt(message.window.at(field.start).int64())
}

/** The field's value as a signed 32-bit integer, the low bits if it is longer, as protobuf has it. */
export function int32(message: WireMessage, field: WireField, name: string): number {
  expectWire(message, field, VARINT, name)
  return message.window.at(field.start).int32()
}

/** The field's value as text; `UTF8` where it is none, `LIMIT` over 2^28 bytes. */
export async function text(message: WireMessage, field: WireField, name: string): Promise<string> {
  expectWire(message, field, LENGTH, name)
  const length = field.end - field.start
  const what = `${message.range.what}: ${name}`
  if (length > LONGEST_TEXT)
    throw new KilnError('LIMIT', `${what} has ${length} bytes, over the cap of ${LONGEST_TEXT}`, field.start)
  const bytes = await message.window.read(field.start, field.end)
  return utf8Text(bytes, 0, bytes.length, what, field.start)
}

/**
 * Reads varints from `at` on, at most `most` of them, up to the end of a field: `read` is called at
 * each and has to take exactly it. Returns where it stopped. A field that ends inside one is `EOF`.
 */
export async function readVarints(
  message: WireMessage,
  at: number,
  field: WireField,
  most: number,
  read: (reader: WireReader) => void,
): Promise<number> {
  const { window, range } = message
  let left = most
  while (at < field.end && left > 0) {
    if (!window.has(at)) await window.load(at)
    try {
      const reader = window.at(at)
      do {
        read(reader)
        at = window.position
        left--
      } while (at < field.end && left > 0 && window.has(at))
    } catch (cause) {
      throw wireError(cause, range.what, at)
    }
  }
  if (at > field.end) throw new KilnError('EOF', `${range.what}: field ${field.number} ends inside a number`, field.end)
  return at
}

/** Reads all varints of a packed list, or the one of an unpacked field. */
export async function eachVarint(
  message: WireMessage,
  field: WireField,
  read: (reader: WireReader) => void,
): Promise<void> {
  await readVarints(message, field.start, field, Infinity, read)
}
