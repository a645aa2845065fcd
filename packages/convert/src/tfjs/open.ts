import { isKilnError, KilnError, type ByteSource } from 'kiln-format'
import type { Folder, ForeignModel, ForeignTensor, Omission } from '../model.js'
import { concatSource } from '../payload/concat-source.js'
import { explain } from '../sniff/explain.js'
import { quoted, someOf } from '../text/quoted.js'
import { weightsOf } from './group.js'
import type { WeightGroup } from './manifest.js'
import { readModelJson, type ModelJson } from './model-json.js'
import { resolveLimits, type TfjsOptions } from './options.js'
import { checkFolder, sourceGiven } from '../reading/arguments.js'
import { openIn } from '../reading/folder-file.js'

/** Before the keys of what a model says of itself. */
export const TFJS_PREFIX = 'tfjs.'

/** Before a weight's name: the key of how it is quantized, the manifest's own JSON object. */
export const TFJS_QUANTIZATION = 'tfjs.quantization.'

const EXPECTED = { kinds: ['tfjs'], what: 'a TensorFlow.js model' } as const

/**
 * Opens the weights of a TensorFlow.js model: a `model.json` or a `*weights_manifest.json`, with the
 * files of its weights in `folder`.
 *
 * A quantized weight stays as it is stored, `u8`, `u16` or `f16`. For each, the metadata has under
 * `tfjs.quantization.` and the weight's name the object of the manifest, such as
 * `{"dtype":"uint8","scale":0.005,"min":-0.1,"original_dtype":"float32"}`: the weight is stored *
 * scale + min, in the original dtype. Other facts of the model are under `tfjs.` and their name,
 * strings as they are, other values as JSON.
 *
 * Weights of strings and the model's topology are in `omitted`. Files outside the folder, two weights
 * of one name, or an unknown dtype are `TYPE`; missing or short files `EOF`, and all missing ones are
 * named; bytes that belong to no weight `TRAILING`.
 */
export async function openTfjs(given: ByteSource, folder: Folder, options?: TfjsOptions): Promise<ForeignModel> {
  const source = sourceGiven(given, options)
  checkFolder(folder)
  const limits = resolveLimits(options)
  let model: ModelJson
  try {
    model = await readModelJson(source, options)
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
  checkNames(model.groups)
  const opened: ByteSource[] = []
  const close = async (): Promise<void> => {
    await Promise.allSettled(opened.map((file) => file.close?.()))
  }
  try {
    const sources = await openGroups(model.groups, folder, limits.files, opened, options)
    const tensors: ForeignTensor[] = []
    const omitted: Omission[] = []
    for (const [i, group] of model.groups.entries()) {
      for (const weight of await weightsOf(group, sources[i]!, limits.strings, options)) {
        if ('reason' in weight) omitted.push(weight)
        else tensors.push(weight)
      }
    }
    for (const key of model.left)
      omitted.push({ name: key, reason: 'part of the computation: weights are taken over, it is not' })
    const { metadata, omitted: further } = metadataOf(model)
    return { format: 'tfjs', tensors, metadata, omitted: [...omitted, ...further], close }
  } catch (error) {
    await close()
    throw error
  }
}

function checkNames(groups: readonly WeightGroup[]): void {
  const names = new Set<string>()
  for (const { name } of groups.flatMap((group) => group.weights)) {
    if (names.has(name)) throw new KilnError('TYPE', `two weights are named ${quoted(name)}`)
    names.add(name)
  }
}

/** One source a group. Every path is opened once a group that names it. */
async function openGroups(
  groups: readonly WeightGroup[],
  folder: Folder,
  mostFiles: number,
  opened: ByteSource[],
  options?: TfjsOptions,
): Promise<ByteSource[]> {
  const missing: string[] = []
  const sources: ByteSource[] = []
  let files = 0
  for (const { paths } of groups) {
    const parts: ByteSource[] = []
    for (const path of paths) {
      if (++files > mostFiles)
        throw new KilnError('LIMIT', `more than ${mostFiles} files of weights; raise limits.files if they are meant`)
      try {
        const part = await openIn(folder, path, options)
        opened.push(part)
        parts.push(part)
      } catch (error) {
        if (!isKilnError(error) || error.code !== 'EOF') throw error
        missing.push(path)
      }
    }
    sources.push(concatSource(parts, paths.length === 1 ? quoted(paths[0]!) : `the ${paths.length} files of the group`))
  }
  if (missing.length > 0) throw new KilnError('EOF', `files of weights are not in the folder: ${someOf(missing)}`)
  return sources
}

/** Of two values that come to stand under one key the first is kept: quantizations, then facts, then weights' own. */
function metadataOf(model: ModelJson): { metadata: Map<string, string>; omitted: Omission[] } {
  const metadata = new Map<string, string>()
  const omitted: Omission[] = []
  const add = (key: string, value: string): void => {
    if (!metadata.has(key)) metadata.set(key, value)
    else omitted.push({ name: key, reason: `a further value of this key, ${quoted(value)}` })
  }
  const weights = model.groups.flatMap((group) => group.weights)
  for (const { name, dtype, quantization } of weights) {
    if (quantization === undefined) continue
    const { original, json } = quantization
    const known = original ? json : `{"original_dtype":${JSON.stringify(dtype)},${json.slice(1).trimStart()}`
    add(TFJS_QUANTIZATION + name, known)
  }
  for (const [key, value] of model.facts) add(TFJS_PREFIX + key, value)
  for (const { name, extra } of weights) {
    for (const [key, json] of extra) add(`${TFJS_PREFIX}${key}.${name}`, json)
  }
  return { metadata, omitted }
}
