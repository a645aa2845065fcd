import { KilnError, type ByteSource } from 'kiln-format'
import { JsonReader } from '../json/json-reader.js'
import { utf8Text } from '../reading/text.js'
import { resolveLimits, type TfjsOptions } from './options.js'
import { readManifest, type WeightGroup } from './manifest.js'

/** A `model.json`, or a manifest on its own, as it stands there. */
export interface ModelJson {
  readonly groups: readonly WeightGroup[]
  /** What the model says of itself: strings as they are, other values as their JSON text. */
  readonly facts: ReadonlyMap<string, string>
  /** Keys whose values are left behind: the computation. */
  readonly left: readonly string[]
}

// The graph, and the parts of it that run first; everything else is small and is kept.
const COMPUTATION = new Set(['modelTopology', 'modelInitializer', 'initializerSignature'])

/** Reads a TensorFlow.js model's JSON. One that has no weights manifest is `TYPE`. */
export async function readModelJson(source: ByteSource, options?: TfjsOptions): Promise<ModelJson> {
  const limits = resolveLimits(options)
  if (source.size > limits.json) {
    throw new KilnError(
      'LIMIT',
      `a JSON of ${source.size} bytes is over the cap of ${limits.json}; raise limits.json if it is meant`,
      0,
    )
  }
  const bytes = await source.read(0, source.size, options)
  const json = new JsonReader(utf8Text(bytes, 0, bytes.length, 'the model', 0), { what: 'the model', mark: true })
  const facts = new Map<string, string>()
  const left: string[] = []
  let groups: WeightGroup[] | undefined
  if (json.kind() === 'array') groups = readManifest(json)
  else {
    json.object((key) => {
      if (key === 'weightsManifest') groups = readManifest(json)
      else if (COMPUTATION.has(key)) {
        json.skip()
        left.push(key)
      } else if (json.kind() === 'string') facts.set(key, json.string())
      else if (json.kind() === 'null') json.skip()
      else facts.set(key, json.raw())
    }, 'the model')
  }
  json.end()
  if (groups === undefined) throw json.error('TYPE', 'it has no weightsManifest, so it is no model of TensorFlow.js')
  return { groups, facts, left }
}
