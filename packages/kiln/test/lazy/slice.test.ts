import { encodeDirectory, open, tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { LoadedSlice } from '../../src/lazy/slice.js'
import { fault, faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

const numbers = (length: number, seed = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 37 + seed) % 256)
const inputs = [
  tensor('w', 'e2m1', [4, 32], numbers(64)),
  tensor('one', 'f32', [], new Float32Array([0.25])),
  tensor(
    'f',
    'f64',
    [10, 3],
    new Float64Array(30).map((_, i) => i + 0.5),
  ),
]
const block = encodeDirectory(inputs)

test('slices are rows of the outermost dimension', async () => {
  const source = counted(block)
  const model = await open(source)
  source.reads.length = 0
  const rows = await model.slice('f', 2, 4)
  expect(source.total).toBe(2 * 3 * 8)
  expect([rows.shape, rows.elements, rows.byteLength, rows.from, rows.to, rows.dtype, rows.name]).toEqual([
    [2, 3],
    6,
    48,
    2,
    4,
    'f64',
    'f',
  ])
  expect(rows.borrow('f64')).toEqual((inputs[2]!.data as Float64Array).slice(6, 12))
  expect(rows.copy()).toEqual((inputs[2]!.data as Float64Array).slice(6, 12))
  expect(rows.load(new Float64Array(6))).toBe(6)
  expect(fault(() => rows.borrow('f32'))).toMatchObject({ code: 'TYPE' })
  expect((await model.slice('f', 5, 5)).shape).toEqual([0, 3])
  expect((await model.slice('f', 0, 10)).bytes).toEqual((await model.load('f')).bytes)
  expect((await model.slice('w', 1, 3)).bytes).toEqual(numbers(64).slice(16, 48))
  for (const [name, from, to] of [
    ['f', -1, 2],
    ['f', 3, 2],
    ['f', 0, 11],
    ['f', 0.5, 1],
    ['f', 0, NaN],
    ['one', 0, 0],
  ] as const) {
    expect(await faultOf(model.slice(name, from, to))).toMatchObject({
      code: 'TYPE',
      path: name === 'f' ? 'f' : 'one',
    })
  }
  expect((await faultOf(model.slice('f', 3, 2))).detail).toBe('rows 3 to 2 are not among the 10 of [10, 3]')
})

test('a slice has the dtype of its tensor, and says whether it can be borrowed', async () => {
  const model = await open(block)
  const rows = await model.slice('f', 1, 3)
  expect([rows.aligned, (await model.slice('w', 1, 3)).aligned]).toEqual([true, true])
  expect(fault(() => rows.copy('f32'))).toMatchObject({ code: 'TYPE', detail: 'the tensor "f" is f64, not "f32"' })
  expect(rows.copy('f64')).toEqual((inputs[2]!.data as Float64Array).slice(3, 9))
  const askew = new LoadedSlice(model.get('f'), 0, 1, new Uint8Array(25).subarray(1))
  expect(askew.aligned).toBe(false)
})

test('slices of narrow dtypes and foreign blocks are whole bytes and whole blocks', async () => {
  const model = await open(
    encodeDirectory([
      tensor('odd', 'u4', [5, 3], numbers(8)),
      tensor('six', 'e3m2', [9], numbers(7)),
      tensor('bits', 'u1', [20], numbers(3)),
      tensor('blocks', 'ggml_q8_0', [96], numbers(102)),
      tensor('rows', 'ggml_q8_0', [3, 64], numbers(204)),
    ]),
  )
  expect((await model.slice('odd', 2, 4)).bytes).toEqual(numbers(8).slice(3, 6))
  expect((await model.slice('odd', 2, 5)).bytes).toEqual(numbers(8).slice(3, 8))
  expect((await faultOf(model.slice('odd', 1, 5))).detail).toContain('multiples of 2 rows do')
  expect(await faultOf(model.slice('odd', 0, 1))).toMatchObject({ code: 'TYPE', path: 'odd', detail: expect.stringContaining('multiples of 2 rows do') as string })
  expect((await model.slice('six', 4, 9)).bytes).toEqual(numbers(7).slice(3))
  expect((await faultOf(model.slice('six', 2, 9))).detail).toContain('multiples of 4 rows do')
  expect((await model.slice('bits', 8, 16)).bytes).toEqual(numbers(3).slice(1, 2))
  expect((await model.slice('blocks', 32, 64)).bytes).toEqual(numbers(102).slice(34, 68))
  expect((await faultOf(model.slice('blocks', 16, 96))).detail).toContain('multiples of 32 rows do')
  expect((await model.slice('rows', 1, 2)).bytes).toEqual(numbers(204).slice(68, 136))
})
