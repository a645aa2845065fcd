import { expect, test } from 'vitest'
import { lazyGrid } from '../../../src/numeric/ggml/grid.js'

test('a codebook from its gaps, on paper', () => {
  // Gaps of 0, 1 and 0 after -1, 0 and 2: the points 0, 2 and 3, in base 2 with the first element lowest.
  expect([...lazyGrid('ABA', 4, [5, 7])()]).toEqual([5, 5, 5, 5, 5, 7, 5, 5, 7, 7, 5, 5])
  // 80 is 2222 in base 3, and 26 of them 222: a gap of 26 from -1, then 53.
  expect([...lazyGrid('a1', 4, [-1, 0, 1])()]).toEqual([1, 1, 1, -1, 1, 1, 1, 1])
  expect([...lazyGrid('B', 8, [0, 9])()]).toEqual([9, 0, 0, 0, 0, 0, 0, 0])
})

test('an underscore adds 63 to the gap that follows', () => {
  // 63 + 1 after -1 is the point 64: 100 in base 8. Two of them and 2 more: 64 + 126 + 3 = 193, which is 301.
  expect([...lazyGrid('_B__C', 4, [0, 1, 2, 3, 4, 5, 6, 7])()]).toEqual([0, 0, 1, 0, 1, 0, 3, 0])
})

test('digits above the letters: 0 to 9, and the minus for 62', () => {
  // 62 is 76 in base 8, and 52 more than that and one is 115, which is 163.
  expect([...lazyGrid('-0', 4, [0, 1, 2, 3, 4, 5, 6, 7])()]).toEqual([6, 7, 0, 0, 3, 6, 1, 0])
})

test('a codebook is made once', () => {
  const grid = lazyGrid('A', 4, [1])
  expect(grid()).toBe(grid())
})
