import { crc32 } from 'kiln-format'
import { expect, test } from 'vitest'
import { combineCrc32 } from '../../src/bytes/crc32-combine.js'

test('the checksum of two pieces is that of both together', () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)
  for (const cut of [0, 1, 2, 3, 7, 8, 64, 1000, 4095, 4999, 5000]) {
    const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)]
    expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(bytes))
  }
})

test('lengths beyond 32 bits count in full', () => {
  // Zeros of length a + b are zeros of a, then of b: worked out by halves from a length that can be tried, each once.
  const known = new Map<number, number>()
  const zeros = (length: number): number => {
    if (length <= 2 ** 20) return crc32(new Uint8Array(length))
    const half = Math.floor(length / 2)
    const checksum = known.get(length) ?? combineCrc32(zeros(length - half), zeros(half), half)
    known.set(length, checksum)
    return checksum
  }
  const long = 2 ** 33 + 5
  expect(combineCrc32(crc32(Uint8Array.of(1, 2, 3)), zeros(long), long)).toBe(
    combineCrc32(combineCrc32(crc32(Uint8Array.of(1, 2, 3)), zeros(2 ** 32), 2 ** 32), zeros(2 ** 32 + 5), 2 ** 32 + 5),
  )
  expect(combineCrc32(crc32(Uint8Array.of(1, 2, 3)), zeros(long), long)).not.toBe(
    combineCrc32(crc32(Uint8Array.of(1, 2, 3)), zeros(5), 5),
  )
})
