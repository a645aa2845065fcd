import { formatHash, type ByteSource, type Schema } from 'kiln-format'
import type { Terminal } from '../terminal/terminal.js'
import { visible } from '../terminal/escape.js'
import { tableLines } from '../terminal/table.js'
import { counted, countText, sizeText } from '../terminal/units.js'
import { frameHeaders, type FoundFrame } from './frames.js'
import { fieldRows, type FieldRow } from './value-summary.js'

/** A frame as `inspect --json` shows it. */
export interface FrameRow {
  readonly offset: number
  readonly byte_length: number
  readonly header_size: number
  readonly body_length: number
  readonly flags: number
  readonly checksum?: number
  /** Canonical text; null where the frame brings none. */
  readonly schema: string | null
  readonly hash: string
  readonly fields?: readonly FieldRow[]
}

// Bodies up to this are read, for a few words on their fields.
const SMALL_BODY = 16 * 2 ** 20
// A file has a few kinds of frames; a hostile one is not to be remembered for each of its own.
const MOST_KINDS = 64
// More frames than this are counted for people, not shown.
const SHOWN = 20

async function frameRow(source: ByteSource, frame: FoundFrame, schema: Schema | undefined): Promise<FrameRow> {
  const { offset, headerSize, bodyLength, flags, checksum, hash } = frame
  const body = schema !== undefined && bodyLength <= SMALL_BODY ? await source.read(offset + headerSize, bodyLength) : undefined
  return {
    offset,
    byte_length: headerSize + bodyLength,
    header_size: headerSize,
    body_length: bodyLength,
    flags,
    ...(checksum === undefined ? {} : { checksum }),
    schema: frame.schema?.text ?? null,
    hash: formatHash(hash),
    ...(schema === undefined ? {} : { fields: fieldRows(schema, body) }),
  }
}

/**
 * The frames of a file, at most `most` of them by their fields and the others by their heads. A frame that brings no
 * schema is read by the caller's, or else by the one that an earlier frame brought with its hash.
 */
export async function* frameRows(source: ByteSource, given: Schema | undefined, most = Infinity): AsyncGenerator<FrameRow> {
  const known = new Map(given === undefined ? [] : [[given.hash, given]])
  let count = 0
  for await (const frame of frameHeaders(source)) {
    if (given === undefined && frame.schema !== undefined && known.size < MOST_KINDS) known.set(frame.hash, frame.schema)
    yield frameRow(source, frame, count++ < most ? frame.schema ?? known.get(frame.hash) : undefined)
  }
}

/** The frames of a file for people. */
export async function printFrames(source: ByteSource, given: Schema | undefined, terminal: Terminal): Promise<void> {
  let count = 0
  for await (const frame of frameRows(source, given, SHOWN)) {
    count++
    if (count > SHOWN) continue
    await terminal.line('')
    await terminal.line(terminal.colours.bold(`frame at byte ${countText(frame.offset)}: ${sizeText(frame.byte_length)}`))
    await terminal.lines(frameLines(frame))
  }
  if (count > SHOWN) await terminal.line(`\nand ${counted(count - SHOWN, 'more frame')}`)
}

/** What a frame says of itself, and its fields. */
export function frameLines(frame: FrameRow): string[] {
  const crc = frame.checksum === undefined ? 'none' : frame.checksum.toString(16).padStart(8, '0')
  const rows = (frame.fields ?? []).map(({ name, type, value }) => [name === '' ? '(body)' : visible(name), visible(type), value ?? '(not read)'])
  return [
    `schema  ${frame.schema === null ? 'not in the frame' : visible(frame.schema)}`,
    `hash    ${frame.hash}`,
    `header  ${frame.header_size} bytes, body ${countText(frame.body_length)} bytes, crc-32 ${crc}`,
    ...(rows.length === 0 ? [] : tableLines([{ title: 'field' }, { title: 'type' }, { title: 'value' }], rows)),
  ]
}
