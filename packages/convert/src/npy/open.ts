import { KilnError } from 'kiln-format'
import type { ByteSource } from 'kiln-format'
import type { ForeignModel } from '../model.js'
import { payloadRead } from '../payload/payload-read.js'
import { explain } from '../sniff/explain.js'
import { checkSize, readHeader } from './header.js'
import type { NpyArray, NpyOptions } from './header.js'
import { payloadChunks } from './payload.js'
import { sourceGiven } from '../reading/arguments.js'

/** Options of {@link openNpy}. */
export interface OpenNpyOptions extends NpyOptions {
  /** The tensor's name: an NPY file has none. Default empty. */
  readonly name?: string | undefined
}

/** An NPY file with what it says of itself. */
export interface NpyModel extends ForeignModel {
  readonly format: 'npy'
  /** Such as `1.0`. */
  readonly version: string
  /** As the file has it; the tensor is row-major and little-endian in any case. */
  readonly fortranOrder: boolean
  readonly bigEndian: boolean
}

const EXPECTED = { kinds: ['npy'], what: 'an NPY file' } as const

/**
 * Opens an NPY file of version 1.0, 2.0 or 3.0 as a model of one tensor, by reading its header. Both
 * byte orders and both memory orders; a bool's bytes are kept whatever they are.
 *
 * Errors: `TYPE` for objects, structured dtypes, text, dates, bytes without a type and long doubles,
 * each by name, for over 8 dimensions, and for a header whose keys or values are not NPY's; `FRAME` for
 * another magic or version and for a header that is no Python literal; `LIMIT` for one over its cap;
 * `EOF` and `TRAILING` for a payload that is shorter or longer than dtype and shape need.
 */
export async function openNpy(given: ByteSource, options: OpenNpyOptions = {}): Promise<NpyModel> {
  const source = sourceGiven(given, options)
  const array = await readArray(source, options)
  const { version, fortranOrder, form, shape, byteLength } = array
  return {
    format: 'npy',
    tensors: [
      {
        name: options.name ?? '',
        dtype: form.dtype.name,
        shape,
        byteLength,
        chunks: (readOptions) => payloadChunks(source, array, readOptions),
        read: array.turned || form.bigEndian ? undefined : payloadRead(source, array.payloadStart, byteLength),
      },
    ],
    metadata: new Map(),
    omitted: [],
    version,
    fortranOrder,
    bigEndian: form.bigEndian,
    close: () => Promise.resolve(),
  }
}

async function readArray(source: ByteSource, options: NpyOptions): Promise<NpyArray> {
  try {
    const array = await readHeader(source, options)
    if ('refused' in array) throw new KilnError('TYPE', array.refused, 0)
    checkSize(array, source.size)
    return array
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
}
