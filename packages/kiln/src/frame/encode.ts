import { crc32 } from '../bytes/crc32.js'
import type { OwnBytes } from '../bytes/host.js'
import { giveBack, takeWriter, type ByteWriter } from '../bytes/writer.js'
import { writerOf } from '../frozen/writers.js'
import type { Input } from '../schema/infer.js'
import { checkTextLength } from '../schema/rules.js'
import type { Schema } from '../schema/types.js'
import { FLAG_CHECKSUM, FLAG_SCHEMA, frameFields, headerSizeFor, writeFixedHeader } from './header.js'

/** What a frame is written with beside its body. */
export interface FrameOptions {
  /** Whether the frame brings its schema's text, so that anybody can read it. Default false. */
  readonly schema?: boolean | undefined
  /** Whether the frame has a CRC-32 of its body. Default false. */
  readonly checksum?: boolean | undefined
}

/** Writes room for the header, the text and the body, and returns the header's size. */
function writeFrame(w: ByteWriter, schema: Schema, value: unknown, options: FrameOptions): number {
  const write = writerOf(schema)
  const text = options.schema === true ? schema.text : undefined
  if (text !== undefined) checkTextLength(text.length)
  const headerSize = headerSizeFor(text)
  w.zeros(headerSize)
  for (let i = 0; text !== undefined && i < text.length; i++) w.bytes[frameFields.text + i] = text.charCodeAt(i)
  write(w, value)
  return headerSize
}

/** Fills in the fixed part of the header, at the front of the frame's first slice. */
function finishHeader(slices: readonly Uint8Array[], headerSize: number, bodyLength: number, schema: Schema, options: FrameOptions): void {
  const first = slices[0]!
  let checksum = 0
  if (options.checksum === true) {
    slices.forEach((slice, i) => {
      checksum = crc32(i === 0 ? slice.subarray(headerSize) : slice, checksum)
    })
  }
  writeFixedHeader(new DataView(first.buffer, first.byteOffset, first.byteLength), {
    flags: (options.schema === true ? FLAG_SCHEMA : 0) + (options.checksum === true ? FLAG_CHECKSUM : 0),
    headerSize,
    checksum,
    hash: schema.hash,
    bodyLength,
  })
}

/**
 * Writes a value as a frame (FORMAT §6), in bytes of its own. Errors are those of `encode`, and `LIMIT` for a schema
 * that is asked for and whose text is over 65,536 bytes.
 */
export function encodeFrame<S extends Schema>(schema: S, value: Input<S>, options: FrameOptions = {}): OwnBytes {
  const w = takeWriter()
  try {
    const headerSize = writeFrame(w, schema, value, options)
    const frame = w.finish()
    finishHeader([frame], headerSize, frame.length - headerSize, schema, options)
    return frame
  } finally {
    giveBack(w)
  }
}

/**
 * The frame as slices in order, for `writev` or a Blob: large arrays and payloads are slices of the value's own
 * memory and aren't copied, so leave the value alone until they are sent. Errors are those of {@link encodeFrame}.
 */
export function encodeFrameParts<S extends Schema>(schema: S, value: Input<S>, options: FrameOptions = {}): Uint8Array[] {
  const w = takeWriter()
  try {
    const headerSize = writeFrame(w, schema, value, options)
    const slices = w.slices()
    finishHeader(slices, headerSize, w.length - headerSize, schema, options)
    return slices
  } finally {
    giveBack(w)
  }
}
