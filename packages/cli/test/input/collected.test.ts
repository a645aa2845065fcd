import { isKilnError } from 'kiln-format'
import { expect, test } from 'vitest'
import { collected } from '../../src/input/collected.js'

async function* pieces(...lengths: number[]): AsyncGenerator<Uint8Array> {
  for (const [i, length] of lengths.entries()) yield new Uint8Array(length).fill(i + 1)
}

test('what comes through a pipe is put in a row', async () => {
  expect([...(await collected(pieces(2, 0, 1)))]).toEqual([1, 1, 3])
  expect((await collected(pieces())).length).toBe(0)
  expect((await collected(pieces(2, 2), 4)).length).toBe(4)
})

test('a pipe without an end is left as soon as it has given more than can be held', async () => {
  let given = 0
  let left = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        given += 1000
        yield new Uint8Array(1000)
      }
    } finally {
      left = true
    }
  }
  const error: unknown = await collected(endless(), 2500).catch((caught: unknown) => caught)
  expect(isKilnError(error) && [error.code, error.detail]).toEqual([
    'LIMIT', 'over 2.4 KiB come through the pipe, more than is held in memory; save them to a file and name that',
  ])
  expect([given, left]).toEqual([3000, true])
})
