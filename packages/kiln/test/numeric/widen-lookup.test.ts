import { expect, test } from 'vitest'
import { widenByTable } from '../../src/numeric/widen-lookup.js'
import { slowNumber } from './slow-codes.js'

test('f16 in pieces, from an odd place, each where it belongs', () => {
  // A piece of 64 KiB has 32,768 of them.
  const count = 32_768 + 11
  const bytes = new Uint8Array(2 * count + 1).subarray(1)
  const codeOf = (i: number): number => (i * 7) % 31_744 // no infinity or NaN
  for (let i = 0; i < count; i++) bytes.set([codeOf(i) & 255, codeOf(i) >> 8], 2 * i)
  const room = new Float32Array(count + 2).fill(-7)
  widenByTable('f16', bytes, count, room.subarray(1, count + 1))
  for (const i of [0, 1, 8, 15, 32_760, 32_767, 32_768, 32_769, count - 1]) {
    expect(room[1 + i], String(i)).toBe(slowNumber('f16', codeOf(i)))
  }
  expect([room[0], room[count + 1]]).toEqual([-7, -7])
})

test.each([
  ['u4', 4], ['u2', 2], ['u1', 1], ['e2m3', 6], ['e8m0', 8],
] as const)('%s: only as many as are asked for, wherever the target lies', (dtype, bits) => {
  const bytes = Uint8Array.from({ length: 24 }, (_, i) => (i * 73 + 5) & 255)
  const codeOf = (index: number): number => {
    let code = 0
    for (let bit = 0; bit < bits; bit++) {
      const at = index * bits + bit
      code += ((bytes[at >> 3]! >> at % 8) & 1) * 2 ** bit
    }
    return code
  }
  for (const offset of [0, 1, 2]) {
    for (let count = 0; count <= 20; count++) {
      const room = new Float32Array(24).fill(-7)
      widenByTable(dtype, bytes, count, room.subarray(offset, offset + count))
      const want = Array.from({ length: count }, (_, i) => slowNumber(dtype, codeOf(i)))
      expect([...room]).toEqual([
        ...Array.from({ length: offset }, () => -7), ...want, ...Array.from({ length: 24 - offset - count }, () => -7),
      ])
    }
  }
})
