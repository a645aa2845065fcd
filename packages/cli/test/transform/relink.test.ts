import { expect, test } from 'vitest'
import type { AnyTensor } from '../../src/input/model.js'
import { relinked } from '../../src/transform/relink.js'

const tensor = (name: string, links: Partial<AnyTensor> = {}): AnyTensor =>
  ({ name, dtype: 'u8', shape: [], byteLength: 1, async *chunks() {}, ...links })

const told = (tensors: readonly AnyTensor[]): unknown[] => tensors.map(({ name, scale, outer }) => [name, scale, outer].filter((part) => part !== undefined))

test('links go on to where the linked tensors now are', () => {
  const a = tensor('a')
  const list = [a, tensor('q', { scale: 2, outer: 3 }), tensor('s'), tensor('o')]
  const set = [tensor('a'), tensor('a.scale')]
  expect(told(relinked(list, new Map([[a, set]])))).toEqual([['a'], ['a.scale'], ['q', 3, 4], ['s'], ['o']])
})

test('scales that nobody uses any more go, those that somebody does stay', () => {
  const p = tensor('p', { scale: 's' })
  const q = tensor('q', { scale: 3 })
  const list = [p, q, tensor('s'), tensor('t')]
  expect(told(relinked(list, new Map([[p, [tensor('p')]]])))).toEqual([['p'], ['q', 2], ['t']])
  const shared = [tensor('p', { scale: 2 }), tensor('q', { scale: 2 }), tensor('s')]
  expect(told(relinked(shared, new Map([[shared[0]!, [tensor('p')]]])))).toEqual([['p'], ['q', 2], ['s']])
})
