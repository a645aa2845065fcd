import { dtypeOf, type DtypeName } from 'kiln-format'
import { numberText } from '../ui/format.js'
import { numbersIn, wholeUnits } from './sample.js'
import { placeOf } from './slice.js'

/** The bytes to read for one element, from a place where an element begins. */
export function rangeOf(dtype: DtypeName, element: number): { readonly offset: number; readonly length: number } {
  const { byteOffset } = wholeUnits(dtype, element)
  const place = placeOf(dtype, element)
  return { offset: byteOffset, length: place.byteOffset + place.byteLength - byteOffset }
}

/** An element's number; of complex dtypes its magnitude. `bytes` are those of {@link rangeOf}. */
export function numberIn(dtype: DtypeName, element: number, bytes: Uint8Array): number {
  return numbersIn(dtype, bytes)(element - wholeUnits(dtype, element).element)
}

/** An element as text: 64-bit integers with all their digits, complex numbers with both parts. */
export function elementText(dtype: DtypeName, element: number, bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (dtype) {
    case 'bool':
      return bytes[0]! > 1 ? `${bytes[0]} (no bool)` : bytes[0] === 1 ? 'true' : 'false'
    case 'i64':
      return String(view.getBigInt64(0, true))
    case 'u64':
      return String(view.getBigUint64(0, true))
    case 'c64':
      return complexText(view.getFloat32(0, true), view.getFloat32(4, true), true)
    case 'c128':
      return complexText(view.getFloat64(0, true), view.getFloat64(8, true), false)
    default: {
      const single = dtype === 'f32' || dtypeOf(dtype).foreign
      return numberText(numberIn(dtype, element, bytes), single)
    }
  }
}

function complexText(real: number, imaginary: number, single: boolean): string {
  const text = numberText(imaginary, single)
  return `${numberText(real, single)} ${text.startsWith('-') ? '−' : '+'} ${text.replace(/^-/, '')}i`
}
