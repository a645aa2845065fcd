import type { Descriptor } from './directory-table.js'
import { elementsOf } from './dtypes.js'
import { must } from './error.js'

const NO_AXIS = 0xffffn
const NO_INDEX = 0xffffffffn

/** FORMAT §5 for every descriptor, in order. All that it finds is `TYPE`. */
export function checkLinks(descriptors: readonly Descriptor[]): void {
  for (const [index, data] of descriptors.entries()) {
    must(data.scheme <= 2n, 'TYPE', 'unknown scheme')
    if (data.scheme === 0n) {
      must(data.groupSize === 0n, 'TYPE', 'scheme 0 has group_size 0')
      must(data.quantAxis === NO_AXIS, 'TYPE', 'scheme 0 has quant_axis 0xFFFF')
      must(data.scaleIndex === NO_INDEX && data.outerIndex === NO_INDEX, 'TYPE', 'scheme 0 has no links')
      continue
    }
    const rank = BigInt(data.shape.length)
    must(rank >= 1n, 'TYPE', 'a quantized tensor has a dimension')
    must(data.quantAxis < rank, 'TYPE', 'quant_axis')
    must(data.groupSize >= 1n, 'TYPE', 'group_size')

    must(data.scaleIndex !== BigInt(index), 'TYPE', 'a tensor is not its own scale')
    const scale = descriptors[Number(data.scaleIndex)]
    must(scale !== undefined, 'TYPE', 'scale_index')
    must(scale.scheme === 0n, 'TYPE', 'a scale is not quantized itself')
    const axis = Number(data.quantAxis)
    const groups = (data.shape[axis]! + data.groupSize - 1n) / data.groupSize
    const others = elementsOf(data.shape.filter((_, i) => i !== axis))
    must(elementsOf(scale.shape) === groups * others, 'TYPE', 'the number of scales')

    if (data.scheme === 1n) {
      must(data.outerIndex === NO_INDEX, 'TYPE', 'scheme 1 has no outer tensor')
      continue
    }
    must(data.outerIndex !== BigInt(index), 'TYPE', 'a tensor is not its own outer')
    must(data.outerIndex !== data.scaleIndex, 'TYPE', 'the outer is not the scale')
    const outer = descriptors[Number(data.outerIndex)]
    must(outer !== undefined, 'TYPE', 'outer_index')
    must(outer.dtype.name === 'f32', 'TYPE', 'the outer is f32')
    must(outer.scheme === 0n, 'TYPE', 'an outer is not quantized itself')
    must(elementsOf(outer.shape) === 1n, 'TYPE', 'the outer has one element')
  }
}
