import { fromKiln, lossesOf, type KilnTensor } from 'kiln-convert'
import { expect, test } from 'vitest'
import { hex } from '../support/bytes.js'
import { memoryTensor } from '../support/memory.js'
import { contents } from '../support/model.js'

const none = { axis: undefined, groupSize: 0, scale: undefined, outer: undefined }
const outer: KilnTensor = { ...memoryTensor('', 'f32', [1], hex('0000803f')), ...none, index: 2 }
const scale: KilnTensor = { ...memoryTensor('s', 'e8m0', [1], hex('7f')), ...none, index: 1 }
const data: KilnTensor = { ...memoryTensor('w', 'e2m1', [2], hex('12')), index: 0, axis: 0, groupSize: 32, scale, outer }

test('tensors of a directory keep their bits, and their links by name or by place', async () => {
  const tensors = fromKiln([data, scale, outer])
  expect(await contents({ tensors })).toEqual([['w', 'e2m1', [2], '12'], ['s', 'e8m0', [1], '7f'], ['', 'f32', [1], '0000803f']])
  expect(tensors.map((tensor) => [tensor.scale, tensor.outer, tensor.axis, tensor.groupSize])).toEqual([
    ['s', 2, 0, 32], [undefined, undefined, undefined, undefined], [undefined, undefined, undefined, undefined],
  ])
  expect(lossesOf({ tensors }, 'safetensors').map(({ name }) => name)).toEqual(['w'])
})
