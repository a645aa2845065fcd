import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { ByteInput } from '../frozen/decode.js'
import type { DecodeOptions, Int64 } from '../limits/limits.js'
import type { Infer } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { signalOf, unlessAborted } from '../sources/abort.js'
import type { AbortSignalLike } from '../sources/source.js'
import type { Frame } from './decode.js'
import { FrameBuffer } from './frame-buffer.js'
import type { InheritSchemas, SchemaChoice } from './schema-choice.js'

/** The part of a Web ReadableStream that is used where it can't be iterated. */
export interface ReaderSource {
  getReader(): {
    read(): Promise<{ done: boolean; value?: ByteInput | undefined }>
    cancel(reason?: unknown): Promise<void>
    releaseLock(): void
  }
}

/** Chunks of a stream, of any sizes: an array, a generator, a Node stream, a fetch body. */
export type ChunkSource = AsyncIterable<ByteInput> | Iterable<ByteInput> | ReaderSource

/**
 * Options of a reader of streams: those of every reader, and what ends the waiting. `limits.body` is 2^30 unless set.
 */
export interface StreamOptions<I extends Int64 = Int64> extends DecodeOptions<I> {
  readonly signal?: AbortSignalLike | undefined
}

interface ChunkIterator {
  next(): Promise<{ done?: boolean | undefined; value?: ByteInput | undefined }>
  /** Tells the source that no more is wanted. */
  stop(reason: unknown): Promise<unknown>
}

function chunkIterator(source: ChunkSource): ChunkIterator {
  if (typeof source !== 'object' || source === null) throw noSource(source)
  // Before iteration, which Safari's streams lack and which locks a stream just as well.
  if ('getReader' in source && typeof source.getReader === 'function') {
    const reader = source.getReader()
    return { next: () => reader.read(), stop: (reason) => reader.cancel(reason).finally(() => reader.releaseLock()) }
  }
  if (Symbol.asyncIterator in source) {
    const iterator = source[Symbol.asyncIterator]()
    return { next: () => iterator.next(), stop: async () => iterator.return?.() }
  }
  if (Symbol.iterator in source && !ArrayBuffer.isView(source)) {
    const iterator = source[Symbol.iterator]()
    return { next: async () => iterator.next() as { done?: boolean; value?: ByteInput }, stop: async () => iterator.return?.() }
  }
  throw noSource(source)
}

function noSource(given: unknown): KilnError {
  return new KilnError('TYPE', `frames are read from a stream or an iterable of chunks, got ${describe(given)}; iterateFrames takes bytes`)
}

/**
 * Reads frames out of a stream, cut into chunks anyhow (FORMAT §6). A chunk is asked for when all frames of those
 * before have been taken; leaving the loop early cancels the source. A stream that ends inside a frame is `EOF`.
 * A frame's body is at most 2^30 bytes unless `limits.body` says otherwise. `'inherit'` is as for {@link iterateFrames}.
 */
export function readFrames(source: ChunkSource, schemas?: InheritSchemas, options?: StreamOptions): AsyncGenerator<Frame<Schema, unknown>, undefined>
export function readFrames<S extends Schema, const I extends Int64 = 'bigint'>(
  source: ChunkSource,
  schemas: SchemaChoice<S>,
  options?: StreamOptions<I>,
): AsyncGenerator<Frame<S, Infer<S, I>>, undefined>
export async function* readFrames(
  source: ChunkSource,
  schemas?: SchemaChoice | InheritSchemas,
  options?: StreamOptions,
): AsyncGenerator<Frame, undefined> {
  const signal = signalOf(options)
  const buffer = new FrameBuffer(schemas, options)
  const chunks = chunkIterator(source)
  let finished = false
  try {
    for (;;) {
      for (let frame = buffer.next(); frame !== undefined; frame = buffer.next()) {
        signal?.throwIfAborted()
        yield frame
      }
      const { done, value } = await unlessAborted(chunks.next(), signal)
      if (done === true) break
      if (value !== undefined) buffer.push(value)
    }
    finished = true
    buffer.end()
  } finally {
    // The error on its way, or the end of the loop, matters more than what a source says to being stopped.
    if (!finished) void chunks.stop(undefined).catch(() => undefined)
  }
  return undefined
}
