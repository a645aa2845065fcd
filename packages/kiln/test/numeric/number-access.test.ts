import { expect, test } from 'vitest'
import type { DtypeName } from 'kiln-format'
import { numbersOf } from 'kiln-format/numeric'
import { refuses } from './refuses.js'

/** A tensor over the bytes of an array, at an odd place in memory. */
function placed(dtype: DtypeName, array: ArrayBufferView, elements: number) {
  const memory = new Uint8Array(array.byteLength + 3)
  memory.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), 1)
  return { dtype, shape: [elements], bytes: memory.subarray(1, 1 + array.byteLength) }
}

test.each<[DtypeName, ArrayBufferView, number[]]>([
  ['u8', Uint8Array.of(0, 200, 255), [0, 200, 255]],
  ['i8', Int8Array.of(-128, -1, 127), [-128, -1, 127]],
  ['bool', Uint8Array.of(1, 0, 1), [1, 0, 1]],
  ['u16', Uint16Array.of(1, 0x8000, 0xffff), [1, 32_768, 65_535]],
  ['i16', Int16Array.of(1, -32_768, -1), [1, -32_768, -1]],
  ['f16', Uint16Array.of(0x3c00, 0xc000, 0x0001), [1, -2, 2 ** -24]],
  ['bf16', Uint16Array.of(0x3f80, 0xc000, 0x0001), [1, -2, 2 ** -133]],
  ['f32', Float32Array.of(1.5, -0, 2 ** -149), [1.5, -0, 2 ** -149]],
  ['i32', Int32Array.of(1, -1, -(2 ** 31)), [1, -1, -(2 ** 31)]],
  ['u32', Uint32Array.of(1, 2 ** 31, 2 ** 32 - 1), [1, 2 ** 31, 2 ** 32 - 1]],
  ['f64', Float64Array.of(0.1, -0, 5e-324), [0.1, -0, 5e-324]],
  ['i64', BigInt64Array.of(1n, -1n, -(2n ** 63n)), [1, -1, -(2 ** 63)]],
  ['u64', BigUint64Array.of(1n, 2n ** 53n, 2n ** 63n), [1, 2 ** 53, 2 ** 63]],
])('each element of %s', (dtype, array, numbers) => {
  const access = numbersOf(placed(dtype, array, 3))
  expect(access.length).toBe(3)
  expect([access.at(0), access.at(1), access.at(2)]).toEqual(numbers)
  expect(access.at(1)).toBe(numbers[1])
  for (const index of [-1, 3, 0.5, NaN]) {
    refuses(() => access.at(index), `TYPE: there is no element ${index}; the tensor has 3`)
  }
})

test("blocks of ggml's are read one at a time, and the bytes anew for another block", () => {
  const blocks = new Uint8Array(68)
  blocks.set([0, 0x3c, 1, 2], 0)
  blocks.set([0, 0x40, 3, 4], 34)
  const access = numbersOf({ dtype: 'ggml_q8_0', shape: [2, 32], bytes: blocks })
  expect([0, 1, 31, 32, 33, 63].map((i) => access.at(i))).toEqual([1, 2, 0, 6, 8, 0])
  // Whichever block is asked for first.
  expect(numbersOf({ dtype: 'ggml_q8_0', shape: [64], bytes: blocks }).at(33)).toBe(8)
  blocks[2] = 9
  // The second block is held; the first is read again, and then held.
  expect([access.at(32), access.at(0)]).toEqual([6, 9])
  blocks[2] = 10
  expect(access.at(0)).toBe(9)
  const unknown = { dtype: 'ggml_q8_1', shape: [32], bytes: new Uint8Array(36) } as const
  refuses(() => numbersOf(unknown), "ggml_q8_1 can't be dequantized")
  refuses(() => numbersOf({ dtype: 'c64', shape: [1], bytes: new Uint8Array(8) }), 'c64 is complex')
})
