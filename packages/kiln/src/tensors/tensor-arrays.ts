import type { AnyArrays, NumberName, OwnArrays } from '../bytes/elements.js'
import { elementType, isNumberName, type ElementType } from '../bytes/elements.js'
import type { DtypeName } from './dtypes.js'

const PART_OF = { c64: 'f32', c128: 'f64' } as const

/**
 * The fixed-width number whose typed array holds a dtype's payload. A complex number is two elements; everything that is
 * no number of fixed width comes as its bytes: 8-bit floats as codes, narrow dtypes packed, foreign blocks.
 */
type ElementNameOf<D extends DtypeName> = D extends NumberName ? D : D extends keyof typeof PART_OF ? (typeof PART_OF)[D] : 'u8'

/** The typed array of a dtype, over memory that may be anybody's: `Float32Array` for `f32` and `c64`. */
export type TensorArray<D extends DtypeName = DtypeName> = AnyArrays[ElementNameOf<D>]

/** The same, memory of its own. */
export type OwnTensorArray<D extends DtypeName = DtypeName> = OwnArrays[ElementNameOf<D>]

export function tensorElement(dtype: DtypeName): ElementType {
  if (isNumberName(dtype)) return elementType(dtype)
  return elementType(Object.hasOwn(PART_OF, dtype) ? PART_OF[dtype as keyof typeof PART_OF] : 'u8')
}
