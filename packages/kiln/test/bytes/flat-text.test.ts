import { describe, expect, test } from 'vitest'
import { flatText, LONGEST_FLAT } from '../../src/bytes/flat-text.js'

// 32 units of which no two are equal, and others on both sides: each index of each length has a character of its own.
const ascii = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'
const wide = 'ÀáĂăЖжאبกあアㄅ一丁七万丈三上下不与丐丑专且丕世丗丘丙业'
const lengths = Array.from({ length: 32 }, (_, i) => i + 1)

describe('flatText', () => {
  test('the longest is 32, and the texts of these tests have 32 units that differ', () => {
    expect(LONGEST_FLAT).toBe(32)
    for (const sample of [ascii, wide]) expect([sample.length, new Set(sample.split('')).size]).toEqual([32, 32])
  })
  test.each(lengths)('%d ASCII bytes, from any place on', (length) => {
    const bytes = new TextEncoder().encode(`xyz${ascii}!?`)
    expect(flatText(bytes, 3, length)).toBe(ascii.slice(0, length))
    expect(flatText(bytes.subarray(3), 0, length)).toBe(ascii.slice(0, length))
  })
  test.each(lengths)('%d units of two bytes, from any place on', (length) => {
    const units = Uint16Array.from(`xyz${wide}!?`, (unit) => unit.charCodeAt(0))
    expect(flatText(units, 3, length)).toBe(wide.slice(0, length))
    expect(flatText(units.subarray(3), 0, length)).toBe(wide.slice(0, length))
  })
})
