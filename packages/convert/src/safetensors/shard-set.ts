import { KilnError, type ByteSource } from 'kiln-format'
import type { Folder, Omission } from '../model.js'
import { inFile } from '../paths/file-errors.js'
import { openOrMissing } from '../reading/folder-file.js'
import { quoted, someOf } from '../text/quoted.js'
import { readSafetensors, type SafetensorsFile, type SafetensorsOptions } from './read-file.js'

/** An open shard. */
export interface Shard extends SafetensorsFile {
  readonly name: string
  readonly source: ByteSource
}

// A hostile name can announce any number of shards; behind a URL each try is a request.
const MOST_MISSING = 32

/**
 * Opens the shards of a set and reads their headers. All that can't be opened are named in one error,
 * `EOF` (after 32 it looks no further). On any error what was opened is closed again.
 */
export async function openShards(
  folder: Folder,
  names: readonly string[],
  options?: SafetensorsOptions,
): Promise<Shard[]> {
  const shards: Shard[] = []
  const sources: ByteSource[] = []
  const missing: string[] = []
  try {
    for (const name of names) {
      const source = await openOrMissing(folder, name, options)
      if (source === undefined) {
        missing.push(name)
        if (missing.length === MOST_MISSING) break
        continue
      }
      sources.push(source)
      if (missing.length > 0) continue
      try {
        shards.push({ name, source, ...(await readSafetensors(source, options)) })
      } catch (error) {
        throw inFile(error, name)
      }
    }
    if (missing.length > 0) {
      const count = missing.length === MOST_MISSING ? `at least ${MOST_MISSING}` : missing.length
      const which = `${count} of ${names.length} shards are not in the folder: ${someOf(missing)}`
      throw new KilnError('EOF', `the set is not whole: ${which}`)
    }
    return shards
  } catch (error) {
    await closeAll(sources)
    throw error
  }
}

/** Closes every source, even if some fail; the first failure is thrown at the end. */
export async function closeAll(sources: readonly ByteSource[]): Promise<void> {
  const results = await Promise.allSettled(sources.map((source) => source.close?.()))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** The shards' strings as one map. Of a key with several values the first stays, and the others are reported. */
export function mergeMetadata(shards: readonly Shard[]): { metadata: Map<string, string>; omitted: Omission[] } {
  const metadata = new Map<string, string>()
  const omitted: Omission[] = []
  for (const shard of shards) {
    for (const [key, value] of shard.metadata) {
      const known = metadata.get(key)
      if (known === undefined) metadata.set(key, value)
      else if (known !== value) {
        const kept = `an earlier shard has ${quoted(known)}, which is kept`
        omitted.push({ name: key, reason: `the metadata of ${quoted(shard.name)} has ${quoted(value)}, ${kept}` })
      }
    }
  }
  return { metadata, omitted }
}
