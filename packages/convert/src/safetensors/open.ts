import type { ByteSource } from 'kiln-format'
import type { ForeignModel, ForeignTensor, Omission } from '../model.js'
import { readSafetensors, toForeign, type SafetensorsOptions } from './read-file.js'
import { sourceGiven } from '../reading/arguments.js'

/** A safetensors file, with where it keeps what. */
export interface SafetensorsModel extends ForeignModel {
  readonly format: 'safetensors'
  /** Bytes of the header, its padding included and its length before it not. */
  readonly headerBytes: number
  /** Where the payloads begin in the file. */
  readonly dataStart: number
}

/**
 * Opens one safetensors file: its header is read and checked as strictly as the reference
 * implementation does, payloads only when asked for.
 *
 * A tensor of an unknown dtype, or of more than 8 dimensions, is in `omitted` with its place in the
 * file, and the others can be read. Refused are a header over its cap (`LIMIT`), cut short (`EOF`),
 * not UTF-8 (`UTF8`), not JSON (`FRAME`), with a key twice or a value of the wrong kind (`TYPE`), and
 * payloads that overlap, leave holes, or don't fit dtype and shape (`TYPE`) or the file (`EOF`,
 * `TRAILING`).
 */
export async function openSafetensors(given: ByteSource, options?: SafetensorsOptions): Promise<SafetensorsModel> {
  const source = sourceGiven(given, options)
  const file = await readSafetensors(source, options)
  const tensors: ForeignTensor[] = []
  const omitted: Omission[] = []
  for (const placed of file.tensors) {
    const foreign = toForeign(placed, source)
    if ('reason' in foreign) omitted.push(foreign)
    else tensors.push(foreign)
  }
  omitted.push(...file.omitted)
  const { metadata, headerBytes, dataStart } = file
  return { format: 'safetensors', tensors, metadata, omitted, headerBytes, dataStart, close: () => Promise.resolve() }
}
