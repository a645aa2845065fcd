import { KilnError } from 'kiln-format'
import type { ByteSink, ReadOptions } from 'kiln-format'
import type { ForeignTensor } from '../model.js'
import { alignUp } from '../reading/align.js'
import { utf8Bytes } from '../reading/text.js'
import { quoted } from '../text/quoted.js'
import { checkPayload } from '../writing/check-payload.js'
import { payloadOf } from '../writing/copy-payload.js'
import { alignmentOf } from './read-head.js'
import { ggmlOfDtype } from './tensor-types.js'
import { ALIGNMENT_KEY, DEFAULT_ALIGNMENT, LONGEST_KEY } from './value-types.js'
import type { GgufKeyValue } from './value-types.js'
import { HeadWriter, writeKeyValue } from './write-head.js'

const VERSION = 3
const MOST_DIMENSIONS = 4
// ggml keeps names in 64 bytes with a NUL at the end, and refuses files with longer ones.
const LONGEST_NAME = 63

/** A file before its payloads. */
export interface GgufPlan {
  /** All before the first payload, padded to the alignment. */
  readonly head: Uint8Array
  /** Bytes of the head before that padding. */
  readonly headEnd: number
  readonly alignment: number
  /** In the order in which the payloads follow. */
  readonly tensors: readonly ForeignTensor[]
  /** Bytes of the whole file. */
  readonly size: number
}

/**
 * Throws `TYPE` unless every tensor can stand in a GGUF file: a type of ggml, at most 4 dimensions, a
 * name of at most 63 bytes that is its own, and a payload that is what dtype and shape need.
 */
export function checkTensors(tensors: readonly ForeignTensor[]): void {
  const names = new Set<string>()
  for (const tensor of tensors) {
    const { name, dtype, shape } = tensor
    const what = `tensor ${quoted(name)}`
    if (ggmlOfDtype(dtype) === undefined) {
      throw new KilnError(
        'TYPE',
        `${what} is ${dtype}, which GGUF has no type for; ` +
          'leave it out, convert it to one that it has, or write another format',
      )
    }
    if (shape.length > MOST_DIMENSIONS) {
      throw new KilnError('TYPE', `${what} has ${shape.length} dimensions; GGUF has at most ${MOST_DIMENSIONS}`)
    }
    const length = utf8Bytes(name, `the name of ${what}`).length
    if (length > LONGEST_NAME) {
      throw new KilnError(
        'TYPE',
        `the name of ${what} has ${length} bytes; readers of GGUF take at most ${LONGEST_NAME}`,
      )
    }
    if (names.has(name)) throw new KilnError('TYPE', `${what} is there twice; GGUF needs names that differ`)
    names.add(name)
    checkPayload(tensor)
  }
}

/** Lays out one file. The tensors have been checked. */
export function planFile(keyValues: Iterable<GgufKeyValue>, tensors: readonly ForeignTensor[]): GgufPlan {
  const values = new HeadWriter()
  let count = 0
  let alignment = DEFAULT_ALIGNMENT
  for (const keyValue of keyValues) {
    if (keyValue.key === ALIGNMENT_KEY) alignment = alignmentOf([keyValue])
    checkKey(keyValue.key)
    writeKeyValue(values, keyValue)
    count++
  }
  const head = new HeadWriter(values.length + 4096)
  head.append(Uint8Array.of(0x47, 0x47, 0x55, 0x46))
  head.u32(VERSION)
  head.u64(tensors.length)
  head.u64(count)
  head.append(values.written())
  const payloads = writeInfos(head, tensors, alignment)
  const headEnd = head.length
  head.append(new Uint8Array(alignUp(headEnd, alignment) - headEnd))
  const size = head.length + payloads
  if (!Number.isSafeInteger(size))
    throw new KilnError('LIMIT', `a file of ${size} bytes is over 2^53 - 1; write a split set`)
  return { head: head.written(), headEnd, alignment, tensors, size }
}

function checkKey(key: string): void {
  if (utf8Bytes(key, `the key ${quoted(key)}`).length > LONGEST_KEY) {
    throw new KilnError('LIMIT', `the key ${quoted(key)} is longer than the ${LONGEST_KEY} bytes that GGUF allows`)
  }
}

/** Bytes of a tensor info: the name with its length, the rank, the dimensions, type and offset. */
export function infoBytes({ name, shape }: ForeignTensor): number {
  return 8 + utf8Bytes(name, `the name of tensor ${quoted(name)}`).length + 4 + 8 * shape.length + 4 + 8
}

/** Writes the tensor infos, and returns the bytes of all payloads with their padding. */
function writeInfos(head: HeadWriter, tensors: readonly ForeignTensor[], alignment: number): number {
  let offset = 0
  for (const { name, dtype, shape, byteLength } of tensors) {
    head.text(name, `the name of tensor ${quoted(name)}`)
    head.u32(shape.length)
    for (const dimension of [...shape].reverse()) head.u64(dimension)
    head.u32(ggmlOfDtype(dtype)!)
    head.u64(offset)
    offset = alignUp(offset + byteLength, alignment)
  }
  return offset
}

/** Writes head and payloads, each payload with zeros up to the alignment; opens and closes nothing. */
export async function writePlanned(
  { head, alignment, tensors }: GgufPlan,
  sink: ByteSink,
  options: ReadOptions,
): Promise<void> {
  await sink.write(head, options)
  for (const tensor of tensors) {
    for await (const piece of payloadOf(tensor, options)) await sink.write(piece, options)
    const padding = alignUp(tensor.byteLength, alignment) - tensor.byteLength
    if (padding > 0) await sink.write(new Uint8Array(padding), options)
  }
}
