import { expect, test } from 'vitest'
import { plainNumbers, copyNumbers } from '../../src/numeric/number-input.js'
import { refuses } from './refuses.js'

test('arrays that numbers come from, and others', () => {
  const kinds = [
    Float32Array, Float64Array, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array,
    Uint32Array,
  ]
  for (const kind of kinds) plainNumbers(new kind(1))
  // As an array of a host that has them calls itself.
  const half = Object.defineProperty(new Uint16Array(1), Symbol.toStringTag, { value: 'Float16Array' })
  plainNumbers(half)
  plainNumbers([])
  plainNumbers([1, NaN, -0])
  for (const kind of [BigInt64Array, BigUint64Array]) {
    refuses(() => plainNumbers(new kind(1) as never), `TYPE: numbers can't come from a ${kind.name}`)
  }
  refuses(() => plainNumbers(new DataView(new ArrayBuffer(8)) as never), "TYPE: numbers can't come from a DataView")
  for (const wrong of [{ length: 0 }, '12', null, undefined, 7]) {
    refuses(() => plainNumbers(wrong as never), 'TYPE: numbers are a typed array or an array of numbers')
  }
  refuses(() => plainNumbers([1, 2, '3'] as never), 'TYPE at [2]: this is no number but string')
  refuses(() => plainNumbers([1, undefined] as never), 'TYPE at [1]: this is no number but undefined')
  // A hole is none either.
  refuses(() => plainNumbers(new Array(1) as never), 'TYPE at [0]: this is no number but undefined')
})

test.each([
  ['plain', [1, 2, 3, 4, 5]], ['f32', Float32Array.of(1, 2, 3, 4, 5)], ['f64', Float64Array.of(1, 2, 3, 4, 5)],
  ['u8', Uint8Array.of(1, 2, 3, 4, 5)],
] as const)('%s numbers from a place on go to the front of a block', (_, values) => {
  const block = new Float64Array(4).fill(-7)
  copyNumbers(values, 1, 3, block)
  expect([...block]).toEqual([2, 3, 4, -7])
  copyNumbers(values, 4, 1, block)
  expect([...block]).toEqual([5, 3, 4, -7])
  copyNumbers(values, 0, 0, block)
  expect([...block]).toEqual([5, 3, 4, -7])
})
