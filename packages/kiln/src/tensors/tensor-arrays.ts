import type { AnyArrays, NumberName, OwnArrays } from '../bytes/elements.js'
import { elementType, type ElementType } from '../bytes/elements.js'
import type { DtypeName } from './dtypes.js'

/**
 * The fixed-width number whose typed array holds a dtype's payload. A complex number is two elements;
 * everything that is not here comes as its bytes: 8-bit floats as codes, narrow dtypes packed, foreign blocks.
 */
const ELEMENT_OF = {
  u8: 'u8', i8: 'i8', u16: 'u16', i16: 'i16', u32: 'u32', i32: 'i32', u64: 'u64', i64: 'i64',
  f16: 'f16', bf16: 'bf16', f32: 'f32', f64: 'f64', c64: 'f32', c128: 'f64',
} as const satisfies { readonly [D in DtypeName]?: NumberName }

type ElementNameOf<D extends DtypeName> = D extends keyof typeof ELEMENT_OF ? (typeof ELEMENT_OF)[D] : 'u8'

/** The typed array of a dtype, over memory that may be anybody's: `Float32Array` for `f32` and `c64`. */
export type TensorArray<D extends DtypeName = DtypeName> = AnyArrays[ElementNameOf<D>]

/** The same, memory of its own. */
export type OwnTensorArray<D extends DtypeName = DtypeName> = OwnArrays[ElementNameOf<D>]

export function tensorElement(dtype: DtypeName): ElementType {
  return elementType(Object.hasOwn(ELEMENT_OF, dtype) ? ELEMENT_OF[dtype as keyof typeof ELEMENT_OF] : 'u8')
}
