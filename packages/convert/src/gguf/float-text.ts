import { KilnError } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import { float, standardNan } from './read-value.js'
import type { GgufValue } from './value-types.js'

/**
 * Floats as text that gives back their bits: the shortest decimal that rounds to the same number,
 * `inf`, `-inf`, `nan`, and `nan:` with the bits in hexadecimal for a NaN that is not the standard one.
 */
export function floatText(type: 'float32' | 'float64', value: number, bits?: bigint): string {
  if (Number.isNaN(value)) return nanText(type, bits ?? standardNan(type))
  if (value === Infinity) return 'inf'
  if (value === -Infinity) return '-inf'
  if (Object.is(value, -0)) return '-0'
  return type === 'float32' ? shortest32(value) : String(value)
}

function nanText(type: 'float32' | 'float64', bits: bigint): string {
  return bits === standardNan(type) ? 'nan' : `nan:${bits.toString(16)}`
}

/** An f32 as String() would have it if it knew of f32: 0.1 and not 0.10000000149011612. */
function shortest32(value: number): string {
  if (Number.isInteger(value)) return String(value)
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  // Nine digits tell any two f32 apart.
  return String(Number(value.toPrecision(9)))
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const NAN = /^nan:([0-9a-fA-F]{1,16})$/

/** The value of such a text, rounded to the type; `TYPE` for another text, and for a number out of range. */
export function parseFloatText(type: 'float32' | 'float64', text: string, what: string): GgufValue {
  if (text === 'inf') return { type, value: Infinity }
  if (text === '-inf') return { type, value: -Infinity }
  if (text === 'nan') return float(type, standardNan(type))
  const bits = NAN.exec(text)?.[1]
  if (bits !== undefined) {
    const value =
      BigInt(`0x${bits}`) < (type === 'float32' ? 2n ** 32n : 2n ** 64n) ? float(type, BigInt(`0x${bits}`)) : undefined
    if (value === undefined || !Number.isNaN(value.value)) {
      throw new KilnError('TYPE', `${what} is ${text}; these are not the bits of a NaN of type ${type}`)
    }
    return value
  }
  if (!DECIMAL.test(text)) throw new KilnError('TYPE', `${what} is ${quoted(text)}, which is no ${type}`)
  const value = type === 'float32' ? Math.fround(Number(text)) : Number(text)
  if (!Number.isFinite(value))
    throw new KilnError('TYPE', `${what} is ${shortened(text)}, out of range for ${type}; write inf if that is meant`)
  return { type, value }
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
