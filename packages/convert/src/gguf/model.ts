import type { ByteSource } from 'kiln-format'
import type { ForeignModel, Omission } from '../model.js'
import { metadataOf, metadataOmissions } from './metadata.js'
import { tensorsOf } from './payload.js'
import type { GgufTensor } from './payload.js'
import type { GgufHead } from './read-head.js'
import type { GgufKeyValue } from './value-types.js'

/** A GGUF file, or a split set of them, with what it says of itself. */
export interface GgufModel extends ForeignModel {
  readonly format: 'gguf'
  readonly tensors: readonly GgufTensor[]
  /** The key-values with their types; of a set those of its first file, without how it was split. */
  readonly keyValues: readonly GgufKeyValue[]
  /** Of a set, these are its first file's. */
  readonly version: number
  readonly littleEndian: boolean
  readonly alignment: number
  /** Where the tensors' data begins; undefined in a file without tensors. */
  readonly dataStart: number | undefined
}

/** A model of one file or more, the first of which has the metadata. */
export function modelOf(
  files: readonly { readonly source: ByteSource; readonly head: GgufHead }[],
  keyValues: readonly GgufKeyValue[],
  omitted: readonly Omission[],
  close: () => Promise<void>,
): GgufModel {
  const { version, littleEndian, alignment, infos, dataStart } = files[0]!.head
  let metadata: ReadonlyMap<string, string> | undefined
  return {
    format: 'gguf',
    tensors: files.flatMap(({ source, head }) => tensorsOf(source, head)),
    keyValues,
    // Made when it is asked for: a vocabulary as text costs more than reading it.
    get metadata() {
      return (metadata ??= metadataOf(keyValues))
    },
    omitted: [...metadataOmissions(keyValues), ...omitted],
    version,
    littleEndian,
    alignment,
    dataStart: infos.length > 0 ? dataStart : undefined,
    close,
  }
}
