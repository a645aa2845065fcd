import { expect, test } from 'vitest'
import { rangeChunks } from '../../src/payload/range-chunks.js'
import { codeOf } from '../support/fault.js'
import { source } from '../support/source.js'

const bytes = new Uint8Array(5 * 2 ** 20 + 3).map((_, i) => i % 251)

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) {
    expect(piece.length).toBeGreaterThan(0)
    expect(piece.length).toBeLessThanOrEqual(2 ** 20)
    parts.push(piece.slice())
  }
  return Buffer.concat(parts)
}

test.each([undefined, 1, 3 * 2 ** 20, 2 ** 30])('a range of a source with a read size of %s comes in pieces', async (readSize) => {
  const file = { ...source(bytes), readSize }
  expect(Buffer.compare(await joined(rangeChunks(file, 2, bytes.length - 3)), bytes.subarray(2, -1))).toBe(0)
  const step = Math.max(2 ** 20, readSize ?? 0)
  expect(file.ranges.length).toBe(Math.ceil((bytes.length - 3) / step))
})

test('no bytes are read for an empty range', async () => {
  const file = source(bytes)
  expect((await joined(rangeChunks(file, 5, 0))).length).toBe(0)
  expect(file.ranges).toEqual([])
})

test.each([0, 3, 11])('a source that gives %i bytes for 10 is EOF, and nothing goes round for ever', async (length) => {
  const file = { size: 10, label: 'odd', read: () => Promise.resolve(new Uint8Array(length)) }
  expect(await codeOf(joined(rangeChunks(file, 0, 10)))).toBe('EOF')
})
