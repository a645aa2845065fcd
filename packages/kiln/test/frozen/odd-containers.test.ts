import { encode, encodeInto, k } from 'kiln-format'
import { expect, test } from 'vitest'
import { fault } from '../support/fault.js'

test.each([
  ['numbers', k.list(k.u8)],
  ['what is no number', k.list(k.option(k.u8))],
])('an array of %s whose length is another each time is TYPE, and nothing is written', (_, schema) => {
  for (const step of [-1, 1]) {
    let length = 4 - step
    const array = new Proxy([1, 2, 3, 4, 5, 6, 7, 8], { get: (of, key) => (key === 'length' ? (length += step) : Reflect.get(of, key)) })
    const target = new Uint8Array(64).fill(0xee)
    expect(fault(() => encodeInto(schema as never, array as never, target))).toMatchObject({ code: 'TYPE', detail: 'the array changed its length while it was encoded' })
    expect(target.every((b) => b === 0xee)).toBe(true)
  }
})

test('what inherits from Map is one if it has a size that can be read', () => {
  const schema = k.dict(k.string, k.u8)
  const map = new Map([['a', 1]])
  const passing = new Proxy(map, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key, of)
      return typeof value === 'function' ? (value as () => unknown).bind(of) : value
    },
  })
  expect(encode(schema, passing)).toEqual(encode(schema, map))
  for (const none of [new Proxy(map, {}), Object.create(Map.prototype) as typeof map]) {
    expect(fault(() => encode(schema, none))).toMatchObject({ code: 'TYPE', detail: 'dict<string,…> takes a Map or a plain object, got an object (Map)' })
  }
})

test('an array of other numbers whose memory is gone is no list of nothing', () => {
  const doubles = Float64Array.of(1, 2)
  expect(encode(k.list(k.f32), doubles)).toEqual(encode(k.list(k.f32), [1, 2]))
  expect(encode(k.list(k.f32), new Float64Array(0))).toEqual(Uint8Array.of(0, 0, 0, 0))
  structuredClone(doubles.buffer, { transfer: [doubles.buffer] })
  for (const schema of [k.list(k.f32), k.list(k.f64)]) {
    expect(fault(() => encode(schema, doubles))).toMatchObject({
      code: 'TYPE', detail: 'the memory of a Float64Array was transferred or resized away; give the bytes where they are now',
    })
  }
})
