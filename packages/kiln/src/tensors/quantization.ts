import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { descriptorDtype, descriptorElements, descriptorShape, hasNoLinks, NO_INDEX } from './descriptor.js'
import { descriptorFault as fault } from './descriptor-fault.js'
import * as field from './descriptor-fields.js'
import { checkDimensions, productOf } from './dtypes.js'

/** Scheme 0: no links. 1: a sibling holds the scales. 2: and another a single outer f32 (FORMAT §5). */
export type Scheme = 0 | 1 | 2

/** The table whose links are checked: that of a reader, or the one that a writer has just made. */
interface LinkedTable {
  readonly view: DataView
  readonly tensorCount: number
  descriptorAt(index: number): number
}

/**
 * Scales that a tensor needs: `ceil(shape[axis] / groupSize)` times the other dimensions (FORMAT §5),
 * a number while that is exact.
 */
export function scaleCount(shape: readonly number[], axis: number, groupSize: number): number | bigint {
  checkDimensions(shape)
  if (!Number.isInteger(axis) || axis < 0 || axis >= shape.length) {
    throw new KilnError('TYPE', `an axis is an integer below the rank, ${shape.length}; got ${describe(axis)}`)
  }
  if (!Number.isSafeInteger(groupSize) || groupSize < 1) {
    throw new KilnError('TYPE', `a group size is an integer from 1 on, got ${describe(groupSize)}`)
  }
  return scalesOf(shape, axis, groupSize)
}

function scalesOf(shape: readonly number[], axis: number, groupSize: number): number | bigint {
  return productOf(shape.map((dimension, i) => (i === axis ? groupCount(dimension, groupSize) : dimension)))
}

function groupCount(dimension: number, groupSize: number): number {
  const rest = dimension % groupSize
  // Exact for every dimension, where the quotient of a large one would be rounded first.
  return (dimension - rest) / groupSize + (rest === 0 ? 0 : 1)
}

/**
 * Checks every tensor's scheme and links by FORMAT §5; anything that the page doesn't allow is `TYPE`. The
 * only place that knows these rules: readers call it, and writers on the table they have made.
 */
export function checkLinks(table: LinkedTable): void {
  for (let i = 0; i < table.tensorCount; i++) {
    const at = table.descriptorAt(i)
    const scheme = table.view.getUint8(at + field.scheme)
    if (scheme === 0) {
      if (!hasNoLinks(table.view, at)) {
        throw fault('TYPE', i, 'scheme', at + field.scheme, 'scheme 0 has group size 0, axis 0xFFFF and both indexes 0xFFFFFFFF')
      }
    } else if (scheme <= 2) checkLinked(table, i, at, scheme)
    else throw fault('TYPE', i, 'scheme', at + field.scheme, `there is no scheme ${scheme}; 0, 1 and 2 are known`)
  }
}

function checkLinked(table: LinkedTable, i: number, at: number, scheme: number): void {
  const { view } = table
  const shape = descriptorShape(view, at)
  const axis = view.getUint16(at + field.quantAxis, true)
  if (axis >= shape.length) {
    throw fault('TYPE', i, 'quant_axis', at + field.quantAxis, `axis ${axis} is not below the rank, ${shape.length}`)
  }
  const groupSize = view.getUint32(at + field.groupSize, true)
  if (groupSize === 0) throw fault('TYPE', i, 'group_size', at + field.groupSize, 'a quantized tensor has a group size of at least 1')
  const scale = view.getUint32(at + field.scaleIndex, true)
  checkSibling(table, i, scale, 'scale_index', at + field.scaleIndex)
  const want = scalesOf(shape, axis, groupSize)
  const have = descriptorElements(view, table.descriptorAt(scale))
  if (want !== have) {
    throw fault(
      'TYPE', i, 'scale_index', at + field.scaleIndex,
      `groups of ${groupSize} along axis ${axis} of [${shape.join(', ')}] need ${want} scales, tensor ${scale} has ${have}`,
    )
  }
  const outer = view.getUint32(at + field.outerIndex, true)
  if (scheme === 1) {
    if (outer !== NO_INDEX) throw fault('TYPE', i, 'outer_index', at + field.outerIndex, 'scheme 1 has no outer tensor')
    return
  }
  checkSibling(table, i, outer, 'outer_index', at + field.outerIndex)
  if (outer === scale) throw fault('TYPE', i, 'outer_index', at + field.outerIndex, 'the outer tensor is not the scale')
  const outerAt = table.descriptorAt(outer)
  if (descriptorDtype(view, outerAt).name !== 'f32' || descriptorElements(view, outerAt) !== 1) {
    throw fault('TYPE', i, 'outer_index', at + field.outerIndex, 'the outer tensor is f32 with one element')
  }
}

function checkSibling(table: LinkedTable, i: number, sibling: number, what: string, at: number): void {
  if (sibling === i || sibling >= table.tensorCount) {
    throw fault('TYPE', i, what, at, `${sibling} is not another of the ${table.tensorCount} tensors`)
  }
  if (table.view.getUint8(table.descriptorAt(sibling) + field.scheme) !== 0) {
    throw fault('TYPE', i, what, at, `tensor ${sibling} has links itself; chains are not allowed`)
  }
}
