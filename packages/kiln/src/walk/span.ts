import type { KilnErrorCode } from '../errors/kiln-error.js'
import type { DecodeOptions } from '../limits/limits.js'
import type { InheritSchemas, SchemaChoice } from '../frame/schema-choice.js'
import type { Schema } from '../schema/types.js'

/**
 * What the bytes of a span are.
 *
 * - `frame-header`: a field of a frame's header; `schema-text`: the schema that a frame brings.
 * - `header`: a field of a directory's header; `descriptor`: of a tensor's descriptor; `name`: a name of the heap.
 * - `payload`: a tensor's elements, never read by the walk.
 * - `padding`: bytes that fill up to a multiple of 64.
 * - `count`, `length`, `tag`: the words before a list or dict, before text or bytes, and the byte before an option's
 *   value; `key`: of a dict; `value`: a scalar, text, bytes, or the numbers of a list.
 * - `group`: a part that the walk was told not to open.
 * - `error`: where the first failing check found its fault; `rest`: what lies behind it, unread.
 */
export type SpanKind =
  | 'frame-header'
  | 'schema-text'
  | 'header'
  | 'descriptor'
  | 'name'
  | 'payload'
  | 'padding'
  | 'count'
  | 'length'
  | 'tag'
  | 'key'
  | 'value'
  | 'group'
  | 'error'
  | 'rest'

/** The check that failed. */
export interface WalkFault {
  readonly code: KilnErrorCode
  /** The byte that the check was at. */
  readonly byte: number
  /** What was wrong and what to do. */
  readonly detail: string
}

/** Some bytes of the input and what they are. The spans of a walk tile the input: no hole, no overlap. */
export interface Span {
  /** Where the span begins, in bytes from the start of the input. */
  readonly offset: number
  /** Bytes; 0 for an empty text or payload, and for a fault at the very end. */
  readonly length: number
  /** Where in the value, in the form of `KilnError.path`; empty at the root. */
  readonly path: string
  readonly kind: SpanKind
  /** The rule of the format that the bytes follow. */
  readonly rule: string
  /**
   * Of a value or group: canonical schema text. Of a payload: dtype and shape. Of a header's or descriptor's field:
   * its word.
   */
  readonly type?: string
  /**
   * What the bytes say, as `view` gives it: a number, bigint, string, boolean, Uint8Array, or NumberList. Missing where
   * the bytes are not at hand (a long value of a source) or have no value of their own. Of a field of a header or
   * descriptor: a number, or a text such as `KILT`, `f32` or `0x…` of a hash. Of a name or payload: the
   * tensor's name.
   */
  readonly value?: unknown
  /** Of a list or dict that was not opened, or of a list of numbers: how many entries it has. */
  readonly entries?: number
  /** Of a name, descriptor or payload: which tensor of its directory. */
  readonly tensor?: number
  /** Of an `error` span. */
  readonly fault?: WalkFault
}

/** Options of a walk: those of every reader, what the bytes are, and which part of them is shown how deep. */
export interface WalkOptions extends DecodeOptions {
  /**
   * What the bytes are: a file by its first four bytes (the default), one frame alone, one directory alone, or a
   * Frozen value of a schema.
   */
  readonly as?: 'file' | 'frame' | 'directory' | Schema | undefined
  /**
   * The caller's schema or schemas, for frames that bring none. A frame that was written with another is a
   * fault. With `'inherit'` a frame that brings none is read by the schema that an earlier one brought.
   */
  readonly schemas?: SchemaChoice | InheritSchemas | undefined
  /**
   * How many levels to open; what lies deeper comes as one span a part. With 1, a struct has a span a field, and a
   * directory one each for header, descriptors, names and payloads. Default: all.
   */
  readonly depth?: number | undefined
  /** Give only spans that touch the bytes from here … */
  readonly from?: number | undefined
  /** … to here, exclusive. All that comes before is checked all the same. */
  readonly to?: number | undefined
}
