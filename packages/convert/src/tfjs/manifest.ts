import type { JsonReader } from '../json/json-reader.js'
import { plainPath } from '../paths/plain-name.js'
import { quoted } from '../text/quoted.js'
import { QUANTIZED } from './dtypes.js'

/** A weight of a manifest, as it stands there. */
export interface WeightEntry {
  readonly name: string
  readonly shape: readonly (number | bigint)[]
  /** Of the weight, before it was quantized. */
  readonly dtype: string
  readonly quantization: Quantization | undefined
  /** Other fields that a manifest may have, as JSON. */
  readonly extra: ReadonlyMap<string, string>
}

/** How a weight is quantized: what it is stored as, and the whole object as its JSON text. */
export interface Quantization {
  readonly dtype: string
  /** Whether the object says what dtype the weight had before. */
  readonly original: boolean
  readonly json: string
}

/** A group of a manifest: files that are read as one, and the weights in them, one after the other. */
export interface WeightGroup {
  readonly paths: readonly string[]
  readonly weights: readonly WeightEntry[]
}

/** Reads a weights manifest: the value of `weightsManifest`, or the whole of a `weights_manifest.json`. */
export function readManifest(json: JsonReader): WeightGroup[] {
  const groups: WeightGroup[] = []
  json.array((index) => groups.push(readGroup(json, `weightsManifest[${index}]`)), 'weightsManifest')
  return groups
}

function readGroup(json: JsonReader, what: string): WeightGroup {
  let paths: string[] | undefined
  let weights: WeightEntry[] | undefined
  json.object((key) => {
    if (key === 'paths') {
      const read: string[] = (paths = [])
      json.array((i) => read.push(plainPath(json.string(`${what}.paths[${i}]`), 'the weights file')), `${what}.paths`)
    } else if (key === 'weights') {
      const read: WeightEntry[] = (weights = [])
      json.array((i) => read.push(readWeight(json, `${what}.weights[${i}]`)), `${what}.weights`)
    } else json.skip()
  }, what)
  if (paths === undefined) throw json.error('TYPE', `${what} has no paths`)
  if (weights === undefined) throw json.error('TYPE', `${what} has no weights`)
  return { paths, weights }
}

function readWeight(json: JsonReader, what: string): WeightEntry {
  let name: string | undefined
  let dtype: string | undefined
  let shape: (number | bigint)[] | undefined
  let quantization: Quantization | undefined
  const extra = new Map<string, string>()
  json.object((key) => {
    if (key === 'name') name = json.string(`${what}.name`)
    else if (key === 'dtype') dtype = json.string(`${what}.dtype`)
    else if (key === 'shape') {
      const read: (number | bigint)[] = (shape = [])
      json.array((i) => read.push(json.count(`${what}.shape[${i}]`)), `${what}.shape`)
    } else if (key === 'quantization') {
      if (json.kind() === 'null') json.skip()
      else quantization = readQuantization(json, name === undefined ? what : `weight ${quoted(name)}`)
    } else extra.set(key, json.raw())
  }, what)
  const missing = name === undefined ? 'name' : dtype === undefined ? 'dtype' : 'shape'
  if (name === undefined || dtype === undefined || shape === undefined)
    throw json.error('TYPE', `${what} has no ${missing}`)
  return { name, dtype, shape, quantization, extra }
}

function readQuantization(json: JsonReader, what: string): Quantization {
  let dtype: string | undefined
  let original = false
  const numbers = new Set<string>()
  const text = json.span(() =>
    json.object((key) => {
      if (key === 'dtype') dtype = json.string(`${what}: quantization.dtype`)
      else if (key === 'scale' || key === 'min') {
        if (json.kind() !== 'number') throw json.error('TYPE', `${what}: quantization.${key} must be a number`)
        json.skip()
        numbers.add(key)
      } else {
        original ||= key === 'original_dtype'
        json.skip()
      }
    }, `${what}: quantization`),
  )
  if (dtype === undefined || !QUANTIZED.has(dtype)) {
    throw json.error(
      'TYPE',
      `${what}: quantization.dtype must be uint8, uint16 or float16, not ${quoted(dtype ?? '')}`,
    )
  }
  if (dtype !== 'float16' && numbers.size < 2)
    throw json.error('TYPE', `${what}: quantization to ${dtype} needs scale and min`)
  return { dtype, original, json: text }
}
