import { expect, test } from 'vitest'
import { encodeDirectory, readDirectory, tensor } from 'kiln-format'
import { mergeRanges } from '../../src/lazy/merge.js'

test('an empty payload at the place of another does not cut its range short, whichever was asked for first', () => {
  const directory = readDirectory(encodeDirectory([tensor('none', 'u8', [0], []), tensor('ten', 'u8', [10], new Uint8Array(10))]))
  const [none, ten] = [directory.get('none'), directory.get('ten')]
  expect(ten.byteOffset).toBe(none.byteOffset)
  for (const asked of [[none, ten], [ten, none]]) {
    expect(mergeRanges(asked, 0, 100)).toEqual([{ offset: ten.byteOffset, length: 10, tensors: [none, ten] }])
  }
})
