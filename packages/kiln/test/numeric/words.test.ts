import { expect, test } from 'vitest'
import { eachWords, reverseWords, type WordArrayType } from '../../src/numeric/words.js'

/** What `visit` is called with: the first word's index, how many there are, and the words at both ends. */
function visits<A extends ArrayLike<number>>(
  type: WordArrayType<A>, bytes: Uint8Array, count: number, hostIsLittleEndian?: boolean,
): number[][] {
  const seen: number[][] = []
  eachWords(type, bytes, count, (words, first, length) => {
    expect(words.length).toBe(length)
    seen.push([first, length, words[0]!, words[length - 1]!])
  }, hostIsLittleEndian)
  return seen
}

/** Words of two bytes, each its own index, at an odd place. */
function oddPlaced(count: number): Uint8Array {
  const bytes = new Uint8Array(2 * count + 1)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) view.setUint16(1 + 2 * i, i, true)
  return bytes.subarray(1)
}

test('no words are not shown', () => {
  expect(visits(Uint16Array, new Uint8Array(0), 0)).toEqual([])
  expect(visits(Uint16Array, new Uint8Array(3).subarray(1), 0)).toEqual([])
})

test('words that lie well are shown in place, all at once', () => {
  const memory = new Uint8Array(200_008)
  const bytes = memory.subarray(8)
  let places: unknown
  eachWords(Uint32Array, bytes, 50_000, (words, first, length) => {
    places = [words.buffer === memory.buffer, words.byteOffset, first, length]
  })
  expect(places).toEqual([true, 8, 0, 50_000])
  eachWords(Float64Array, memory.subarray(16), 1, (words) => {
    places = [words.buffer === memory.buffer, words.byteOffset]
  })
  expect(places).toEqual([true, 16])
})

test('words that lie at an odd place are shown in pieces of 64 KiB', () => {
  expect(visits(Uint16Array, oddPlaced(3), 3)).toEqual([[0, 3, 0, 2]])
  expect(visits(Uint16Array, oddPlaced(3), 2)).toEqual([[0, 2, 0, 1]])
  expect(visits(Uint16Array, oddPlaced(32_768), 32_768)).toEqual([[0, 32_768, 0, 32_767]])
  expect(visits(Uint16Array, oddPlaced(40_000), 40_000)).toEqual([
    [0, 32_768, 0, 32_767], [32_768, 7_232, 32_768, 39_999],
  ])
  // Four bytes are two of these words: 2i and 2i + 1.
  const word = (i: number) => 2 * i + (2 * i + 1) * 65_536
  expect(visits(Uint32Array, oddPlaced(32_772), 16_386)).toEqual([
    [0, 16_384, word(0), word(16_383)], [16_384, 2, word(16_384), word(16_385)],
  ])
  // A word that lies at a multiple of 2 lies odd for words of 4.
  const bytes = new Uint8Array([0, 0, 1, 0, 0, 0])
  expect(visits(Uint32Array, bytes.subarray(2), 1)).toEqual([[0, 1, 1, 1]])
})

test("a piece is no larger than what it is for", () => {
  let held = 0
  eachWords(Uint16Array, oddPlaced(3), 3, (words) => (held = words.buffer.byteLength))
  expect(held).toBe(6)
  eachWords(Uint16Array, oddPlaced(40_000), 40_000, (words) => (held = words.buffer.byteLength))
  expect(held).toBe(65_536)
})

test('on a host of the other order every word is turned round, well placed or not', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
  expect(visits(Uint16Array, bytes, 4, false)).toEqual([[0, 4, 0x0102, 0x0708]])
  expect(visits(Uint32Array, bytes, 2, false)).toEqual([[0, 2, 0x01020304, 0x05060708]])
  expect(visits(Uint32Array, bytes.subarray(1), 1, false)).toEqual([[0, 1, 0x02030405, 0x02030405]])
  expect([...bytes]).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('bytes of the first words are turned round in place', () => {
  const turned = (width: number, count: number) => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
    reverseWords(bytes, width, count)
    return [...bytes]
  }
  expect(turned(2, 3)).toEqual([2, 1, 4, 3, 6, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
  expect(turned(4, 2)).toEqual([4, 3, 2, 1, 8, 7, 6, 5, 9, 10, 11, 12, 13, 14, 15, 16])
  expect(turned(8, 1)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 9, 10, 11, 12, 13, 14, 15, 16])
  expect(turned(8, 2)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 16, 15, 14, 13, 12, 11, 10, 9])
  expect(turned(4, 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
})
