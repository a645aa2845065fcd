import { JsonReader, MAX_DEPTH } from '../json/json-reader.js'
import { quoted } from '../text/quoted.js'
import { checkWellFormed } from '../text/utf8.js'

/** Before the keys under which a model keeps the values of an index's own metadata, as their JSON text. */
export const INDEX_METADATA = 'safetensors.index.'

/** Levels of the index around a value of its metadata. */
const INDEX_DEPTH = 2

/** A model's strings, apart from those that belong into an index. */
export function splitMetadata(metadata: ReadonlyMap<string, string>): {
  readonly file: Map<string, string>
  readonly index: Map<string, string>
} {
  const file = new Map<string, string>()
  const index = new Map<string, string>()
  for (const [key, value] of metadata) {
    if (key.startsWith(INDEX_METADATA)) index.set(key.slice(INDEX_METADATA.length), value)
    else file.set(key, value)
  }
  return { file, index }
}

/** The text of an index: two spaces of indentation and a line end last, tensors in the order given. */
export function indexText(
  metadata: ReadonlyMap<string, string>,
  totalSize: number,
  weightMap: ReadonlyMap<string, string>,
): string {
  const own = [...metadata].filter(([key]) => key !== 'total_size')
  // Written as JSON's escapes they would pass for text, and readers would refuse the index.
  for (const [key, value] of own) {
    checkWellFormed(key, `the metadata key ${quoted(INDEX_METADATA + key)}`)
    checkWellFormed(value, `the metadata value of ${quoted(INDEX_METADATA + key)}`)
  }
  const facts = [
    ['total_size', String(totalSize)] as const,
    ...own.map(([key, value]) => [key, jsonOr(value)] as const),
  ]
  const map = [...weightMap].map(([name, shard]) => [name, JSON.stringify(shard)] as const)
  return `{\n  "metadata": ${object(facts)},\n  "weight_map": ${object(map)}\n}\n`
}

function object(entries: readonly (readonly [key: string, json: string])[]): string {
  if (entries.length === 0) return '{}'
  return `{\n${entries.map(([key, json]) => `    ${JSON.stringify(key)}: ${json}`).join(',\n')}\n  }`
}

/** The text itself where it is JSON, as it was when an index was read; else as a JSON string. */
function jsonOr(text: string): string {
  try {
    const json = new JsonReader(text, { what: 'a value', maxDepth: MAX_DEPTH - INDEX_DEPTH })
    json.skip()
    json.end()
    return text
  } catch {
    return JSON.stringify(text)
  }
}
