import { allocate } from '../bytes/allocate.js'
import { describe } from '../bytes/input.js'
import { KilnError, within } from '../errors/kiln-error.js'
import { scaleCount } from '../tensors/quantization.js'
import { decodeF32 } from './decode.js'
import { dequantizeBlocks } from './ggml/dequantize-blocks.js'
import { checkTensor, expectTensor, type LinkedShape, type NumericTensor } from './tensor.js'

/** Which factors an element is multiplied by. */
export interface Scaling {
  /** In the order of the data's shape with the length of `axis` replaced by the number of groups. */
  readonly scales: Float32Array
  readonly outer: number | undefined
  readonly axisLength: number
  /** Groups along `axis`. */
  readonly groups: number
  readonly groupSize: number
  /** Elements for each step along `axis`: the product of the dimensions after it. */
  readonly inner: number
}

function linkError(detail: string, where: string): KilnError {
  return new KilnError('TYPE', detail).within(where)
}

/** A linked tensor's values as f32: what the rule takes its factors from. */
function factors(tensor: NumericTensor, link: 'scale' | 'outer'): Float32Array {
  const { dtype, elements, bytes } = checkLinked(tensor, link)
  const values = allocate(Float32Array, elements)
  if (dtype.foreign) dequantizeBlocks(dtype.name, bytes, elements / dtype.blockElements, values)
  else decodeF32(dtype.name, bytes, elements, values, 'nearest')
  return values
}

function checkLinked(tensor: NumericTensor, link: 'scale' | 'outer'): ReturnType<typeof checkTensor> {
  try {
    return checkTensor(tensor)
  } catch (error) {
    throw within(error, link)
  }
}

/** The scheme of a tensor; one that is left out is told from the links that are there. */
export function schemeOf(tensor: LinkedShape): 0 | 1 | 2 {
  expectTensor(tensor)
  const { scheme } = tensor
  if (scheme === undefined) return tensor.outer !== undefined ? 2 : tensor.scale !== undefined ? 1 : 0
  if (scheme !== 0 && scheme !== 1 && scheme !== 2) throw linkError(`there is no scheme ${describe(scheme)}`, 'scheme')
  return scheme
}

/** Checks a tensor's links by the rules of FORMAT §5 and reads their factors; undefined for scheme 0. */
export function scalingOf(tensor: LinkedShape): Scaling | undefined {
  const scheme = schemeOf(tensor)
  if (scheme === 0) return undefined
  const { shape, axis, groupSize, scale, outer } = tensor
  if (axis === undefined || !Number.isInteger(axis) || axis < 0 || axis >= shape.length) {
    throw linkError(`axis ${describe(axis)} is none of the ${shape.length} dimensions`, 'axis')
  }
  if (groupSize === undefined || !Number.isSafeInteger(groupSize) || groupSize < 1) {
    throw linkError(`a group size is an integer from 1 on, not ${describe(groupSize)}`, 'groupSize')
  }
  if (scale === undefined || scale === null) throw linkError(`scheme ${scheme} needs a scale`, 'scale')
  if (scheme === 2 && (outer === undefined || outer === null)) throw linkError('scheme 2 needs an outer scale', 'outer')
  const axisLength = shape[axis]!
  const groups = scaleCount([axisLength], 0, groupSize) as number // of one dimension, so at most 2^53 - 1
  const inner = shape.slice(axis + 1).reduce((product, length) => product * length, 1)
  const needed = scaleCount(shape, axis, groupSize)
  const scales = factors(scale, 'scale')
  if (scales.length !== needed) {
    const why = `shape [${shape.join(', ')}] in groups of ${groupSize} along axis ${axis}`
    throw linkError(`${why} needs ${needed} scales, there are ${scales.length}`, 'scale')
  }
  return { scales, outer: scheme === 2 ? outerFactor(outer!) : undefined, axisLength, groups, groupSize, inner }
}

function outerFactor(outer: NumericTensor): number {
  if (outer.dtype !== 'f32') throw linkError(`an outer scale is f32, not ${outer.dtype}`, 'outer')
  const values = factors(outer, 'outer')
  if (values.length !== 1) throw linkError(`an outer scale has one element, not ${values.length}`, 'outer')
  return values[0]!
}

/**
 * Multiplies the elements `first` to `first + count` of a tensor, which `values` has the first `count` of:
 * `f32(element * scale)`, then with an outer scale `f32(that * outer)`. The product of two f32 is exact as f64,
 * so each step rounds once.
 */
export function applyScales(values: Float32Array, count: number, first: number, scaling: Scaling): void {
  const { scales, axisLength, groups, groupSize, inner, outer } = scaling
  let at = 0
  let row = Math.floor(first / (axisLength * inner))
  let along = Math.floor((first % (axisLength * inner)) / inner)
  let column = first % inner
  while (at < count) {
    const group = Math.floor(along / groupSize)
    if (inner === 1) {
      // Neighbours in memory share a scale to the end of their group.
      const length = Math.min(Math.min((group + 1) * groupSize, axisLength) - along, count - at)
      scaleBy(values, at, length, scales[row * groups + group]!, outer)
      at += length
      along += length
    } else {
      // Neighbours in memory have scales that are neighbours too.
      const length = Math.min(inner - column, count - at)
      scaleEach(values, at, length, scales, (row * groups + group) * inner + column, outer)
      at += length
      column = 0
      along += 1
    }
    if (along === axisLength) {
      along = 0
      row += 1
    }
  }
}

function scaleBy(values: Float32Array, from: number, length: number, scale: number, outer: number | undefined): void {
  const end = from + length
  if (outer === undefined) for (let i = from; i < end; i++) values[i] = values[i]! * scale
  else for (let i = from; i < end; i++) values[i] = Math.fround(values[i]! * scale) * outer
}

function scaleEach(
  values: Float32Array,
  from: number,
  length: number,
  scales: Float32Array,
  scalesFrom: number,
  outer: number | undefined,
): void {
  for (let i = 0; i < length; i++) {
    const scaled = values[from + i]! * scales[scalesFrom + i]!
    values[from + i] = outer === undefined ? scaled : Math.fround(scaled) * outer
  }
}
