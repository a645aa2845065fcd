import type { ByteSource, ReadOptions } from 'kiln-format'
import type { ForeignTensor, Omission } from '../model.js'
import { payloadRead } from '../payload/payload-read.js'
import { rangeChunks } from '../payload/range-chunks.js'
import { checkTensor, type CheckedTensor } from './check-tensor.js'
import type { ExternalFiles } from './external-files.js'
import { fieldChunks } from './field-chunks.js'
import type { TensorRecord } from './tensor-record.js'

/** A checked tensor that waits for its external data to be opened, or why it is left out. */
export type Candidate =
  | { readonly name: string; readonly what: string; readonly record: TensorRecord; readonly checked: CheckedTensor }
  | Omission

/** Checks a record; see `checkTensor` for the errors. */
export function candidate(record: TensorRecord, name: string, what: string): Candidate {
  const checked = checkTensor(record, what)
  return 'reason' in checked ? { name, reason: checked.reason } : { name, what, record, checked }
}

/** What a tensor says in words, which is not carried over, if it says anything. */
export function wordsOmission(name: string, doc: string | undefined, properties: number): Omission[] {
  const words = [
    ...(doc === undefined || doc === '' ? [] : ['its doc_string']),
    ...(properties > 0 ? [`its metadata_props (${properties})`] : []),
  ]
  return words.length === 0 ? [] : [{ name, reason: `${words.join(' and ')}; the tensor itself is taken over` }]
}

/** The candidate as a tensor; opens the file of its external data, if it has any. */
export async function toForeign(
  found: Exclude<Candidate, Omission>,
  source: ByteSource,
  files: ExternalFiles,
): Promise<ForeignTensor> {
  const { name, what, record, checked } = found
  const { dtype, shape, byteLength, storage } = checked
  let chunks: (options?: ReadOptions) => AsyncIterable<Uint8Array>
  let read: ForeignTensor['read']
  if (storage.kind === 'external') {
    const external = await files.source(storage.range, what)
    chunks = (options) => rangeChunks(external, storage.range.offset, byteLength, options)
    read = payloadRead(external, storage.range.offset, byteLength)
  } else if (storage.kind === 'raw') {
    chunks = (options) => rangeChunks(source, storage.start, byteLength, options)
    read = payloadRead(source, storage.start, byteLength)
  } else {
    const payload = { range: record.range, field: storage.field, dtype, byteLength }
    chunks = (options) => fieldChunks(source, payload, options)
  }
  return { name, dtype, shape, byteLength, chunks, read }
}
