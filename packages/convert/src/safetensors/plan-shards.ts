import { KilnError } from 'kiln-format'
import type { ForeignTensor, WritableModel } from '../model.js'
import { utf8Length } from '../text/utf8.js'
import { HEADER_START } from './header.js'
import { headerEntry, planFile, type FilePlan } from './plan-file.js'

/**
 * Deals a model's tensors out to files of at most `shardSize` bytes, headers included, in the model's
 * order; a tensor that is larger by itself has a file of its own. All carry the model's strings. One file if
 * it fits to the byte; where there are more, each may stay some bytes a tensor below the size.
 */
export function planShards(model: WritableModel, shardSize: number, cap: number): FilePlan[] {
  if (!(shardSize >= 1))
    throw new KilnError('TYPE', `a shard size of ${shardSize} bytes is not possible; give 1 or more`)
  const whole = planFile(model, Infinity)
  if (whole.size <= shardSize && whole.head.length - HEADER_START <= cap) return [whole]
  const empty = planFile({ tensors: [], metadata: model.metadata }, cap)
  // Padding takes at most 7 bytes more than it does for the empty file.
  const overhead = empty.size + 7
  const groups: ForeignTensor[][] = []
  let group: ForeignTensor[] = []
  let size = overhead
  let header = empty.head.length - HEADER_START + 7
  for (const tensor of model.tensors) {
    // No offset in the file is longer, written out, than the largest number.
    const text = headerEntry(tensor, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    const entry = utf8Length(text, text.length) + 1
    if (group.length > 0 && (size + entry + tensor.byteLength > shardSize || header + entry > cap)) {
      groups.push(group)
      group = []
      size = overhead
      header = empty.head.length - HEADER_START + 7
    }
    group.push(tensor)
    size += entry + tensor.byteLength
    header += entry
  }
  groups.push(group)
  return groups.map((tensors) => planFile({ tensors, metadata: model.metadata }, cap))
}
