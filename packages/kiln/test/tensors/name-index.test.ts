import { describe, expect, test, vi } from 'vitest'
import type { NamePlaces } from '../../src/tensors/name-index.js'

// The module draws its seed when it is loaded. Loaded apart from the library's own with a seed of 0, it has hashes
// that are known, and names can be made that collide.
const random = vi.spyOn(Math, 'random').mockReturnValue(0)
const apart = '../../src/tensors/name-index.ts?seed=0'
const { NameIndex } = (await import(apart)) as typeof import('../../src/tensors/name-index.js')
random.mockRestore()

const utf8 = (name: string): Uint8Array => new TextEncoder().encode(name)

function placesOf(names: readonly (string | Uint8Array)[]): NamePlaces {
  const parts = names.map((name) => (typeof name === 'string' ? utf8(name) : name))
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
  const starts: number[] = []
  let end = 0
  for (const { length } of parts) {
    starts.push(end)
    end += length
  }
  return {
    bytes,
    view: new DataView(bytes.buffer),
    nameStart: (index) => starts[index]!,
    nameLength: (index) => parts[index]!.length,
  }
}

/** An index of some names, and what `add` said of each. */
function indexOf(names: readonly (string | Uint8Array)[], index = new NameIndex()) {
  const places = placesOf(names)
  index.reset(names.length)
  const said = names.map((name, i) => (name.length > 0 ? index.add(places, i, places.nameStart(i), places.nameLength(i)) : 'none'))
  return { index, said, find: (name: string) => index.find(places, names.length, name) }
}

/** What an index keeps: what is found shows neither its size nor its way. */
const inside = (index: object) =>
  index as { readonly slots: Int32Array; readonly hashes: Int32Array; readonly mask: number; readonly hashed: boolean; readonly strings: Map<string, number> | undefined }

const step = (hash: number, word: number): number => {
  const next = Math.imul(hash ^ word, 0x9e3779b1)
  return next ^ (next >>> 16)
}

/** The hash of a name for the seed 0, a second time: bytes of a name below four, else words, of which the last ends the name. */
function hashOf(name: string): number {
  const bytes = utf8(name)
  const wordAt = (i: number) => bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
  const words = bytes.length < 4 ? [...bytes] : []
  for (let i = 0; bytes.length >= 4 && i + 4 < bytes.length; i += 4) words.push(wordAt(i))
  if (bytes.length >= 4) words.push(wordAt(bytes.length - 4))
  const hash = words.reduce(step, bytes.length)
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return once ^ (once >>> 13)
}

const letters = (word: number): string => String.fromCharCode(word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24)
const isPlain = (word: number): boolean => /^[!-~]{4}$/.test(letters(word))
const wordOf = (text: string): number => [...text].reduceRight((word, unit) => (word << 8) | unit.charCodeAt(0), 0)

/** Names of 8 bytes with one hash: the second word takes back what the first did. */
function colliding(count: number): string[] {
  const names: string[] = []
  for (let i = 0; names.length < count; i++) {
    const first = wordOf(`a${String(i).padStart(3, '0')}`.slice(-4))
    const second = step(8, first) ^ 0x12345678
    if (isPlain(first) && isPlain(second)) names.push(letters(first) + letters(second))
  }
  return names
}

const same = colliding(40)
const plain = (count: number, prefix = 'tensor.'): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

describe('hashes', () => {
  test('of names of every length, are those that are worked out here', () => {
    const names = [...plain(8, ''), 'ab', 'abc', 'abcd', 'abcde', 'abcdefg', 'abcdefgh', 'abcdefghi', 'xbcdefghi', 'é', '名', '😀', 'naïve', '名前です', 'w'.repeat(600)]
    const { index, said } = indexOf(names)
    expect(said).toEqual(names.map(() => 'added'))
    expect([...inside(index).hashes]).toEqual(names.map(hashOf))
    expect(new Set(names.map(hashOf)).size).toBe(names.length)
  })
  test('of two names are known', () => {
    expect([hashOf('a'), hashOf('layers.0.weight')]).toEqual([-1_871_662_497, 1_150_747_076])
  })
})

describe('room', () => {
  test.each([
    [17, 64],
    [32, 64],
    [33, 128],
    [64, 128],
    [65, 256],
    [1000, 2048],
  ])('%d names have a table of %d slots', (count, slots) => {
    const { slots: table, mask, hashes, hashed } = inside(indexOf(plain(count)).index)
    expect([table.length, mask, hashes.length, hashed]).toEqual([slots, slots - 1, count, true])
    expect([...table].filter((entry) => entry !== 0).toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i + 1))
  })
  test('16 names have none', () => {
    const { index, said, find } = indexOf(plain(16))
    const { slots, hashes, hashed, strings } = inside(index)
    expect([slots.length, hashes.length, hashed, strings]).toEqual([0, 0, false, undefined])
    expect(said).toEqual(plain(16).map(() => 'added'))
    expect([find('tensor.0'), find('tensor.15'), find('tensor.16'), find('tensor.'), find('')]).toEqual([0, 15, -1, -1, -1])
  })
  test('an index that has had more keeps its storage, emptied', () => {
    const { index } = indexOf(plain(100))
    const { slots, hashes } = inside(index)
    const { said, find } = indexOf(plain(30, 'tensor.1'), index)
    expect(said).toEqual(plain(30).map(() => 'added'))
    expect([inside(index).slots === slots, inside(index).hashes === hashes, inside(index).mask]).toEqual([true, true, 63])
    expect([find('tensor.10'), find('tensor.129'), find('tensor.99'), find('tensor.0')]).toEqual([0, 29, -1, -1])
    indexOf(plain(100), index)
    expect([inside(index).slots === slots, inside(index).hashes === hashes]).toEqual([true, true])
  })
  test('a new index finds nothing', () => {
    const index = new NameIndex()
    expect(index.find(placesOf([]), 0, 'a')).toBe(-1)
  })
})

describe.each([
  ['few', plain(5)],
  ['many', plain(40)],
])('%s names', (_, others) => {
  test('one that stood before is twice, one that is no UTF-8 is malformed', () => {
    expect(indexOf([...others, 'tensor.3']).said.at(-1)).toBe('twice')
    for (const bad of [[0xff], [65, 66, 0xc3], [65, 66, 67, 0x80], [65, 66, 67, 68, 0x80], [0x80, 66, 67, 68, 69], [65, 66, 67, 68, 69, 0xff, 71, 72, 73, 74]]) {
      expect(indexOf([...others, Uint8Array.from(bad)]).said.at(-1)).toBe('malformed')
    }
    expect(indexOf([...others, 'tensor.é', 'tensor.名']).said.slice(-2)).toEqual(['added', 'added'])
  })
  test('of none, some and many bytes, ASCII or not, are found and no other is', () => {
    const names = [...others, '', 'a', 'ab', 'abc', 'abcd', 'abcde', 'é', '名前', '😀', 'w'.repeat(170), 'w'.repeat(171), '名'.repeat(171), 'é'.repeat(600)]
    const { find } = indexOf(names)
    names.forEach((name, i) => expect(find(name)).toBe(name === '' ? -1 : i))
    for (const name of ['b', 'abd', 'abcf', 'abcdf', 'è', '名', 'w'.repeat(169), 'w'.repeat(172), '名'.repeat(170), 'é'.repeat(601), '\ud800', 'a\udc00', 'x'.repeat(200) + '\ud800']) {
      expect(find(name)).toBe(-1)
    }
  })
})

describe('names of one hash', () => {
  test('have one', () => {
    expect(new Set(same).size).toBe(40)
    expect(new Set(same.map(hashOf)).size).toBe(1)
  })
  test('32 lie one behind the other, and a 33rd that is asked for is not there', () => {
    const { index, said, find } = indexOf(same.slice(0, 32))
    expect(said).toEqual(same.slice(0, 32).map(() => 'added'))
    const { slots, mask, strings } = inside(index)
    const first = hashOf(same[0]!) & mask
    expect(Array.from({ length: 32 }, (_, i) => slots[(first + i) & mask])).toEqual(Array.from({ length: 32 }, (_, i) => i + 1))
    expect(strings).toBe(undefined)
    expect(same.map(find)).toEqual(same.map((_, i) => (i < 32 ? i : -1)))
    expect(indexOf([...same.slice(0, 31), same[7]!]).said.at(-1)).toBe('twice')
  })
  test('a 33rd sends all names into a Map', () => {
    expect([...inside(indexOf(same.slice(0, 33)).index).strings!]).toEqual(same.slice(0, 33).map((name, i) => [name, i]))
    const names = ['名前', '', ...same, 'after', '😀']
    const { index, said, find } = indexOf(names)
    expect(said).toEqual(names.map((name) => (name === '' ? 'none' : 'added')))
    expect([...inside(index).strings!]).toEqual(names.map((name, i) => [name, i]).filter(([name]) => name !== ''))
    names.forEach((name, i) => expect(find(name)).toBe(name === '' ? -1 : i))
    expect([find('before'), find('\ud800')]).toEqual([-1, -1])
    expect(indexOf([...names, 'after'], index).said.at(-1)).toBe('twice')
    expect(indexOf([...names, same[32]!], index).said.at(-1)).toBe('twice')
    expect(indexOf([...names, same[3]!], index).said.at(-1)).toBe('twice')
    expect(indexOf([...names, Uint8Array.of(65, 0xff)], index).said.at(-1)).toBe('malformed')
  })
  test('a Map is gone with its directory', () => {
    const { index } = indexOf(same)
    const { find } = indexOf(plain(40), index)
    expect([inside(index).strings, find('tensor.39'), find(same[0]!)]).toEqual([undefined, 39, -1])
  })
  test('a name and a longer one that it begins, with the bytes of the rest behind it', () => {
    let word = 0
    let rest = 0
    for (let i = 0; !isPlain(rest); i++) {
      word = wordOf(`b${String(i).padStart(3, '0')}`.slice(-4))
      rest = 4 ^ word ^ step(8, word)
    }
    const longer = letters(word) + letters(rest)
    expect(hashOf(longer)).toBe(hashOf(letters(word)))
    const { said, find } = indexOf([letters(word), letters(rest), ...plain(20)])
    expect(said.slice(0, 2)).toEqual(['added', 'added'])
    expect([find(letters(word)), find(letters(rest)), find(longer)]).toEqual([0, 1, -1])
  })
})
