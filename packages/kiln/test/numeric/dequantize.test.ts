import { expect, test } from 'vitest'
import { dtypes, encodeDirectory, readDirectory, tensor, type DtypeName } from 'kiln-format'
import { dequantize, dequantizesGgml, numbersOf, type LinkedTensor, type NumericTensor } from 'kiln-format/numeric'
import { codeBits, elementsOf, slowNumber } from './slow-codes.js'
import { refuses } from './refuses.js'

const scale = (...codes: number[]): NumericTensor => {
  return { dtype: 'e8m0', shape: [codes.length], bytes: Uint8Array.from(codes) }
}
const f32 = (...values: number[]): NumericTensor => {
  return { dtype: 'f32', shape: [values.length], bytes: new Uint8Array(Float32Array.from(values).buffer) }
}

test('a tensor of a directory is dequantized by its links', () => {
  const block = encodeDirectory([
    tensor('w', 'e2m1', [2, 3], Uint8Array.of(0x42, 0xf5, 0x21), {
      scale: 'w.scale', outer: 'w.outer', axis: 1, groupSize: 2,
    }),
    tensor('w.scale', 'f8e4m3', [2, 2], Uint8Array.of(0x38, 0x40, 0x30, 0x7e)),
    tensor('w.outer', 'f32', [1], Float32Array.of(0.5)),
  ])
  const w = readDirectory(block).get('w')!
  // 1 2 3 | -6 0.5 1, scales 1 2 | 0.5 448, outer 0.5
  expect([...dequantize(w)]).toEqual([0.5, 1, 3, -1.5, 0.125, 224])
  const target = new Float32Array(8).fill(9)
  expect(dequantize(w, target)).toBe(target)
  expect([...target]).toEqual([0.5, 1, 3, -1.5, 0.125, 224, 9, 9])
})

test('without links the elements come as they are', () => {
  expect([...dequantize({ dtype: 'i4', shape: [3], bytes: Uint8Array.of(0x1f, 0x07) })]).toEqual([-1, 1, 7])
  const wide = { dtype: 'i32', shape: [1], bytes: new Uint8Array(Int32Array.of(2 ** 24 + 1).buffer) } as const
  refuses(() => dequantize(wide), "TYPE at [0]: 16777217 (i32) is no f32; pass inexact: 'nearest'")
  expect([...dequantize(wide, undefined, { inexact: 'nearest' })]).toEqual([2 ** 24])
  // With a scale, the element is rounded to f32 first, as the rule says.
  expect([...dequantize({ ...wide, axis: 0, groupSize: 1, scale: scale(128) })]).toEqual([2 ** 25])
})

test('the target is a Float32Array', () => {
  for (const target of [new Float64Array(2), 'f64', 'f16', [0, 0]]) {
    const given = target as unknown as Float32Array
    refuses(() => dequantize(f32(1, 2), given), 'TYPE: the target')
  }
  refuses(() => dequantize(f32(1, 2), 'f64' as never), 'TYPE: the target of dequantize is a Float32Array')
})

test('each product is rounded by itself, in its order', () => {
  const [element, factor, outer] = [Math.fround(1 / 13), Math.fround(1.313), Math.fround(0.7 / 13)]
  const want = Math.fround(Math.fround(element * factor) * outer)
  const linked = { ...f32(element), axis: 0, groupSize: 1, scale: f32(factor), outer: f32(outer) }
  expect([...dequantize(linked)]).toEqual([want])
  // One rounding at the end, or the scales multiplied first, would be another number.
  expect(want).not.toBe(Math.fround(element * factor * outer))
  expect(want).not.toBe(Math.fround(element * Math.fround(factor * outer)))
})

/** The value of every element by the rule of FORMAT §5, coordinate by coordinate. */
function slowly(t: LinkedTensor, codes: number[], scales: number[], outer: number | undefined): number[] {
  const { shape, groupSize = 1, axis = 0 } = t
  const scaleShape = shape.map((length, i) => (i === axis ? Math.ceil(length / groupSize) : length))
  return codes.map((code, index) => {
    const at: number[] = []
    let rest = index
    for (const length of shape.toReversed()) {
      at.unshift(rest % length)
      rest = Math.floor(rest / length)
    }
    at[axis] = Math.floor(at[axis]! / groupSize)
    const scaleIndex = at.reduce((sum, coordinate, i) => sum * scaleShape[i]! + coordinate, 0)
    const scaled = Math.fround(slowNumber(t.dtype, code) * scales[scaleIndex]!)
    return outer === undefined ? scaled : Math.fround(scaled * outer)
  })
}

const SHAPES: [DtypeName, number[], number][] = [
  ['e2m1', [7, 5, 11], 16], ['f8e4m3', [3, 40, 9], 16], ['e2m3', [33, 3, 90], 32], ['i4', [2, 9000], 5000],
  ['i8', [9, 1, 77], 3],
]

test.each(SHAPES)('%s of shape %j in groups of %i, along every axis', (dtype, shape, groupSize) => {
  const elements = shape.reduce((product, length) => product * length, 1)
  const bits = codeBits[dtype]!
  const codes = Array.from({ length: elements }, (_, i) => (i * 7919) % (2 ** bits - 1)) // not f8e4m3's FF
  for (let axis = 0; axis < shape.length; axis++) {
    const scaleShape = shape.map((length, i) => (i === axis ? Math.ceil(length / groupSize) : length))
    const count = scaleShape.reduce((product, length) => product * length, 1)
    const scales = Float32Array.from({ length: count }, (_, i) => 1 / (i + 3))
    const linked: LinkedTensor = {
      dtype, shape, bytes: elementsOf(codes, bits), axis, groupSize,
      scale: { dtype: 'f32', shape: scaleShape, bytes: new Uint8Array(scales.buffer) },
    }
    expect([...dequantize(linked)]).toEqual(slowly(linked, codes, [...scales], undefined))
    const outer = Math.fround(0.7)
    expect([...dequantize({ ...linked, outer: f32(outer) })]).toEqual(slowly(linked, codes, [...scales], outer))
  }
})

test('links that the format does not allow are TYPE, and say where', () => {
  const elements: NumericTensor = { dtype: 'e2m1', shape: [4], bytes: new Uint8Array(2) }
  const w: LinkedTensor = { ...elements, axis: 0, groupSize: 2, scale: scale(1, 2) }
  expect([...dequantize(w)]).toEqual([0, 0, 0, 0])
  const wrong: [Partial<Record<keyof LinkedTensor, unknown>>, string][] = [
    [{ axis: 1 }, 'TYPE at axis: axis 1 is none of the 1 dimensions'],
    [{ axis: undefined }, 'TYPE at axis'],
    [{ groupSize: 0 }, 'TYPE at groupSize: a group size is an integer from 1 on, not 0'],
    [{ groupSize: 1.5 }, 'TYPE at groupSize'],
    [{ scheme: 2 }, 'TYPE at outer: scheme 2 needs an outer scale'],
    [{ scheme: 1, scale: undefined }, 'TYPE at scale: scheme 1 needs a scale'],
    [{ scheme: 3 }, 'TYPE at scheme: there is no scheme 3'],
    [{ scale: scale(1, 2, 3) }, 'TYPE at scale: shape [4] in groups of 2 along axis 0 needs 2 scales, there are 3'],
    [{ outer: f32(1, 2) }, 'TYPE at outer: an outer scale has one element, not 2'],
    [{ outer: scale(1) }, 'TYPE at outer: an outer scale is f32, not e8m0'],
    [{ scale: { ...scale(1, 2), bytes: new Uint8Array(1) } }, 'the payload has 1 bytes'],
  ]
  for (const [change, message] of wrong) refuses(() => dequantize({ ...w, ...change } as LinkedTensor), message)
  expect([...dequantize({ ...w, scheme: 0, bytes: Uint8Array.of(2, 0) })]).toEqual([1, 0, 0, 0])
})

const KNOWN = dtypes.filter(({ name }) => dequantizesGgml(name)).map(({ name }) => name)
const UNKNOWN: DtypeName[] = ['ggml_q8_1', 'ggml_q8_k', 'ggml_q1_0', 'ggml_q2_0']

test("which of ggml's dtypes are dequantized, and what is said of the others", () => {
  expect(KNOWN).toHaveLength(23)
  const foreign = dtypes.filter((dtype) => dtype.foreign).map(({ name }) => name)
  expect(foreign.filter((name) => !KNOWN.includes(name))).toEqual(UNKNOWN)
  expect(dequantizesGgml('f16')).toBe(false)
  for (const dtype of UNKNOWN) {
    const message = `TYPE: ${dtype} can't be dequantized; of ggml's dtypes these can't: ${UNKNOWN.join(', ')}`
    refuses(() => dequantize({ dtype, shape: [0], bytes: new Uint8Array(0) }), message)
    refuses(() => numbersOf({ dtype, shape: [0], bytes: new Uint8Array(0) }), message)
  }
})

test("a block of ggml's mxfp4 has elements i and i + 16 in one byte", () => {
  const block = new Uint8Array(17)
  block[0] = 0x7f
  block[1] = 0x21
  const values = dequantize({ dtype: 'ggml_mxfp4', shape: [32], bytes: block })
  expect([values[0], values[1], values[16]]).toEqual([0.5, 0, 1])
})

test('blocks may lie anywhere in memory, and have links themselves', () => {
  const block = Uint8Array.of(0, 0x3c, ...Array.from({ length: 32 }, (_, i) => i))
  const memory = new Uint8Array(80)
  memory.set(block, 5)
  memory.set(block, 39)
  const tensor: LinkedTensor = { dtype: 'ggml_q8_0', shape: [2, 32], bytes: memory.subarray(5, 73) }
  const row = Array.from({ length: 32 }, (_, i) => i)
  expect([...dequantize(tensor)]).toEqual([...row, ...row])
  const scaled = dequantize({ ...tensor, axis: 0, groupSize: 1, scale: { ...f32(...row, ...row), shape: [2, 32] } })
  expect([...scaled]).toEqual([...row, ...row].map((value) => value * value))
  const scale = { dtype: 'ggml_q8_0', shape: [32], bytes: block } as const
  const byBlocks = dequantize({ ...tensor, shape: [64], axis: 0, groupSize: 2, scale })
  expect(byBlocks[63]).toBe(31 * 31)
})
