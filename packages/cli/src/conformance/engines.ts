import {
  bytesSource, compile, decode, decodeFrame, decodePrefix, DirectoryReader, framesOf, iterate, iterateFrames, iterateFramesView, k, openDirectory,
  project, readDirectory, readFrames, view, viewFrame,
  type Directory, type Frame, type Limits, type Schema, type SourceFrame, type Tensor,
} from 'kiln-format'
import { hexOf } from '../notation/hex.js'
import { isNumberSchema } from '../notation/number-kind.js'
import { notationOf } from '../notation/write.js'
import { notationOfTensors } from '../notation/tensors.js'
import { chunkSize } from './placed.js'

/** One way of the library to read what a case holds. */
export interface Engine {
  readonly name: string
  /** The value in the notation. */
  read(bytes: Uint8Array): unknown
  /** Takes a value from the front and leaves what follows: it can't say `TRAILING` of what stands alone. */
  readonly leavesRest?: boolean
}

/** What is kept from case to case, so that reuse is tested too. */
export interface Reused {
  readonly readers: Map<string, DirectoryReader>
}

const noted = (schema: Schema, value: unknown): unknown => notationOf(schema, value, { hex: hexOf })

/** All readers of a body. */
export function frozenEngines(schema: Schema, limits: Partial<Limits>): Engine[] {
  const compiled = compile(schema)
  return [
    { name: 'decode', read: (bytes) => noted(schema, decode(schema, bytes, { limits })) },
    { name: 'view', read: (bytes) => noted(schema, view(schema, bytes, { limits })) },
    { name: 'compiled decode, bytes borrowed', read: (bytes) => noted(schema, compiled.decode(bytes, { limits, bytes: 'borrow' })) },
    { name: 'decodePrefix', leavesRest: true, read: (bytes) => noted(schema, decodePrefix(schema, bytes, { limits }).value) },
    ...stepwiseEngines(schema, limits),
  ]
}

/** Readers of parts, which put together are the whole: the elements of a list one by one, all fields of a struct. */
function stepwiseEngines(schema: Schema, limits: Partial<Limits>): Engine[] {
  if (schema.kind === 'list' && !isNumberSchema(schema.element)) {
    return [{ name: 'iterate', read: (bytes) => noted(schema, [...iterate(schema, bytes, { limits })]) }]
  }
  if (schema.kind !== 'struct') return []
  const all = project(schema, schema.names)
  return [{ name: 'project to all fields', read: (bytes) => noted(schema, all(bytes, { limits })) }]
}

function readerFor(reused: Reused, limits: Partial<Limits>): DirectoryReader {
  const key = JSON.stringify(limits)
  let reader = reused.readers.get(key)
  if (reader === undefined) {
    reader = new DirectoryReader({ limits })
    reused.readers.set(key, reader)
  }
  return reader
}

/** The tensors of a directory whose payloads are read one by one from a source. */
async function lazyTensors(bytes: Uint8Array, limits: Partial<Limits>): Promise<unknown> {
  const directory = await openDirectory(bytesSource(bytes), { limits })
  const loaded: Tensor[] = []
  for (const tensor of directory) loaded.push(await tensor.load({ links: true }))
  return notationOfTensors(loaded, hexOf)
}

/** All readers of a directory that stands alone. */
export function directoryEngines(limits: Partial<Limits>, reused: Reused): Engine[] {
  const tensors = (directory: Directory): unknown => notationOfTensors(directory, hexOf)
  return [
    { name: 'readDirectory', read: (bytes) => tensors(readDirectory(bytes, { limits })) },
    { name: 'DirectoryReader, reused', read: (bytes) => tensors(readerFor(reused, limits).read(bytes)) },
    { name: 'decode of tensors', read: (bytes) => noted(k.tensors, decode(k.tensors, bytes, { limits })) },
    { name: 'view of tensors', read: (bytes) => noted(k.tensors, view(k.tensors, bytes, { limits })) },
    { name: 'openDirectory', read: (bytes) => lazyTensors(bytes, limits) },
    { name: 'decodePrefix of tensors', leavesRest: true, read: (bytes) => noted(k.tensors, decodePrefix(k.tensors, bytes, { limits }).value) },
  ]
}

/** A frame's value with what else a case says of it. */
function notedFrame(frame: Frame<Schema, unknown>): unknown {
  return { schema: frame.schema.text, flags: frame.flags, value: noted(frame.schema, frame.value) }
}

async function only(frames: AsyncIterable<Frame<Schema, unknown>> | Iterable<Frame<Schema, unknown>>): Promise<unknown> {
  for await (const frame of frames) return notedFrame(frame)
  return undefined
}

async function firstOf(frames: AsyncIterable<SourceFrame<Schema, unknown>>): Promise<unknown> {
  for await (const frame of frames) return notedFrame(await frame.read())
  return undefined
}

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

/** As the first four bytes of a file say that it holds frames (FORMAT §7), before anything of a frame is looked at. */
function isFile(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 4)) === 'KILF'
}

/** All readers of a frame. Those of many frames take the first; of no bytes they would say that there is none. */
export function frameEngines(schema: Schema | undefined, limits: Partial<Limits>, bytes: Uint8Array): Engine[] {
  const options = { limits }
  // A stream's own cap on bodies is of the stream, not of the format.
  const streamed = { limits: { body: Infinity, ...limits } }
  const alone: Engine[] = [
    { name: 'decodeFrame', read: (bytes) => notedFrame(schema === undefined ? decodeFrame(bytes, undefined, options) : decodeFrame(bytes, schema, options)) },
    { name: 'viewFrame', read: (bytes) => notedFrame(schema === undefined ? viewFrame(bytes, undefined, options) : viewFrame(bytes, schema, options)) },
  ]
  if (bytes.length === 0) return alone
  const iterated = (bytes: Uint8Array): Iterable<Frame<Schema, unknown>> =>
    schema === undefined ? iterateFrames(bytes, undefined, options) : iterateFrames(bytes, schema, options)
  const borrowed = (bytes: Uint8Array): Iterable<Frame<Schema, unknown>> =>
    schema === undefined ? iterateFramesView(bytes, undefined, options) : iterateFramesView(bytes, schema, options)
  const read = (bytes: Uint8Array, size: number): AsyncIterable<Frame<Schema, unknown>> =>
    schema === undefined ? readFrames(chunksOf(bytes, size), undefined, streamed) : readFrames(chunksOf(bytes, size), schema, streamed)
  const found = (bytes: Uint8Array): AsyncIterable<SourceFrame<Schema, unknown>> =>
    schema === undefined ? framesOf(bytesSource(bytes), undefined, options) : framesOf(bytesSource(bytes), schema, options)
  return [
    ...alone,
    { name: 'iterateFrames', leavesRest: true, read: (bytes) => only(iterated(bytes)) },
    { name: 'iterateFramesView', leavesRest: true, read: (bytes) => only(borrowed(bytes)) },
    ...(isFile(bytes) ? [{ name: 'framesOf', leavesRest: true, read: (given: Uint8Array) => firstOf(found(given)) }] : []),
    { name: 'readFrames, whole', leavesRest: true, read: (bytes) => only(read(bytes, bytes.length)) },
    { name: 'readFrames, in small chunks', leavesRest: true, read: (given) => only(read(given, chunkSize(given.length))) },
  ]
}
