import { readU64 } from '../bytes/u64.js'
import { dtypeOfCode, productOf, type Dtype } from './dtypes.js'
import * as descriptorFields from './descriptor-fields.js'

/** Bytes of a descriptor (FORMAT §4). */
export const DESCRIPTOR_SIZE = 128
export const MAX_RANK = 8

/** Bit 0 of a descriptor's flags: the checksum is set. */
export const FLAG_CHECKSUM = 1

/** What stands in `quant_axis` where there is none. */
export const NO_AXIS = 0xffff
/** What stands in `scale_index` and `outer_index` where there is none. */
export const NO_INDEX = 0xffff_ffff

/** Whether a descriptor has scheme 0 and the constants that go with it (FORMAT §5). */
export function hasNoLinks(view: DataView, at: number): boolean {
  return (
    view.getUint8(at + descriptorFields.scheme) === 0 &&
    view.getUint32(at + descriptorFields.groupSize, true) === 0 &&
    view.getUint16(at + descriptorFields.quantAxis, true) === NO_AXIS &&
    view.getUint32(at + descriptorFields.scaleIndex, true) === NO_INDEX &&
    view.getUint32(at + descriptorFields.outerIndex, true) === NO_INDEX
  )
}

/** The dtype of a descriptor that has been checked. */
export function descriptorDtype(view: DataView, at: number): Dtype {
  return dtypeOfCode(view.getUint16(at + descriptorFields.dtype, true)) as Dtype
}

/** The shape of a descriptor that has been checked, outermost first. */
export function descriptorShape(view: DataView, at: number): number[] {
  // At most 8, whatever became of the bytes since they were checked.
  const rank = Math.min(view.getUint8(at + descriptorFields.rank), MAX_RANK)
  const shape: number[] = []
  for (let i = 0; i < rank; i++) shape.push(readU64(view, at + descriptorFields.shape + i * 8))
  return shape
}

/**
 * The elements of a descriptor that has been checked; a number while that is exact. Makes no array of the
 * shape unless the product is too large: this runs once a tensor whenever a directory is opened.
 */
export function descriptorElements(view: DataView, at: number): number | bigint {
  const rank = Math.min(view.getUint8(at + descriptorFields.rank), MAX_RANK)
  let product = 1
  for (let i = 0; i < rank; i++) product *= readU64(view, at + descriptorFields.shape + i * 8)
  return product <= Number.MAX_SAFE_INTEGER ? product : productOf(descriptorShape(view, at))
}
