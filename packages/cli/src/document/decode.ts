import {
  encodeDirectory, encodeParts, iterateFrames, KilnError, readDirectory, view, type DecodeOptions, type Directory, type Schema,
} from 'kiln-format'
import { bitsSchema } from '../notation/bits.js'
import { notationOf, type NotationOptions } from '../notation/write.js'
import { notationOfTensors } from '../notation/tensors.js'
import type { FrameDocument, KilnDocument } from './document.js'
import { framePartsOfBits } from './frame-parts.js'
import { sameBytes } from './same-bytes.js'

const MAX_ALIGNMENT = 65_536

/** The first four bytes as text; `EOF` if there are fewer (FORMAT §7). */
export function magicOf(bytes: Uint8Array): string {
  if (bytes.length < 4) throw new KilnError('EOF', `a Kiln file has at least 4 bytes, there are ${bytes.length}`, 0)
  return String.fromCharCode(...bytes.subarray(0, 4))
}

/** A bare value of a schema as a document from which the same bytes can be made. */
export function decodeBareValue(bytes: Uint8Array, schema: Schema, options: DecodeOptions, notation: NotationOptions): KilnDocument {
  return { kiln: 'value', schema: schema.text, ...bodyDocument(bytes, schema, options, notation) }
}

/**
 * A Kiln file, or with `schema` what else is one bare value, as a document from which the same bytes can be made. The
 * whole input is checked before the document is handed out; its frames are then worked out one by one.
 */
export function decodeDocument(bytes: Uint8Array, schema: Schema | undefined, options: DecodeOptions, notation: NotationOptions): KilnDocument {
  const magic = bytes.length >= 4 || schema === undefined ? magicOf(bytes) : ''
  if (magic === 'KILF') return framesDocument(bytes, schema, options, notation)
  if (magic === 'KILT' && (schema === undefined || schema.kind === 'tensors')) return directoryDocument(bytes, options, notation)
  if (schema === undefined) {
    throw new KilnError('FRAME', 'a Kiln file begins with KILT or KILF; give --schema to read a bare value', 0)
  }
  return decodeBareValue(bytes, schema, options, notation)
}

function bodyDocument(
  bytes: Uint8Array,
  schema: Schema,
  options: DecodeOptions,
  notation: NotationOptions,
): { value: unknown; exact?: unknown } {
  const bits: unknown = view(bitsSchema(schema), bytes, options)
  const exact = sameBytes(encodeParts(bitsSchema(schema), bits), bytes) ? {} : { exact: notation.hex(bytes) }
  return { value: notationOf(schema, bits, notation, true), ...exact }
}

function directoryDocument(bytes: Uint8Array, options: DecodeOptions, notation: NotationOptions): KilnDocument {
  const directory = readDirectory(bytes, options)
  const alignment = alignmentOf(bytes, directory, options)
  const same = sameBytes([encodeDirectory(directory, { alignment })], bytes)
  return {
    kiln: 'directory',
    ...(same && alignment !== 64 ? { alignment } : {}),
    tensors: notationOfTensors(directory, notation.hex),
    ...(same ? {} : { exact: notation.hex(bytes) }),
  }
}

/** The alignment with which a directory was written: 64 if it is canonical, else the largest that all its offsets keep. */
function alignmentOf(bytes: Uint8Array, directory: Directory, options: DecodeOptions): number {
  try {
    readDirectory(bytes, { ...options, strict: true })
    return 64
  } catch {
    const offsets = [directory.payloadBase, ...Array.from(directory, ({ byteOffset }) => byteOffset)]
    let alignment = 64
    while (alignment < MAX_ALIGNMENT && offsets.every((offset) => offset % (alignment * 2) === 0)) alignment *= 2
    return alignment
  }
}

function framesDocument(bytes: Uint8Array, schema: Schema | undefined, options: DecodeOptions, notation: NotationOptions): KilnDocument {
  const frames = (): Generator<{ schema: Schema; flags: number; offset: number; byteLength: number }, undefined> =>
    schema === undefined ? iterateFrames(bytes, 'inherit', options) : iterateFrames(bytes, schema, options)
  for (const frame of frames()) void frame
  function* documents(): Generator<FrameDocument> {
    for (const { schema: own, flags, offset, byteLength } of frames()) {
      const whole = bytes.subarray(offset, offset + byteLength)
      const headerSize = new DataView(whole.buffer, whole.byteOffset, whole.byteLength).getUint32(8, true)
      const bits: unknown = view(bitsSchema(own), whole.subarray(headerSize), options)
      const exact = sameBytes(framePartsOfBits(own, bits, flags), whole) ? {} : { exact: notation.hex(whole) }
      yield { schema: own.text, flags, value: notationOf(own, bits, notation, true), ...exact }
    }
  }
  // Made anew by each reader of the document, and never all at once.
  return { kiln: 'frames', frames: { [Symbol.iterator]: documents } }
}
