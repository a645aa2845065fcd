import { KilnError, type DtypeName, type ReadOptions } from 'kiln-format'
import type { ForeignTensor } from '../model.js'

/** What is used of a tensor of a Kiln directory that is read piece by piece, as `openDirectory` and `open` give it. */
export interface KilnTensor {
  readonly index: number
  readonly name: string
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  readonly byteLength: number
  readonly axis: number | undefined
  readonly groupSize: number
  readonly scale: KilnTensor | undefined
  readonly outer: KilnTensor | undefined
  chunks(options?: ReadOptions): AsyncIterable<Uint8Array>
}

/**
 * The tensors of a Kiln directory as writers of other formats take them. Links to scales are by name, so they
 * hold if some tensors are left out; a link to an unnamed tensor is by its place, and then none may be.
 */
export function fromKiln(tensors: Iterable<KilnTensor>): ForeignTensor[] {
  if (typeof tensors !== 'object' || tensors === null || !(Symbol.iterator in tensors)) {
    throw new KilnError('TYPE', 'fromKiln takes the tensors of a Kiln file, such as an opened model')
  }
  const link = (to: KilnTensor): string | number => (to.name === '' ? to.index : to.name)
  return Array.from(tensors, (tensor) => {
    if (typeof tensor !== 'object' || tensor === null || typeof tensor.name !== 'string' || typeof tensor.chunks !== 'function')
      throw new KilnError('TYPE', 'fromKiln takes the tensors of a Kiln file, this is none')
    const { name, dtype, shape, byteLength, scale, outer, axis, groupSize } = tensor
    return {
      name,
      dtype,
      shape,
      byteLength,
      ...(scale !== undefined && { scale: link(scale), axis, groupSize }),
      ...(outer !== undefined && { outer: link(outer) }),
      chunks: (options) => tensor.chunks(options),
    }
  })
}
