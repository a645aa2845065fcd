import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { dequantize, Difference, narrow, numbersOf, quantize, Statistics, statisticsOf, valueBlocks, widen } from 'kiln-format/numeric'

/** As programs have them: an array that is made of its parts, not of memory. `subarray` of it would make NaN of the memory. */
class Vector extends Float32Array {
  constructor(x: number, y: number) {
    super([x, y])
  }
}

class Pair extends Uint8Array {
  constructor(first: number, second: number) {
    super([first, second])
  }
}

test('numbers in an array of a class of the caller\'s', () => {
  const numbers = new Vector(1, -2)
  expect(narrow(numbers, 'bf16', { mode: 'saturate' })).toEqual(Uint8Array.of(0x80, 0x3f, 0x00, 0xc0))
  expect(narrow(numbers, 'i8', { mode: 'saturate' })).toEqual(Uint8Array.of(1, 254))
  expect(narrow(numbers, 'f16', { mode: 'saturate' })).toEqual(Uint8Array.of(0, 0x3c, 0, 0xc0))
  const statistics = new Statistics()
  statistics.add(numbers)
  expect(statistics.summary()).toMatchObject({ count: 2, finite: 2, min: -2, max: 1, mean: -0.5 })
  const difference = new Difference()
  difference.add(numbers, new Vector(1, 2))
  expect(difference.summary()).toMatchObject({ count: 2, differing: 1, maximum: 4 })
  expect(quantize('w', [2], numbers, 'int8:2')).toEqual(quantize('w', [2], [1, -2], 'int8:2'))
})

test("a payload in an array of a class of the caller's", () => {
  const tensor = { dtype: 'f16', shape: [1], bytes: new Pair(0, 0x3c) } as const
  expect(widen(tensor)).toEqual(Float32Array.of(1))
  expect(dequantize(tensor)).toEqual(Float32Array.of(1))
  expect(numbersOf(tensor).at(0)).toBe(1)
  expect(statisticsOf(tensor)).toMatchObject({ count: 1, mean: 1 })
  expect([...valueBlocks(tensor)].map((block) => [...block])).toEqual([[1]])
  const scaled = { dtype: 'u8', shape: [1], bytes: Uint8Array.of(3), axis: 0, groupSize: 1, scale: tensor } as const
  expect(dequantize(scaled)).toEqual(Float32Array.of(3))
})

test('targets of a class of the caller\'s, and of another realm, are filled and come back', () => {
  const tensor = { dtype: 'f16', shape: [2], bytes: Uint8Array.of(0, 0x3c, 0, 0xc0) } as const
  for (const target of [new Vector(0, 0), runInNewContext('new Float32Array(2)') as Float32Array]) {
    expect(widen(tensor, target)).toBe(target)
    expect([...target]).toEqual([1, -2])
    target.fill(0)
    expect(dequantize(tensor, target)).toBe(target)
    expect([...target]).toEqual([1, -2])
  }
  for (const target of [new Pair(0, 0), runInNewContext('new Uint8Array(2)') as Uint8Array]) {
    expect(narrow([1], 'f16', { mode: 'saturate', target })).toEqual(Uint8Array.of(0, 0x3c))
    expect([...target]).toEqual([0, 0x3c])
  }
})
