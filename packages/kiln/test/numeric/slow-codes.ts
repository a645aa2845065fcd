/**
 * Codes and their numbers from the definitions (IEEE 754, OCP 8-bit Floating Point, OCP Microscaling Formats), the
 * slow and plain way, and sharing nothing with the library: what its tables are compared with.
 */

interface Definition {
  readonly exponentBits: number
  readonly mantissaBits: number
  readonly bias: number
  /** Codes without sign that are infinity, and those that are NaN. */
  readonly infinity: number | undefined
  isNan(code: number): boolean
}

export const definitions: Readonly<Record<string, Definition>> = {
  f32: {
    exponentBits: 8, mantissaBits: 23, bias: 127, infinity: 0x7f800000,
    isNan: (code) => code % 2 ** 31 > 0x7f800000,
  },
  f16: { exponentBits: 5, mantissaBits: 10, bias: 15, infinity: 0x7c00, isNan: (code) => (code & 0x7fff) > 0x7c00 },
  bf16: { exponentBits: 8, mantissaBits: 7, bias: 127, infinity: 0x7f80, isNan: (code) => (code & 0x7fff) > 0x7f80 },
  f8e4m3: { exponentBits: 4, mantissaBits: 3, bias: 7, infinity: undefined, isNan: (code) => code % 0x80 === 0x7f },
  f8e5m2: { exponentBits: 5, mantissaBits: 2, bias: 15, infinity: 0x7c, isNan: (code) => (code & 0x7f) > 0x7c },
  f8e4m3fnuz: { exponentBits: 4, mantissaBits: 3, bias: 8, infinity: undefined, isNan: (code) => code === 0x80 },
  f8e5m2fnuz: { exponentBits: 5, mantissaBits: 2, bias: 16, infinity: undefined, isNan: (code) => code === 0x80 },
  e3m2: { exponentBits: 3, mantissaBits: 2, bias: 3, infinity: undefined, isNan: () => false },
  e2m3: { exponentBits: 2, mantissaBits: 3, bias: 1, infinity: undefined, isNan: () => false },
  e2m1: { exponentBits: 2, mantissaBits: 1, bias: 1, infinity: undefined, isNan: () => false },
}

/** Bits a code of every dtype that is widened by its codes. */
export const codeBits: Readonly<Record<string, number>> = {
  f32: 32, f16: 16, bf16: 16, u16: 16, i16: 16,
  f8e4m3: 8, f8e5m2: 8, f8e4m3fnuz: 8, f8e5m2fnuz: 8, e8m0: 8, u8: 8, i8: 8,
  e3m2: 6, e2m3: 6, e2m1: 4, u4: 4, i4: 4, u2: 2, i2: 2, u1: 1,
}

/** The number that a code stands for, bit by bit. */
export function slowNumber(dtype: string, code: number): number {
  const bits = codeBits[dtype]!
  if (dtype === 'e8m0') {
    if (code === 255) return NaN
    let power = 1
    for (let i = 127; i < code; i++) power *= 2
    for (let i = code; i < 127; i++) power /= 2
    return power
  }
  const digits = code.toString(2).padStart(bits, '0')
  const definition = definitions[dtype]
  if (definition === undefined) {
    // An integer; the first digit of a signed one counts negative.
    let sum = 0
    for (let i = 0; i < bits; i++) {
      const weight = 2 ** (bits - 1 - i)
      if (digits[i] === '1') sum += i === 0 && dtype.startsWith('i') ? -weight : weight
    }
    return sum
  }
  const { exponentBits, mantissaBits, bias } = definition
  const sign = digits[0] === '1' ? -1 : 1
  if (definition.isNan(code)) return NaN
  if (definition.infinity !== undefined && code % 2 ** (bits - 1) === definition.infinity) return sign * Infinity
  const exponent = Number.parseInt(digits.slice(1, 1 + exponentBits), 2)
  let mantissa = exponent === 0 ? 0 : 1
  for (let i = 0; i < mantissaBits; i++) if (digits[1 + exponentBits + i] === '1') mantissa += 0.5 ** (i + 1)
  return sign * mantissa * 2 ** (Math.max(exponent, 1) - bias)
}

export function isNanCode(dtype: string, code: number): boolean {
  return Number.isNaN(slowNumber(dtype, code))
}

/**
 * The finite numbers of a float dtype from 0 up, each in the place of its code, and after them the one that would
 * come next if the exponents went on.
 */
export function ladder(dtype: string): number[] {
  const { mantissaBits } = definitions[dtype]!
  const numbers: number[] = []
  for (let code = 0; code < 2 ** (codeBits[dtype]! - 1); code++) {
    const number = slowNumber(dtype, code)
    if (Number.isFinite(number)) numbers.push(number)
  }
  const last = numbers.length - 1
  // A step up from the last is as wide as the step before it, and a mantissa of all ones is stepped over just so.
  const step = 2 ** (Math.floor(Math.log2(numbers[last]!)) - mantissaBits)
  numbers.push(numbers[last]! + step)
  return numbers
}

/** What a number is narrowed to: the nearest of all the numbers, and of two equally near the one of even code. */
export function slowCode(
  dtype: string,
  value: number,
  mode: 'saturate' | 'overflow',
  rungs: readonly number[] = ladder(dtype),
): number | 'nan' {
  const definition = definitions[dtype]!
  if (Number.isNaN(value)) return 'nan'
  const signBit = 2 ** (codeBits[dtype]! - 1)
  const sign = value < 0 || Object.is(value, -0) ? signBit : 0
  const magnitude = Math.abs(value)
  const last = rungs.length - 2
  let code = last + 1
  if (magnitude < rungs[last + 1]!) {
    let low = 0
    let high = last + 1
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (rungs[middle]! <= magnitude) low = middle
      else high = middle
    }
    // Of two neighbours, the middle has a bit more than they do, so it is exact.
    const middle = rungs[low]! + (rungs[high]! - rungs[low]!) / 2
    code = magnitude < middle || (magnitude === middle && low % 2 === 0) ? low : high
  }
  const fnuz = dtype.endsWith('fnuz')
  if (code > last) {
    if (mode === 'saturate' || dtype.startsWith('e')) code = last
    else if (definition.infinity === undefined) return 'nan'
    else code = definition.infinity
  }
  return fnuz && code === 0 ? 0 : code + sign
}

/** A payload of the given codes, bit by bit. */
export function elementsOf(codes: ArrayLike<number>, bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((codes.length * bits) / 8))
  for (let i = 0; i < codes.length; i++) {
    for (let bit = 0; bit < bits; bit++) {
      const at = i * bits + bit
      if (Math.floor(codes[i]! / 2 ** bit) % 2 === 1) bytes[Math.floor(at / 8)]! += 2 ** (at % 8)
    }
  }
  return bytes
}

/** The next f64 away from zero (`1`) or towards it (`-1`), of a positive finite number. */
export function neighbour(value: number, direction: 1 | -1): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigUint64(0, view.getBigUint64(0) + BigInt(direction))
  return view.getFloat64(0)
}
