import { KilnError } from '../errors/kiln-error.js'
import type { ByteInput } from '../frozen/decode.js'
import { checkOptions } from '../limits/options.js'
import type { DecodeOptions, Int64 } from '../limits/limits.js'
import type { Infer, Input } from '../schema/infer.js'
import { checkSchema } from '../schema/is-schema.js'
import type { Schema } from '../schema/types.js'
import type { OwnBytes } from '../bytes/host.js'
import type { Frame } from './decode.js'
import { encodeFrame, type FrameOptions } from './encode.js'
import { FrameBuffer } from './frame-buffer.js'
import type { InheritSchemas, SchemaChoice } from './schema-choice.js'

/**
 * A Web ReadableStream, as far as it can be named without the DOM's types: it fits wherever a
 * `ReadableStream<T>` of TypeScript's or Node's own types is asked for.
 */
export interface WebReadable<T> {
  readonly locked: boolean
  cancel(reason?: unknown): Promise<void>
  getReader(options: { mode: 'byob' }): never
  getReader(): WebReader<T>
  pipeThrough(transform: unknown, options?: unknown): never
  pipeTo(destination: unknown, options?: unknown): Promise<void>
  tee(): [never, never]
  values(options?: unknown): never
  [Symbol.asyncIterator](options?: unknown): never
}

/** What `getReader` of a Web ReadableStream gives, named in the same way. */
export interface WebReader<T> {
  readonly closed: Promise<undefined>
  cancel(reason?: unknown): Promise<void>
  // `never` where nothing is: with `undefined`, TypeScript would take the platform's stream for one of T or undefined.
  read(): Promise<{ done: false; value: T } | { done: true; value: never }>
  releaseLock(): void
}

/** A Web WritableStream, named in the same way. */
export interface WebWritable<T> {
  readonly locked: boolean
  abort(reason?: unknown): Promise<void>
  close(): Promise<void>
  getWriter(): WebWriter<T>
}

/** What `getWriter` of a Web WritableStream gives, named in the same way. */
export interface WebWriter<T> {
  readonly closed: Promise<undefined>
  readonly desiredSize: number | null
  readonly ready: Promise<undefined>
  abort(reason?: unknown): Promise<void>
  close(): Promise<void>
  releaseLock(): void
  write(chunk?: T): Promise<void>
}

interface Controller<T> {
  enqueue(chunk: T): void
}
interface Transformer<I, O> {
  transform(chunk: I, controller: Controller<O>): void
  flush?(controller: Controller<O>): void
}
type TransformStreamType = new <I, O>(transformer: Transformer<I, O>) => {
  readonly readable: WebReadable<O>
  readonly writable: WebWritable<I>
}

function transformStream<I, O>(transformer: Transformer<I, O>): { readable: WebReadable<O>; writable: WebWritable<I> } {
  const { TransformStream } = globalThis as unknown as { TransformStream?: TransformStreamType }
  if (TransformStream === undefined) {
    throw new KilnError('TYPE', 'this platform has no TransformStream; read frames with readFrames instead')
  }
  return new TransformStream(transformer)
}

/**
 * Chunks of bytes in, frames out: `stream.pipeThrough(new FrameDecoderStream([Request]))`. Schemas and options are
 * those of `readFrames`; back-pressure and aborts are the stream's. A fault makes the stream fail with its KilnError.
 */
export class FrameDecoderStream<S extends Schema = Schema, const I extends Int64 = 'bigint'> {
  /** Where frames come out. */
  readonly readable: WebReadable<Frame<S, Infer<S, I>>>
  /** Where chunks of bytes, cut anyhow, go in. */
  readonly writable: WebWritable<ByteInput>

  constructor(schemas?: SchemaChoice<S> | InheritSchemas, options?: DecodeOptions<I>) {
    const buffer = new FrameBuffer(schemas, options)
    const stream = transformStream<ByteInput, Frame<S, Infer<S, I>>>({
      transform(chunk, controller) {
        buffer.push(chunk)
        for (let frame = buffer.next(); frame !== undefined; frame = buffer.next()) {
          controller.enqueue(frame as unknown as Frame<S, Infer<S, I>>)
        }
      },
      flush: () => buffer.end(),
    })
    this.readable = stream.readable
    this.writable = stream.writable
  }
}

/** Values of a schema in, one chunk a frame out. */
export class FrameEncoderStream<S extends Schema = Schema> {
  /** Where frames come out, as bytes. */
  readonly readable: WebReadable<OwnBytes>
  /** Where values go in. */
  readonly writable: WebWritable<Input<S>>

  constructor(schema: S, options?: FrameOptions) {
    // Found here, not by whoever reads the first frame.
    checkSchema(schema)
    checkOptions(options)
    const stream = transformStream<Input<S>, OwnBytes>({
      transform: (value, controller) => controller.enqueue(encodeFrame(schema, value, options)),
    })
    this.readable = stream.readable
    this.writable = stream.writable
  }
}
