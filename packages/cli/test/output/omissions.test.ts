import { expect, test } from 'vitest'
import { omissionLines } from '../../src/output/omissions.js'

const many = (count: number, reason: string) => Array.from({ length: count }, (_, i) => ({ name: `t${i}`, reason }))

test('a line for each reason, in the order in which they come', () => {
  expect(omissionLines([...many(1, 'too wide'), { name: 'x', reason: 'no place' }, { name: 'y\u001b', reason: 'too wide' }])).toEqual([
    'left out (2): t0, y\\u001b: too wide',
    'left out: x: no place',
  ])
  expect(omissionLines([])).toEqual([])
})

test('nine names are named; of more the first eight, and how many there are', () => {
  expect(omissionLines(many(9, 'r'))).toEqual(['left out (9): t0, t1, t2, t3, t4, t5, t6, t7, t8: r'])
  expect(omissionLines(many(190, 'r'))).toEqual(['left out (190): t0, t1, t2, t3, t4, t5, t6, t7, and 182 more, all named by --json: r'])
})
