import { KilnError } from 'kiln-format'
import type { ByteSink, ReadOptions } from 'kiln-format'
import type { ForeignModel, ForeignTensor } from '../model.js'
import { alignUp } from '../reading/align.js'
import { utf8Bytes } from '../reading/text.js'
import { quoted } from '../text/quoted.js'
import { payloadOf } from '../writing/copy-payload.js'
import { intoSink } from '../writing/into-sink.js'
import { keyValuesOf } from './metadata.js'
import { alignmentOf } from './read-head.js'
import { ggmlOfDtype } from './tensor-types.js'
import { ALIGNMENT_KEY, DEFAULT_ALIGNMENT, LONGEST_KEY } from './value-types.js'
import { HeadWriter, writeKeyValue } from './write-head.js'

const VERSION = 3
const MOST_DIMENSIONS = 4
// ggml keeps names in 64 bytes with a NUL at the end, and refuses files with longer ones.
const LONGEST_NAME = 63

/** What the writer takes of a model. */
export type GgufInput = Pick<ForeignModel, 'tensors' | 'metadata'>

/**
 * Writes a model as one little-endian GGUF file of version 3, tensors in their order, each at a
 * multiple of `general.alignment` (32 if the metadata has none) and followed by zeros up to the next;
 * the head is padded too where no tensor follows. Metadata that `openGguf` gave gets its types and
 * bits back; what has no type under `gguf:types` is written as a string.
 *
 * Closes the sink; on an error aborts it and passes the error on. `TYPE`, before anything is written,
 * for a dtype that GGUF has no type for, more than 4 dimensions, a name over 63 bytes or given twice,
 * and for text that is not of its type.
 */
export async function writeGguf(model: GgufInput, sink: ByteSink, options: ReadOptions = {}): Promise<void> {
  await intoSink(sink, async () => {
    const { head, alignment } = makeHead(model)
    await sink.write(head, options)
    for (const tensor of model.tensors) {
      for await (const piece of payloadOf(tensor, options)) await sink.write(piece, options)
      const padding = alignUp(tensor.byteLength, alignment) - tensor.byteLength
      if (padding > 0) await sink.write(new Uint8Array(padding), options)
    }
  })
}

function makeHead({ tensors, metadata }: GgufInput): { head: Uint8Array; alignment: number } {
  const keyValues = new HeadWriter()
  let count = 0
  let alignment = DEFAULT_ALIGNMENT
  for (const keyValue of keyValuesOf(metadata)) {
    if (keyValue.key === ALIGNMENT_KEY) alignment = alignmentOf([keyValue])
    checkKey(keyValue.key)
    writeKeyValue(keyValues, keyValue)
    count++
  }
  const head = new HeadWriter(keyValues.length + 4096)
  head.append(Uint8Array.of(0x47, 0x47, 0x55, 0x46))
  head.u32(VERSION)
  head.u64(tensors.length)
  head.u64(count)
  head.append(keyValues.written())
  writeInfos(head, tensors, alignment)
  head.append(new Uint8Array(alignUp(head.length, alignment) - head.length))
  return { head: head.written(), alignment }
}

function checkKey(key: string): void {
  if (utf8Bytes(key, `the key ${quoted(key)}`).length > LONGEST_KEY) {
    throw new KilnError('LIMIT', `the key ${quoted(key)} is longer than the ${LONGEST_KEY} bytes that GGUF allows`)
  }
}

function writeInfos(head: HeadWriter, tensors: readonly ForeignTensor[], alignment: number): void {
  const names = new Set<string>()
  let offset = 0
  for (const tensor of tensors) {
    const what = `tensor ${quoted(tensor.name)}`
    const type = checkTensor(tensor, what)
    if (names.has(tensor.name)) throw new KilnError('TYPE', `${what} is there twice; GGUF needs names that differ`)
    names.add(tensor.name)
    head.text(tensor.name, `the name of ${what}`)
    head.u32(tensor.shape.length)
    for (const dimension of [...tensor.shape].reverse()) head.u64(dimension)
    head.u32(type)
    head.u64(offset)
    offset = alignUp(offset + tensor.byteLength, alignment)
  }
}

function checkTensor({ name, dtype, shape }: ForeignTensor, what: string): number {
  const type = ggmlOfDtype(dtype)
  if (type === undefined) {
    throw new KilnError('TYPE', `${what} is ${dtype}, which GGUF has no type for; leave it out, convert it to one that it has, or write another format`)
  }
  if (shape.length > MOST_DIMENSIONS) {
    throw new KilnError('TYPE', `${what} has ${shape.length} dimensions; GGUF has at most ${MOST_DIMENSIONS}`)
  }
  const length = utf8Bytes(name, `the name of ${what}`).length
  if (length > LONGEST_NAME) {
    throw new KilnError('TYPE', `the name of ${what} has ${length} bytes; readers of GGUF take at most ${LONGEST_NAME}`)
  }
  return type
}
