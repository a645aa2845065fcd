import type { DtypeName } from 'kiln-format'
import type { ElementPlace } from './slice.js'

/** Sign, exponent and fraction bits of the float dtypes; of c64 and c128 each part. */
const FLOATS: Readonly<Partial<Record<DtypeName, readonly [number, number, number]>>> = {
  f16: [1, 5, 10],
  bf16: [1, 8, 7],
  f32: [1, 8, 23],
  f64: [1, 11, 52],
  f8e4m3: [1, 4, 3],
  f8e5m2: [1, 5, 2],
  f8e4m3fnuz: [1, 4, 3],
  f8e5m2fnuz: [1, 5, 2],
  e8m0: [0, 8, 0],
  e3m2: [1, 3, 2],
  e2m3: [1, 2, 3],
  e2m1: [1, 2, 1],
}

/** An element's bits, highest first; of a float in groups of sign, exponent and fraction. */
export function bitsText(dtype: DtypeName, bytes: Uint8Array, place: ElementPlace): string {
  const { bits, bitOffset } = place
  if (bits === undefined) return ''
  let all = ''
  for (let i = bytes.length - 1; i >= 0; i--) all += bytes[i]!.toString(2).padStart(8, '0')
  const end = all.length - bitOffset
  const own = all.slice(end - bits, end)
  if (dtype === 'c64' || dtype === 'c128') {
    const half = bits / 2
    const part = dtype === 'c64' ? 'f32' : 'f64'
    // The real part comes first in memory, so it has the low bits.
    return `${grouped(part, own.slice(half))} + i·${grouped(part, own.slice(0, half))}`
  }
  return grouped(dtype, own)
}

function grouped(dtype: DtypeName, bits: string): string {
  const float = FLOATS[dtype]
  if (float === undefined) return bits.length > 8 ? bits.replace(/(.{8})(?=.)/g, '$1 ') : bits
  const [sign, exponent] = float
  return [bits.slice(0, sign), bits.slice(sign, sign + exponent), bits.slice(sign + exponent)]
    .filter((part) => part !== '')
    .join(' ')
}
