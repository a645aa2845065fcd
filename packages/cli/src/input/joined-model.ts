import { basename } from 'node:path'
import { KilnError } from 'kiln-format'
import type { Omission } from 'kiln-convert'
import { labelOf } from './label.js'
import type { AnyModel, AnyTensor } from './model.js'

/**
 * Several inputs as one model, in the order given. Unnamed tensors (of NPY files) take the name of their file. A name
 * that stands twice is `TYPE`; of metadata that says two things under one key the first stays and the other is reported.
 */
export function joinedModel(models: readonly AnyModel[]): AnyModel {
  const [only] = models
  if (only !== undefined && models.length === 1) return only
  const metadata = new Map<string, string>()
  const omitted: Omission[] = []
  const tensors: AnyTensor[] = []
  const owners = new Map<string, string>()
  for (const model of models) {
    const start = tensors.length
    for (const tensor of model.tensors) {
      const name = tensor.name === '' ? stemOf(model.input) : tensor.name
      const owner = owners.get(name)
      if (owner !== undefined) throw new KilnError('TYPE', `${labelOf(owner)} and ${labelOf(model.input)} both have a tensor of this name; rename one`).within(name)
      owners.set(name, model.input)
      tensors.push({ ...tensor, name, chunks: (options) => tensor.chunks(options), ...shiftedLinks(tensor, start) })
    }
    for (const [key, value] of model.metadata) {
      const before = metadata.get(key)
      if (before === undefined) metadata.set(key, value)
      else if (before !== value) omitted.push({ name: key, reason: `${labelOf(model.input)} has another value for this key of the metadata` })
    }
    omitted.push(...model.omitted)
  }
  return {
    input: models.map(({ input }) => labelOf(input)).join(', '),
    format: only?.format ?? 'kiln',
    size: models.reduce((sum, { size }) => sum + size, 0),
    tensors,
    metadata,
    omitted,
    files: models.flatMap(({ files }) => files),
    async close() {
      for (const model of models) await model.close()
    },
  }
}

function stemOf(input: string): string {
  return basename(input).replace(/\.[^.]*$/, '')
}

/** Links by place, counted from where this file's tensors begin. */
function shiftedLinks({ scale, outer }: AnyTensor, start: number): Partial<AnyTensor> {
  const shift = (link: string | number): string | number => (typeof link === 'number' ? link + start : link)
  return { ...(scale === undefined ? {} : { scale: shift(scale) }), ...(outer === undefined ? {} : { outer: shift(outer) }) }
}
