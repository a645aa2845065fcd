import { expect, test } from 'vitest'

// Loaded apart from the library's own: nothing has been read through it yet.
const apart = '../../src/bytes/text-cache.ts?empty'
const { cachedText } = (await import(apart)) as typeof import('../../src/bytes/text-cache.js')

const LONGEST = 16

function read(text: string, behind = '\u007f'.repeat(LONGEST)): string {
  const bytes = new TextEncoder().encode(`<${text}${behind}`)
  return cachedText(bytes, new DataView(bytes.buffer), 1, 1 + new TextEncoder().encode(text).length)
}

const wordsOf = (text: string): number[] =>
  [0, 4, 8, 12].map((at) => [3, 2, 1, 0].reduce((word, i) => (word << 8) | (at + i < text.length ? text.charCodeAt(at + i) : 0), 0))

/** The slot of an ASCII text, a second time. */
function slotOf(text: string): number {
  const factors = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f]
  const hash = wordsOf(text).reduce((sum, word, i) => sum ^ Math.imul(word, factors[i]!), text.length)
  return (hash ^ (hash >>> 15)) & 4095
}

const counted = (i: number): string => String(i).padStart(4, '0')
const BASE = ['abcd', 'efgh', 'ijkl', 'mnop']

/** `BASE` with another word at a place. */
const withWord = (place: number, word: string, length: number): string => BASE.map((own, i) => (i === place ? word : own)).join('').slice(0, length)

/** Two texts of one slot that differ in one word alone. */
function pairOf(place: number, length: number): [string, string] {
  const known = new Map<number, string>()
  for (let i = 0; i < 10_000; i++) {
    const text = withWord(place, counted(i), length)
    const other = known.get(slotOf(text))
    if (other !== undefined) return [other, text]
    known.set(slotOf(text), text)
  }
  throw new Error('no two texts share a slot')
}

test('zeros of every length, before anything else is known', () => {
  for (let length = 0; length <= LONGEST + 1; length++) expect(read('\0'.repeat(length))).toBe('\0'.repeat(length))
})

test.each([[0, 4], [0, 16], [1, 8], [1, 12], [1, 16], [2, 12], [2, 16], [3, 16]])('texts of one slot that differ in word %d of %d bytes', (place, length) => {
  const [first, second] = pairOf(place, length)
  expect([first !== second, slotOf(first)]).toEqual([true, slotOf(second)])
  for (const text of [first, second, second, first, first]) expect(read(text)).toBe(text)
})

test.each([
  // Where the word lies that tells the two, and where the slot before has the same word.
  [1, 3, 8], [2, 2, 12], [3, 1, 16], [1, 1, 8], [3, 3, 16], [2, 3, 12],
])('word %d of a text stands as word %d in the slot before', (place, before, length) => {
  const [first, second] = pairOf(place, length)
  const word = second.slice(place * 4, place * 4 + 4)
  const slot = (slotOf(second) + 4095) & 4095
  let neighbour = ''
  for (let i = 0; neighbour === ''; i++) {
    const text = ['zyxw', 'vuts', 'rqpo', 'nmlk'].map((own, at) => (at === before ? word : at === 0 ? `${String.fromCharCode(33 + (i >>> 14))}${counted(i).slice(-3)}` : own)).join('')
    const moved = text.slice(0, 4) + text.slice(4).replace('vuts', `v${String.fromCharCode(33 + (i % 90))}ts`).replace('rqpo', `r${String.fromCharCode(33 + (Math.floor(i / 90) % 90))}po`)
    if (slotOf(moved) === slot) neighbour = moved
  }
  for (const text of [neighbour, first, second, first, neighbour]) expect(read(text)).toBe(text)
})

test('texts of every length, with whatever behind them', () => {
  const text = 'abcdefghijklmnopq'
  for (let length = 1; length <= 17; length++) {
    for (const behind of ['\0', '\u007f', 'z']) expect(read(text.slice(0, length), behind.repeat(LONGEST))).toBe(text.slice(0, length))
    expect(read(text.slice(0, length), 'é'.repeat(8))).toBe(text.slice(0, length))
    expect(read(text.slice(0, length), '')).toBe(text.slice(0, length))
  }
  for (const wide of ['é', 'aé', 'abc名', 'abcdefgé', 'abcdefghi名', '😀😀😀😀', 'abcdefghijklé']) for (let i = 0; i < 2; i++) expect(read(wide)).toBe(wide)
})
