import { KilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import type { Folder, ForeignModel, ForeignTensor, Omission } from '../model.js'
import { inFile } from '../paths/file-errors.js'
import { plainName } from '../paths/plain-name.js'
import { quoted, someOf } from '../text/quoted.js'
import { tensorsByIndex, tensorsByNumber, type SetTensor } from './check-set.js'
import { readIndex, type IndexFile } from './index-file.js'
import { INDEX_METADATA } from './index-metadata.js'
import { resolveLimits, toForeign, type SafetensorsOptions } from './read-file.js'
import { allShardNames, INDEX_SUFFIX, parseShardName } from './shard-names.js'
import { closeAll, mergeMetadata, openShards, type Shard } from './shard-set.js'
import { checkFolder, checkOptions } from '../reading/arguments.js'
import { openIn, openOrMissing } from '../reading/folder-file.js'

/** A sharded set, with its files. */
export interface SafetensorsSet extends ForeignModel {
  readonly format: 'safetensors'
  /** The names of the files, in the order of the index or of their numbers. */
  readonly shards: readonly string[]
  /** Which tensor is in which file. */
  readonly shardOf: ReadonlyMap<string, string>
}

/**
 * Opens a sharded safetensors set as one model: by its index (`model.safetensors.index.json`), by any
 * of its shards (`model-00002-of-00006.safetensors`), or, without a name, by the folder, which then
 * has to hold one model. A file that is not sharded opens as what it is.
 *
 * The set is checked whole before anything is returned: every shard is there, else `EOF` naming all
 * that are missing; shards and index name the same tensors, else `TYPE`. The tensors come in the order
 * of the index; without one, in the order of the shards. `total_size` is only compared: models with a
 * wrong one are common and whole, so a difference is reported in `omitted`.
 *
 * The shards' strings are merged, and conflicts reported. Other values of the index's metadata are kept
 * under `safetensors.index.` and their name, as JSON, for `writeSafetensorsShards` to put back.
 */
export async function openSafetensorsSet(
  folder: Folder,
  name?: string,
  options?: SafetensorsOptions,
): Promise<SafetensorsSet> {
  checkOptions(options)
  checkFolder(folder)
  const entry = name === undefined ? await findModel(folder, options) : plainName(name)
  if (entry.endsWith('.json')) {
    return byIndex(folder, await indexFrom(await openIn(folder, entry, options), entry, options), options)
  }
  const shard = parseShardName(entry)
  if (shard !== undefined) {
    const indexName = shard.set + INDEX_SUFFIX
    const source = await openOrMissing(folder, indexName, options)
    const index = source === undefined ? undefined : await indexFrom(source, indexName, options)
    // An index that doesn't name this shard is another model's.
    if (index?.shards.includes(entry) === true) return byIndex(folder, index, options)
  }
  if (shard !== undefined && shard.of > resolveLimits(options).shards) {
    throw new KilnError(
      'LIMIT',
      `${quoted(entry)} is of a set of ${shard.of} shards; raise limits.shards if they are meant`,
    )
  }
  const shards = await openShards(folder, shard === undefined ? [entry] : allShardNames(shard), options)
  return closingOnError(shards, () => model(shards, tensorsByNumber(shards), []))
}

async function byIndex(folder: Folder, index: IndexFile, options?: SafetensorsOptions): Promise<SafetensorsSet> {
  const shards = await openShards(folder, index.shards, options)
  return closingOnError(shards, () => {
    const tensors = tensorsByIndex(index, shards)
    const result = model(
      shards,
      tensors,
      index.extra.map((key) => ({ name: key, reason: 'a key of the index that is not of the format' })),
    )
    return withIndexMetadata(result, index, tensors)
  })
}

async function closingOnError<T>(shards: readonly Shard[], make: () => T): Promise<T> {
  try {
    return make()
  } catch (error) {
    await closeAll(shards.map((shard) => shard.source))
    throw error
  }
}

function model(shards: readonly Shard[], members: readonly SetTensor[], extra: readonly Omission[]): SafetensorsSet {
  const tensors: ForeignTensor[] = []
  const merged = mergeMetadata(shards)
  const omitted: Omission[] = []
  for (const { placed, shard } of members) {
    const foreign = toForeign(placed, shard.source)
    if ('reason' in foreign) omitted.push({ name: foreign.name, reason: `in ${quoted(shard.name)}: ${foreign.reason}` })
    else tensors.push(foreign)
  }
  for (const shard of shards) omitted.push(...shard.omitted)
  omitted.push(...merged.omitted, ...extra)
  return {
    format: 'safetensors',
    tensors,
    metadata: merged.metadata,
    omitted,
    shards: shards.map((shard) => shard.name),
    shardOf: new Map(members.map(({ placed, shard }) => [placed.name, shard.name])),
    close: () => closeAll(shards.map((shard) => shard.source)),
  }
}

function withIndexMetadata(result: SafetensorsSet, index: IndexFile, members: readonly SetTensor[]): SafetensorsSet {
  const metadata = new Map(result.metadata)
  const omitted = [...result.omitted]
  for (const [key, json] of index.metadata) {
    if (key === 'total_size') {
      const held = members.reduce((sum, { placed }) => sum + placed.byteLength, 0)
      if (Number(json) !== held) {
        omitted.push({
          name: key,
          reason: `the index says ${json.slice(0, 40)}, the tensors have ${held} bytes; the tensors are kept`,
        })
      }
    } else if (metadata.has(INDEX_METADATA + key)) {
      omitted.push({
        name: key,
        reason: `a value of the index whose key ${quoted(INDEX_METADATA + key)} a shard uses already`,
      })
    } else metadata.set(INDEX_METADATA + key, json)
  }
  return { ...result, metadata, omitted }
}

/** Reads an index from a source that was opened for it, and closes that. */
async function indexFrom(source: ByteSource, name: string, options?: SafetensorsOptions): Promise<IndexFile> {
  try {
    return await readIndex(source, options)
  } catch (error) {
    throw inFile(error, name)
  } finally {
    await source.close?.()
  }
}

/** The one model of a folder: its index, else its shards, else its only file. */
async function findModel(folder: Folder, options?: ReadOptions): Promise<string> {
  options?.signal?.throwIfAborted()
  if (folder.list === undefined) {
    throw new KilnError('TYPE', 'this folder can not be listed; name the index or a shard of the set')
  }
  const names = [...(await folder.list())].sort()
  const files = names.filter((name) => name.endsWith('.safetensors'))
  const sets = new Set(files.flatMap((name) => parseShardName(name)?.set ?? []))
  const alone = files.filter((name) => parseShardName(name) === undefined)
  const indexes = names.filter((name) => name.endsWith(INDEX_SUFFIX))
  // A set has one name, whether or not it has an index; a set and a file beside it are two models.
  const models = new Set([...indexes.map((name) => name.slice(0, -INDEX_SUFFIX.length)), ...sets])
  if (models.size + alone.length > 1) {
    const choice = [
      ...(indexes.length > 0 ? indexes : files.filter((name) => parseShardName(name)?.number === 1)),
      ...alone,
    ]
    throw new KilnError('TYPE', `the folder holds more than one model: name one of ${someOf(choice)}`)
  }
  const found = indexes[0] ?? files[0]
  if (found === undefined) throw new KilnError('EOF', 'there is no safetensors file and no index in the folder')
  return found
}
