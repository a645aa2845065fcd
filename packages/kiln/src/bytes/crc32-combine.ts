const POLYNOMIAL = 0xedb88320
/** x^0 and x^1 as the CRC writes polynomials: the highest bit is the lowest power. */
const ONE = 0x80000000
const X = 0x40000000

/** The product of two polynomials over GF(2), modulo the CRC's. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}

/**
 * The CRC-32 of two pieces in a row from those of each, and the second's length in bytes: so a checksum of bytes that
 * begin with something not known yet can be worked out on the way. Takes some 53 multiplications at most.
 */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  // The first is moved on by 8 bits a byte of the second: multiplied by x^(8 * length), by repeated squaring.
  let power = multiply(multiply(X, X), multiply(X, X))
  power = multiply(power, power)
  let moved = ONE
  for (let rest = secondLength; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) moved = multiply(moved, power)
    power = multiply(power, power)
  }
  return (multiply(moved, first) ^ second) >>> 0
}
