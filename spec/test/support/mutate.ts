import type { Random } from './random.js'

/** Values that a count, a size or an offset is tried with. */
const SIZES = [
  0n,
  1n,
  2n,
  63n,
  64n,
  65n,
  128n,
  255n,
  256n,
  2n ** 16n - 1n,
  2n ** 16n,
  2n ** 20n + 1n,
  2n ** 24n + 1n,
  2n ** 28n + 1n,
  2n ** 31n,
  2n ** 32n - 64n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 64n,
  2n ** 64n - 1n,
]

/** The bytes with one to three small damages. */
export function mutated(random: Random, bytes: Uint8Array): Uint8Array {
  let damaged = bytes
  for (let i = 1 + random.below(3); i > 0; i--) damaged = damage(random, damaged)
  return damaged
}

function damage(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  const at = random.below(Math.max(1, bytes.length))
  switch (random.below(9)) {
    case 0:
      return bytes.slice(0, at)
    case 1:
      return Uint8Array.from([...bytes, ...random.bytes(1 + random.below(70))])
    case 2:
      return Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1)])
    case 3:
      return Uint8Array.from([...bytes.slice(0, at), random.below(256), ...bytes.slice(at)])
    case 4: {
      // A whole field: fields stand at multiples of their width.
      const width = random.of([2, 4, 8])
      const field = at - (at % width)
      const value = random.of(SIZES)
      for (let i = 0; i < width && field + i < copy.length; i++)
        copy[field + i] = Number((value / 256n ** BigInt(i)) % 256n)
      return copy
    }
    case 5: {
      const from = random.below(Math.max(1, bytes.length))
      copy.set(bytes.slice(from, Math.min(from + 8, from + bytes.length - at)), at)
      return copy
    }
    case 6:
      if (copy.length > 0) copy[at] = random.of([0, 1, 2, 0x7f, 0x80, 0xc0, 0xff])
      return copy
    case 7:
      if (copy.length > 0) copy[at] = (copy[at]! + random.of([1, 255])) % 256
      return copy
    default:
      if (copy.length > 0) copy[at] = copy[at]! ^ (1 << random.below(8))
      return copy
  }
}
