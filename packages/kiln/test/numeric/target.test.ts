import { expect, test } from 'vitest'
import { targetArray, type FloatTarget } from '../../src/numeric/target.js'
import { refuses } from './refuses.js'

const memory = new ArrayBuffer(64)
const source = new Uint8Array(memory, 16, 16)

test('a new array of either width has just the elements', () => {
  expect(targetArray('f32', 3, source).values).toEqual(new Float32Array(3))
  expect(targetArray('f64', 3, source).values).toEqual(new Float64Array(3))
  expect(targetArray('f64', 0, source).values).toEqual(new Float64Array(0))
})

test("an array of the caller's comes back as it is, if it has room", () => {
  for (const target of [new Float32Array(3), new Float64Array(3)]) {
    expect(targetArray(target, 3, source).given).toBe(target)
    expect(targetArray(target, 2, source).given).toBe(target)
    // What is written to is the front of the same memory.
    targetArray(target, 2, source).values.set([5, 6])
    expect([...target]).toEqual([5, 6, 0])
    refuses(() => targetArray(target, 4, source), 'TYPE: the target has room for 3 numbers, there are 4')
  }
  for (const wrong of [new Int32Array(3), [0, 0, 0], 'f16', undefined]) {
    refuses(() => targetArray(wrong as FloatTarget, 3, source), "TYPE: the target is 'f32', 'f64', a Float32Array")
  }
})

test('a target may touch the payload at either end, and lie over it only where nothing is written', () => {
  const before = new Float32Array(memory, 0, 4)
  const after = new Float64Array(memory, 32, 2)
  expect(targetArray(before, 4, source).given).toBe(before)
  expect(targetArray(after, 2, source).given).toBe(after)
  const long = new Float32Array(memory, 0, 16)
  expect(targetArray(long, 4, source).given).toBe(long)
  refuses(() => targetArray(long, 5, source), 'the target lies over the payload')
  const last = new Float32Array(memory, 28, 1)
  refuses(() => targetArray(last, 1, source), 'the target lies over the payload')
  const doubles = new Float64Array(memory, 8, 2)
  expect(targetArray(doubles, 1, source).given).toBe(doubles)
  refuses(() => targetArray(doubles, 2, source), 'the target lies over the payload')
  // The same place in other memory.
  const other = new Float32Array(new ArrayBuffer(64), 16, 4)
  expect(targetArray(other, 4, source).given).toBe(other)
})
