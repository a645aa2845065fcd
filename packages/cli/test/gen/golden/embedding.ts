// Written by kiln gen from 'embedding.kiln'. Change that and run kiln gen again, not this file.
import type {
  ByteInput,
  MessageWriter,
  NumberList,
  NumbersInput,
  OwnArrays,
  OwnBytes,
  ReadOptions,
} from 'kiln-format/runtime'
import {
  checkEnd,
  encodeIntoWith,
  encodePartsWith,
  encodeWith,
  encodedSizeWith,
  inMessage,
  numbers,
  numbersWriter,
  openMessage,
} from 'kiln-format/runtime'

/** The schema of {@link Embedding}, as Kiln writes schemas. */
export const embeddingText = 'list<f32>'

/** The hash of that schema, as frames carry it. */
export const embeddingHash = 0x3ac6ea54918e2d62n

export type Embedding = OwnArrays['f32']

/** {@link Embedding} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export type EmbeddingView = NumberList<'f32'>

/** {@link Embedding} as it is taken for encoding. */
export type EmbeddingInput = NumbersInput<'f32'>

const f32List = /* @__PURE__ */ numbers('f32')
const writeF32List = /* @__PURE__ */ numbersWriter('f32')

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeEmbedding(value: EmbeddingInput): OwnBytes {
  return encodeWith(writeF32List, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeEmbeddingInto(value: EmbeddingInput, target: ByteInput): number {
  return encodeIntoWith(writeF32List, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeEmbeddingParts(value: EmbeddingInput): Uint8Array[] {
  return encodePartsWith(writeF32List, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeEmbeddingWith(writer: MessageWriter, value: EmbeddingInput): Uint8Array {
  return writer.encodeBy(writeF32List, value)
}

/** Bytes that a value takes. */
export function encodedSizeEmbedding(value: EmbeddingInput): number {
  return encodedSizeWith(writeF32List, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeEmbedding(bytes: ByteInput, options?: ReadOptions): Embedding {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = f32List.read(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewEmbedding(bytes: ByteInput, options?: ReadOptions): EmbeddingView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = f32List.view(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}
