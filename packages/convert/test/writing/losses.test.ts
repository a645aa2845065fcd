import { lossesOf } from 'kiln-convert'
import { expect, test } from 'vitest'
import { hex } from '../support/bytes.js'
import { memoryTensor } from '../support/memory.js'

const scales = memoryTensor('s', 'e8m0', [1], hex('7f'))
const outer = memoryTensor('o', 'f32', [1], hex('0000803f'))
const data = { ...memoryTensor('w', 'e2m1', [32], new Uint8Array(16)), scale: 's', outer: 2, axis: 0, groupSize: 32 }
const model = { tensors: [data, scales, outer], metadata: new Map([['k', 'v']]) }

test('links to scales are named for every format, strings and names for those without', () => {
  const link = (format: string) => ({
    name: 'w',
    reason: `its link to the scales in "s" and "o" (axis 0, groups of 32), which ${format} has no place for; the bits are kept`,
  })
  expect(lossesOf(model, 'safetensors')).toEqual([link('safetensors')])
  expect(lossesOf(model, 'gguf')).toEqual([link('GGUF')])
  expect(lossesOf(model, 'npz')).toEqual([link('NPZ'), { name: 'k', reason: 'a string of the metadata, which NPZ has no place for' }])
  expect(lossesOf({ tensors: [outer] }, 'npy')).toEqual([{ name: 'o', reason: 'its name, which NPY has no place for' }])
  expect(lossesOf({ tensors: [memoryTensor('', 'f32', [0], hex(''))] }, 'npy')).toEqual([])
})
