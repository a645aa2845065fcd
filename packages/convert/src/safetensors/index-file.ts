import { KilnError, type ByteSource } from 'kiln-format'
import { JsonReader } from '../json/json-reader.js'
import { plainName } from '../paths/plain-name.js'
import { utf8Text } from '../reading/text.js'
import { explain } from '../sniff/explain.js'
import { quoted } from '../text/quoted.js'
import { resolveLimits, type SafetensorsOptions } from './read-file.js'

/** What an index says of its set. */
export interface IndexFile {
  /** Tensor to shard, in the order of the index. */
  readonly weightMap: ReadonlyMap<string, string>
  /** The shards' names, each once, in the order in which they first appear. */
  readonly shards: readonly string[]
  /** The values of the index's own metadata as their JSON text, such as `total_size`. */
  readonly metadata: ReadonlyMap<string, string>
  /** Keys of the index that are not of the format. */
  readonly extra: readonly string[]
}

const EXPECTED = { kinds: ['safetensors-index'], what: 'the index of a safetensors set' } as const

/**
 * Reads the index of a sharded set. Its shards' names are checked to be of the index's own folder
 * (`TYPE`), and nothing is opened.
 */
export async function readIndex(source: ByteSource, options?: SafetensorsOptions): Promise<IndexFile> {
  const limits = resolveLimits(options)
  try {
    if (source.size > limits.index) {
      throw new KilnError(
        'LIMIT',
        `an index of ${source.size} bytes is over the cap of ${limits.index}; raise limits.index if it is meant`,
        0,
      )
    }
    const bytes = await source.read(0, source.size, options)
    return parseIndex(utf8Text(bytes, 0, bytes.length, 'the index', 0), limits.shards)
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
}

function parseIndex(text: string, mostShards: number): IndexFile {
  const json = new JsonReader(text, { what: 'the index', mark: true })
  const weightMap = new Map<string, string>()
  const shards = new Set<string>()
  const metadata = new Map<string, string>()
  const extra: string[] = []
  let mapped = false
  json.object((key) => {
    if (key === 'weight_map') {
      mapped = true
      json.object((tensor) => {
        const shard = plainName(json.string(`weight_map of ${quoted(tensor)}`), 'the shard')
        weightMap.set(tensor, shard)
        shards.add(shard)
        if (shards.size > mostShards) {
          throw json.error('LIMIT', `more than ${mostShards} shards; raise limits.shards if they are meant`)
        }
      }, 'weight_map')
    } else if (key === 'metadata') {
      if (json.kind() === 'null') json.skip()
      else json.object((name) => metadata.set(name, json.raw()), 'metadata')
    } else {
      json.skip()
      extra.push(key)
    }
  }, 'the index')
  json.end()
  if (!mapped) throw json.error('TYPE', 'it has no weight_map, so it is no index of a safetensors set')
  return { weightMap, shards: [...shards], metadata, extra }
}
