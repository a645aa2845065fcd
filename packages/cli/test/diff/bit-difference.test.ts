import type { DtypeName } from 'kiln-format'
import { expect, test } from 'vitest'
import { bitDifference } from '../../src/diff/bit-difference.js'
import { pairedChunks } from '../../src/diff/paired-chunks.js'

async function* cut(bytes: readonly number[], size: number): AsyncGenerator<Uint8Array> {
  const all = Uint8Array.from(bytes)
  for (let i = 0; i < all.length; i += size) yield all.subarray(i, i + size)
}

const differ = (dtype: DtypeName, one: readonly number[], other: readonly number[]): Promise<unknown> =>
  bitDifference(dtype, cut(one, 3), cut(other, 2), () => undefined)

test('elements are counted once each, however their bytes are cut', async () => {
  expect(await differ('f32', [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8])).toBeUndefined()
  expect(await differ('f32', [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 0, 0, 7, 0])).toEqual({ count: 1, first: 1 })
  expect(await differ('u8', [1, 2, 3], [0, 2, 0])).toEqual({ count: 2, first: 0 })
})

test('elements under a byte are told by their bits', async () => {
  expect(await differ('e2m1', [0x21, 0x43], [0x21, 0x53])).toEqual({ count: 1, first: 3 })
  expect(await differ('u1', [0b0000_0101], [0])).toEqual({ count: 2, first: 0 })
  // Four elements of 6 bits in three bytes: the third begins in the second byte and ends in the third.
  expect(await differ('e3m2', [0, 0x10, 0x01], [0, 0, 0])).toEqual({ count: 1, first: 2 })
})

test('of ggml\'s dtypes blocks are counted', async () => {
  const block = Array.from({ length: 36 }, () => 0)
  const other = block.slice()
  other[20] = 1
  other[30] = 1
  expect(await differ('ggml_q4_0', block, other)).toEqual({ count: 1, first: 1 })
})

test('pieces of two payloads come in step', async () => {
  const pairs: string[] = []
  for await (const [a, b] of pairedChunks(cut([1, 2, 3, 4, 5, 6, 7], 3), cut([1, 2, 3, 4, 5, 6, 7], 5))) pairs.push(`${a.join('')}=${b.join('')}`)
  expect(pairs).toEqual(['123=123', '45=45', '6=6', '7=7'])
})
