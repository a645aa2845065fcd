import { KilnError } from 'kiln-format'
import type { ForeignModel, ForeignTensor, Omission, WritableModel } from '../model.js'
import { quoted } from '../text/quoted.js'
import { checkModel } from '../reading/arguments.js'

/** The formats that this package writes. */
export type WritableFormat = Extract<ForeignModel['format'], 'safetensors' | 'gguf' | 'npy' | 'npz'>

const WORDS: Readonly<Record<WritableFormat, string>> = {
  safetensors: 'safetensors',
  gguf: 'GGUF',
  npy: 'NPY',
  npz: 'NPZ',
}

/**
 * What a model loses in a file of another format, by name, where it can be written at all: the links from
 * quantized tensors to their scales, which are written as tensors like any other; in NPY and NPZ all
 * strings, and in NPY names. Dtypes that a format lacks are no loss but refused by its writer (`TYPE`,
 * with the tensor's name).
 */
export function lossesOf(model: WritableModel, format: WritableFormat): Omission[] {
  checkModel(model)
  if (typeof format !== 'string' || !Object.hasOwn(WORDS, format)) throw new KilnError('TYPE', `a format is one of ${Object.keys(WORDS).join(', ')}`)
  const losses: Omission[] = []
  for (const tensor of model.tensors) {
    if (tensor.scale !== undefined)
      losses.push({ name: tensor.name, reason: linkLoss(tensor, model.tensors, WORDS[format]) })
  }
  if (format !== 'npy' && format !== 'npz') return losses
  for (const key of model.metadata?.keys() ?? [])
    losses.push({ name: key, reason: `a string of the metadata, which ${WORDS[format]} has no place for` })
  if (format === 'npy') {
    for (const { name } of model.tensors)
      if (name !== '') losses.push({ name, reason: 'its name, which NPY has no place for' })
  }
  return losses
}

function linkLoss(
  { scale, outer, axis, groupSize }: ForeignTensor,
  tensors: readonly ForeignTensor[],
  format: string,
): string {
  const name = (link: string | number): string => quoted(typeof link === 'number' ? (tensors[link]?.name ?? '') : link)
  const scales = `${name(scale ?? '')}${outer === undefined ? '' : ` and ${name(outer)}`}`
  const link = `its link to the scales in ${scales} (axis ${axis}, groups of ${groupSize})`
  return `${link}, which ${format} has no place for; the bits are kept`
}
