import { KilnError } from 'kiln-format'
import { quoted, someOf } from '../text/quoted.js'
import type { IndexFile } from './index-file.js'
import type { PlacedTensor } from './layout.js'
import type { Shard } from './shard-set.js'

/** A tensor of a set and the shard that holds it. */
export interface SetTensor {
  readonly placed: PlacedTensor
  readonly shard: Shard
}

/**
 * The tensors of a set in the order of its index, once the index and the shards are known to say the
 * same: each shard holds all tensors that the index puts there, and no others. Else `TYPE`, with the
 * names.
 */
export function tensorsByIndex(index: IndexFile, shards: readonly Shard[]): SetTensor[] {
  const faults: string[] = []
  const found = new Map<string, SetTensor>()
  const wanted = new Map<string, string[]>(index.shards.map((name) => [name, []]))
  for (const [name, shardName] of index.weightMap) wanted.get(shardName)?.push(name)
  for (const shard of shards) {
    const held = new Map(shard.tensors.map((placed) => [placed.name, placed]))
    const missing: string[] = []
    for (const name of wanted.get(shard.name) ?? []) {
      const placed = held.get(name)
      if (placed === undefined) missing.push(name)
      else found.set(name, { placed, shard })
    }
    const extra = [...held.keys()].filter((name) => index.weightMap.get(name) !== shard.name)
    if (missing.length > 0) faults.push(`${quoted(shard.name)} lacks ${someOf(missing)}`)
    if (extra.length > 0) faults.push(`${quoted(shard.name)} holds ${someOf(extra)}, which the index doesn't put there`)
  }
  if (faults.length > 0) {
    const shown = faults.slice(0, 5).join('; ')
    const more = faults.length > 5 ? `; and ${faults.length - 5} more such faults` : ''
    throw new KilnError('TYPE', `the index and its shards differ: ${shown}${more}`)
  }
  return [...index.weightMap.keys()].map((name) => found.get(name)!)
}

/** The tensors of a set without an index, shard by shard; a name in two shards is `TYPE`. */
export function tensorsByNumber(shards: readonly Shard[]): SetTensor[] {
  const found = new Map<string, SetTensor>()
  for (const shard of shards) {
    for (const placed of shard.tensors) {
      const other = found.get(placed.name)
      if (other !== undefined) {
        const where = `${quoted(other.shard.name)} and in ${quoted(shard.name)}`
        throw new KilnError('TYPE', `the tensor ${quoted(placed.name)} is in ${where}; a set holds each once`)
      }
      found.set(placed.name, { placed, shard })
    }
  }
  return [...found.values()]
}
