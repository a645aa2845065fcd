import { expect, test } from 'vitest'
import { dtypes } from 'kiln-format'
import { dequantizeBlocks, dequantizesGgml } from '../../../src/numeric/ggml/dequantize-blocks.js'
import { fault } from '../../support/fault.js'

const KNOWN = dtypes.filter(({ name }) => dequantizesGgml(name))

test.each(KNOWN)('$name: a block fills its own elements, and no more', ({ name, blockElements, blockBits }) => {
  const blockBytes = blockBits / 8
  // Scales and numbers of any size, but no f16 that is infinite or NaN.
  const bytes = Uint8Array.from({ length: 3 * blockBytes }, (_, i) => (i * 37 + 11) % 0x7b)
  const untouched = 12_345.5
  const target = new Float32Array(3 * blockElements).fill(untouched)
  dequantizeBlocks(name, bytes, 1, target)
  expect(target.subarray(0, blockElements)).not.toContain(untouched)
  expect(new Set(target.subarray(blockElements))).toEqual(new Set([untouched]))
  // The second block lies right behind the first, in bytes and in numbers.
  const second = new Float32Array(blockElements)
  dequantizeBlocks(name, bytes.subarray(blockBytes), 1, second)
  dequantizeBlocks(name, bytes, 2, target)
  expect(target.subarray(blockElements, 2 * blockElements)).toEqual(second)
  expect(new Set(target.subarray(2 * blockElements))).toEqual(new Set([untouched]))
})

test('blocks that no reader is known of are refused', () => {
  const untouched = new Float32Array(32)
  expect(fault(() => dequantizeBlocks('ggml_q8_1', new Uint8Array(36), 1, untouched))).toMatchObject({ code: 'TYPE' })
  expect(fault(() => dequantizeBlocks('f16', new Uint8Array(36), 1, untouched))).toMatchObject({ code: 'TYPE' })
})
