import { allocated, allocateElements } from '../bytes/allocate.js'
import { elementType, type NumberName } from '../bytes/elements.js'
import { toBytes } from '../bytes/input.js'
import { messageReader } from '../bytes/message-reader.js'
import { byteReader, endOfInput, take, takeCount, type ByteReader } from '../bytes/reader.js'
import { within } from '../errors/kiln-error.js'
import type { ByteInput } from '../frozen/decode.js'
import { flagAt, safeInteger } from '../frozen/scalar-read.js'
import { checkOptions } from '../limits/options.js'
import { resolveSettings, type DecodeOptions, type Int64, type Settings } from '../limits/limits.js'

/**
 * Options of a generated reader: those of `decode`, but how 64-bit integers come was chosen when the
 * code was generated, and the types say it.
 */
export type ReadOptions = Omit<DecodeOptions, 'int64'>

/** A cursor at the front of the input. */
export function openReader(bytes: ByteInput, options: ReadOptions | undefined, int64: Int64): ByteReader {
  return byteReader(toBytes(bytes), settingsOf(options, int64))
}

/** As {@link openReader}, for one message that is read at once; its errors go through `inMessage`. */
export function openMessage(bytes: ByteInput, options: ReadOptions | undefined, int64: Int64): ByteReader {
  return messageReader(toBytes(bytes), settingsOf(options, int64))
}

const defaults = resolveSettings(undefined)
const numbersByDefault: Settings = Object.freeze({ ...defaults, int64AsNumber: true })

function settingsOf(options: ReadOptions | undefined, int64: Int64): Settings {
  if (options === undefined) return int64 === 'number' ? numbersByDefault : defaults
  checkOptions(options)
  return resolveSettings({ ...options, int64 })
}

/** Fields of fixed width that follow one another: name and type. */
export type Run = readonly (readonly [name: string, type: NumberName | 'bool'])[]

/**
 * Takes all bytes of a run at once and returns where they begin. What is in them is the caller's to
 * check, in order; if they are not all there, the fault is the first that reading field by field meets.
 */
export function takeRun(r: ByteReader, size: number, run: Run): number {
  const at = r.pos
  if (size > r.end - at) throw shortRun(r, size, run)
  r.pos = at + size
  return at
}

/** Why a run that the input is too short for is refused: a value before its end may be wrong first. */
function shortRun(r: ByteReader, size: number, run: Run): unknown {
  const start = r.pos
  for (const [name, type] of run) {
    try {
      const at = take(r, type === 'bool' ? 1 : elementType(type).width, type)
      if (type === 'bool') flagAt(r, at, 'bool')
      else if ((type === 'i64' || type === 'u64') && r.settings.int64AsNumber)
        safeInteger(elementType(type).get(r.view, at), at)
    } catch (error) {
      return within(error, name)
    }
  }
  // All fields fit where their sum did not: it was another sum.
  r.pos = start
  return endOfInput(r, size, 'fields')
}

/** Reads an `i64` that is a safe integer; another is `TYPE`. */
export function readSafeI64(r: ByteReader): number {
  const at = take(r, 8, 'i64')
  return safeInteger(r.view.getBigInt64(at, true), at)
}

/** Reads a `u64` that is a safe integer; another is `TYPE`. */
export function readSafeU64(r: ByteReader): number {
  const at = take(r, 8, 'u64')
  return safeInteger(r.view.getBigUint64(at, true), at)
}

/** The error with the field in front of its path; an empty name adds none, since a run names its fields itself. */
export function inField(error: unknown, field: string): unknown {
  return field === '' ? error : within(error, field)
}

/** The error with an element's place in front of its path. */
export function inElement(error: unknown, index: number): unknown {
  return within(error, index)
}

/** Takes a count and makes the list for its elements (FORMAT §2, Counts). */
export function takeList<T>(r: ByteReader, minSize: number): T[] {
  return allocateElements<T[]>(Array, takeCount(r, minSize, 'count'))
}

/** Takes a dict's count; the dict itself grows with its entries. */
export function takeEntries(r: ByteReader, minSize: number): number {
  const count = takeCount(r, minSize, 'count')
  allocated.elements += count
  return count
}
