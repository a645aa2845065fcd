import { beforeEach, expect, test } from 'vitest'

// Loaded apart from the library's own, and anew for each test: nothing has been read through it yet.
let loads = 0
let { cachedText } = {} as typeof import('../../src/bytes/text-cache.js')
beforeEach(async () => {
  const apart = `../../src/bytes/text-cache.ts?empty${++loads}`
  ;({ cachedText } = (await import(apart)) as typeof import('../../src/bytes/text-cache.js'))
})

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

type Words = readonly [number, number, number, number]

const textOf = (words: Words): string => String.fromCharCode(...words.flatMap((word) => [word & 127, (word >>> 8) & 127, (word >>> 16) & 127, word >>> 24]))

/** Some four characters, others for each number. */
const some = (i: number): number => 0x30303030 + (i & 63) + (((i >>> 6) & 63) << 8) + (((i >>> 12) & 63) << 16)
const [A, B, C, D] = [0x61626364, 0x65666768, 0x696a6b6c, 0x6d6e6f70]

function found(slot: number, make: (i: number) => Words): string {
  for (let i = 0; i < 200_000; i++) if (slotOf(textOf(make(i))) === slot) return textOf(make(i))
  throw new Error(`no text has the slot ${slot}`)
}

/** Words of two texts that share a slot which is wanted. */
function twins(wanted: (slot: number) => boolean, make: (i: number) => Words): [Words, Words] {
  const known = new Map<number, Words>()
  for (let i = 0; i < 200_000; i++) {
    const slot = slotOf(textOf(make(i)))
    const other = known.get(slot)
    if (other !== undefined && wanted(slot)) return [other, make(i)]
    known.set(slot, make(i))
  }
  throw new Error('no two texts share such a slot')
}

test.each<[string, (i: number) => Words, number, (word: Words) => (i: number) => Words]>([
  // What a neighbour writes over a word of the first text makes it look like the second.
  ['the fourth, which is another’s second', (i) => [A, 0, C, some(i)], 1, ([, , , word]) => (i) => [some(i), word, C, D]],
  ['the third, which is another’s third', (i) => [A, B, some(i), D], 1, ([, , word]) => (i) => [some(i), B, word, D]],
  ['the second, which is another’s fourth', (i) => [A, some(i), C, 0], 1, ([, word]) => (i) => [some(i), B, C, word]],
  ['three, which are another’s last', (i) => [some(i), some(i + 1), some(i + 2), D], -4, ([a, b, c]) => (i) => [some(i), a, b, c]],
])('no word of a slot is touched from the next ones: %s', (_, make, away, neighbour) => {
  const [first, second] = twins((slot) => slot % 4 === 0 && slot >= 8 && slot < 4088, make)
  const near = found(slotOf(textOf(second)) + away, neighbour(second))
  for (const text of [textOf(first), near, textOf(second), textOf(first)]) expect(read(text)).toBe(text)
})

test('an empty text is empty, whatever has its slot', () => {
  const text = found(0, (i) => [some(i), B, C, D])
  for (const each of [text, '', text, '']) expect(read(each)).toBe(each)
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
