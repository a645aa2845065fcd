import { KilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import type { ForeignTensor, Omission } from '../model.js'
import { payloadRead } from '../payload/payload-read.js'
import { rangeChunks } from '../payload/range-chunks.js'
import { resolveCaps } from '../reading/caps.js'
import { utf8Text } from '../reading/text.js'
import { explain } from '../sniff/explain.js'
import { HEADER_START, parseHeader, type Header } from './header.js'
import { placeTensors, type PlacedTensor } from './layout.js'

/** Caps of the safetensors reader and writer; what is over one is `LIMIT`, and the message names it. */
export interface SafetensorsLimits {
  /** Bytes of a file's header. Default 100,000,000, as in the reference implementation. */
  readonly header: number
  /** Bytes of a set's index file, and how many shards it may name. Defaults 2^28 and 100,000. */
  readonly index: number
  readonly shards: number
}

export const defaultLimits: SafetensorsLimits = Object.freeze({ header: 100_000_000, index: 2 ** 28, shards: 100_000 })

/** Options of the safetensors reader and writer. */
export interface SafetensorsOptions extends ReadOptions {
  /** Caps; each that is left out has its default. */
  readonly limits?: Partial<SafetensorsLimits> | undefined
}

export function resolveLimits(options: SafetensorsOptions | undefined): SafetensorsLimits {
  return resolveCaps({ ...defaultLimits }, options?.limits)
}

/** A file as it is on its own, or as a shard of a set. */
export interface SafetensorsFile {
  /** Bytes of the header without its length, and where in the file the payloads begin. */
  readonly headerBytes: number
  readonly dataStart: number
  readonly metadata: ReadonlyMap<string, string>
  /** In the order of the header. */
  readonly tensors: readonly PlacedTensor[]
  /** Of tensors that are read nonetheless. */
  readonly omitted: readonly Omission[]
}

// Holds the headers of models with some hundred tensors, so that most files take one read to open.
const FIRST_READ = 2 ** 15

const EXPECTED = { kinds: ['safetensors'], what: 'a safetensors file' } as const

/** Reads and checks a file's header, and no payload beyond the first 32 KiB of the file. */
export async function readSafetensors(source: ByteSource, options?: SafetensorsOptions): Promise<SafetensorsFile> {
  const limits = resolveLimits(options)
  try {
    const text = await readHeaderText(source, limits.header, options)
    return checked(parseHeader(text.header), text.payloadStart, source.size)
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
}

async function readHeaderText(
  source: ByteSource,
  cap: number,
  options?: ReadOptions,
): Promise<{ header: string; payloadStart: number }> {
  if (source.size < HEADER_START) {
    throw new KilnError(
      'EOF',
      `a safetensors file begins with 8 bytes of header length; this one has ${source.size} bytes`,
      0,
    )
  }
  const first = await source.read(0, Math.min(source.size, FIRST_READ), options)
  const length = new DataView(first.buffer, first.byteOffset, first.byteLength).getBigUint64(0, true)
  if (length > cap) {
    throw new KilnError(
      'LIMIT',
      `a header of ${length} bytes is over the cap of ${cap}; raise limits.header if it is meant`,
      0,
    )
  }
  const payloadStart = HEADER_START + Number(length)
  if (payloadStart > source.size) {
    throw new KilnError(
      'EOF',
      `a header of ${length} bytes is announced, and ${source.size - HEADER_START} follow`,
      HEADER_START,
    )
  }
  const bytes =
    payloadStart <= first.length
      ? first.subarray(HEADER_START, payloadStart)
      : await source.read(HEADER_START, Number(length), options)
  return { header: utf8Text(bytes, 0, bytes.length, 'the safetensors header', HEADER_START), payloadStart }
}

function checked(header: Header, payloadStart: number, size: number): SafetensorsFile {
  const omitted: Omission[] = []
  for (const { name, extra } of header.entries) {
    if (extra.length > 0) omitted.push({ name, reason: `its header fields ${extra.join(', ')} are not of the format` })
  }
  const tensors = placeTensors(header.entries, payloadStart, size)
  return {
    headerBytes: payloadStart - HEADER_START,
    dataStart: payloadStart,
    metadata: header.metadata,
    tensors,
    omitted,
  }
}

/** A placed tensor as a model gives it, or as what a model had to leave out. */
export function toForeign(placed: PlacedTensor, source: ByteSource): ForeignTensor | Omission {
  const { name, offset, byteLength, form } = placed
  if ('reason' in form) return { name, reason: form.reason }
  const chunks = (options?: ReadOptions): AsyncIterable<Uint8Array> => rangeChunks(source, offset, byteLength, options)
  return { name, dtype: form.dtype, shape: form.shape, byteLength, chunks, read: payloadRead(source, offset, byteLength) }
}
