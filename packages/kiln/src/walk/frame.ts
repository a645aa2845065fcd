import { checkBodyAvailable, checkBodyChecksum, checkBodyLength } from '../frame/decode.js'
import { FRAME_HEADER_SIZE, readFixedHeader, type FrameHeader } from '../frame/header.js'
import * as frameFields from '../frame/frame-fields.js'
import { chooseSchema, type SchemaRegistry } from '../frame/schema-choice.js'
import { decodeUtf8 } from '../bytes/utf8.js'
import { isKilnError } from '../errors/kiln-error.js'
import { checkEnd } from '../bytes/reader.js'
import type { Schema } from '../schema/types.js'
import { walkValue } from './body.js'
import { fieldWith, placesOf, putFields } from './fields.js'
import { frameRules, rules } from './rules.js'
import type { Pauses, WalkState } from './state.js'

const { text: textOffset, ...fixedFields } = frameFields
const places = placesOf(fixedFields, frameRules)

/** Goes through the frame at the cursor (FORMAT §6) and opens `budget` levels of it. */
export function* walkFrame(w: WalkState, registry: SchemaRegistry, budget: number): Pauses {
  const start = w.pos
  if (budget > 0) {
    yield* openFrame(w, registry, budget - 1)
    return
  }
  w.muted++
  yield* openFrame(w, registry, 0)
  w.muted--
  w.put('group', start, w.pos - start, rules.frame)
}

function* openFrame(w: WalkState, registry: SchemaRegistry, budget: number): Pauses {
  const start = w.pos
  const inputEnd = w.end
  w.field(FRAME_HEADER_SIZE, rules.frameHeader)
  if (!w.has(FRAME_HEADER_SIZE)) yield w.need(FRAME_HEADER_SIZE)
  const header = readHeader(w, start)
  if (!w.has(header.headerSize)) yield w.need(header.headerSize)
  const schema = readSchema(w, start, header, registry)
  putHeader(w, start, header)
  const bodyStart = start + header.headerSize
  w.pos = bodyStart
  w.field(header.bodyLength, rules.checksum)
  if (w.whole) checkBodyChecksum(header, w.r.bytes, w.r.pos)
  w.end = bodyStart + header.bodyLength
  yield* walkValue(w, schema, budget)
  w.field(w.end - w.pos, rules.trailing)
  checkEnd(w.r, 'body of the frame')
  w.end = inputEnd
}

/** Step 1: the fixed part of the header. */
function readHeader(w: WalkState, start: number): FrameHeader {
  const available = w.end - start
  try {
    return readFixedHeader(w.r.view, w.r.pos, available)
  } catch (error) {
    // What is shorter than a header has no fields; the error's place is all that there is.
    if (isKilnError(error) && available >= FRAME_HEADER_SIZE) {
      const missingHeader = error.code === 'EOF'
      putUpTo(w, start, missingHeader ? start + frameFields.headerSize : w.base + (error.offset ?? 0))
    }
    throw error
  }
}

/** Steps 2, 3, and the first half of 4: the schema, and that the body is allowed and there. */
function readSchema(w: WalkState, start: number, header: FrameHeader, registry: SchemaRegistry): Schema {
  const at = w.r.pos
  try {
    const schema = chooseSchema(w.r.bytes, at, header, registry)
    checkBodyLength(header, w.r.settings, at)
    checkBodyAvailable(header, w.end - start - header.headerSize, at)
    return schema
  } catch (error) {
    if (isKilnError(error)) {
      const withoutSchema = error.code === 'SCHEMA' && header.headerSize === FRAME_HEADER_SIZE
      // Nothing of the header is wrong then: the body is what can't be read.
      const place = withoutSchema ? start + header.headerSize : w.base + (error.offset ?? 0)
      if (place < start + FRAME_HEADER_SIZE) putUpTo(w, start, place)
      else putBefore(w, start, place, header)
    }
    throw error
  }
}

/** Gives the header up to the field at `at`, which is where a check failed. */
function putUpTo(w: WalkState, start: number, at: number): void {
  const { offset, length, rule, steps } = fieldWith(places, start, at)
  w.clip = offset
  putHeader(w, start, undefined)
  w.clip = Infinity
  w.steps.push('frame', ...steps)
  w.field(length, rule, offset)
}

/** Gives the header, or what of it lies before its schema, and says where the fault behind it is. */
function putBefore(w: WalkState, start: number, at: number, header: FrameHeader): void {
  const end = start + header.headerSize
  if (at < end) {
    putHeader(w, start, undefined)
    w.steps.push('frame', 'schema')
    w.field(header.headerSize - FRAME_HEADER_SIZE, rules.schemaText, start + FRAME_HEADER_SIZE)
  } else {
    putHeader(w, start, header)
    w.field(header.bodyLength, rules.body, end)
  }
}

/** The fixed fields, and what follows them if the header is given. */
function putHeader(w: WalkState, start: number, header: FrameHeader | undefined): void {
  const { bytes, view } = w.r
  const at = start - w.base
  w.steps.push('frame')
  putFields(w, 'frame-header', places, start, view, at)
  if (header !== undefined && header.headerSize > textOffset) {
    const headerEnd = at + header.headerSize
    let end = at + textOffset
    while (end < headerEnd && bytes[end] !== 0) end++
    const text = decodeUtf8(bytes, at + textOffset, end, true)
    w.put('schema-text', start + textOffset, end - at - textOffset, rules.schemaText, { value: text }, ['schema'])
    if (headerEnd > end) w.put('padding', w.base + end, headerEnd - end, rules.schemaPadding)
  }
  w.steps.pop()
}
