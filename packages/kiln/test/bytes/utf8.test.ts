import { describe, expect, test } from 'vitest'
import { decode, encode, k } from 'kiln-format'
import { checkUtf8, decodeUtf8, encodeUtf8, firstMalformed, writeUtf8 } from '../../src/bytes/utf8.js'
import { fault } from '../support/fault.js'
import { bytesOf, hexOf } from '../support/hex.js'
import { randomSource } from '../support/random.js'

// Malformed sequences, and where the malformed one begins in them.
const malformed: readonly [hex: string, at: number][] = [
  ['80', 0], ['bf', 0], ['c0 80', 0], ['c1 bf', 0], ['c7 46', 0], ['c3', 0], ['e2 82', 0], ['e0 80 80', 0], ['e0 9f bf', 0],
  ['ed a0 80', 0], ['ed bf bf', 0], ['f0 80 80 80', 0], ['f0 8f bf bf', 0], ['f4 90 80 80', 0], ['f5 80 80 80', 0],
  ['ff', 0], ['fe', 0], ['f0 9f 98', 0], ['f0 9f 41 80', 0], ['f0 9f 98 41', 0], ['e2 41 80', 0], ['41 42 80', 2],
  ['c3 a9 c3', 2], ['e2 82 ac e2 82', 3], ['f0 9f 98 80 ed a0 80', 4],
]

describe('reading', () => {
  test.each(malformed)('%s is UTF8, short and long', (hex, at) => {
    const bytes = bytesOf(hex)
    for (const before of [0, 1, 27, 31, 32, 33, 100, 5000]) {
      const text = new Uint8Array(before + bytes.length).fill(0x61)
      text.set(bytes, before)
      for (const unstable of [false, true]) {
        const error = fault(() => decodeUtf8(text, 0, text.length, unstable))
        expect([error.code, error.offset]).toEqual(['UTF8', before + at])
      }
      expect(fault(() => checkUtf8(text, 0, text.length)).offset).toBe(before + at)
      expect(firstMalformed(text, 0, text.length)).toBe(before + at)
    }
  })

  test('boundaries of each length are read as they are', () => {
    for (const point of [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x10ffff]) {
      const text = String.fromCodePoint(point)
      for (const around of ['', 'abc', 'x'.repeat(40)]) {
        const bytes = new TextEncoder().encode(around + text + around)
        expect(decodeUtf8(bytes, 0, bytes.length, false)).toBe(around + text + around)
        expect(firstMalformed(bytes, 0, bytes.length)).toBe(bytes.length)
      }
    }
  })

  test('U+FEFF is kept wherever it stands', () => {
    for (const text of ['\ufeff', '\ufeffab', 'a\ufeff', `\ufeff${'a'.repeat(100)}`]) {
      expect(decode(k.string, encode(k.string, text))).toBe(text)
    }
  })

  test('the walk over bytes and the platform agree on random bytes', () => {
    const next = randomSource(7)
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const leads = [0x41, 0x80, 0xbf, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0x9f, 0xa0, 0x8f, 0x90]
    for (let i = 0; i < 20_000; i++) {
      const bytes = Uint8Array.from({ length: next() % 9 }, () => leads[next() % leads.length]!)
      let expected: string | undefined
      try {
        expected = strict.decode(bytes)
      } catch {
        expected = undefined
      }
      expect(firstMalformed(bytes, 0, bytes.length) === bytes.length).toBe(expected !== undefined)
      if (expected !== undefined) expect(decodeUtf8(bytes, 0, bytes.length, false)).toBe(expected)
    }
  })
})

describe('writing', () => {
  test.each(['hi \ud83d', '\ude00', 'a\ud83d\ud83d\ude00', `${'x'.repeat(100)}\ud83d`, `${'x'.repeat(10_000)}\udc00`])(
    'a lone surrogate is UTF8, on short and long ways',
    (text) => {
      const at = text.search(/\p{Surrogate}/u)
      const detail = `the string has a lone surrogate at index ${at}; repair it with toWellFormed() if that is meant`
      expect(fault(() => encodeUtf8(text))).toMatchObject({ code: 'UTF8', detail })
      expect(fault(() => writeUtf8(text, new Uint8Array(text.length * 3), 0))).toMatchObject({ code: 'UTF8', detail })
      expect(fault(() => encode(k.struct({ s: k.string }), { s: text }))).toMatchObject({ code: 'UTF8', path: 's' })
    },
  )

  test('a host without isWellFormed finds them too', () => {
    const prototype = String.prototype as { isWellFormed?: unknown }
    const own = prototype.isWellFormed
    delete prototype.isWellFormed
    try {
      expect(fault(() => encodeUtf8('a\ud800')).code).toBe('UTF8')
      expect(hexOf(encodeUtf8('a😀'))).toBe('61f09f9880')
    } finally {
      if (own !== undefined) Object.defineProperty(prototype, 'isWellFormed', { value: own, writable: true, configurable: true })
    }
  })

  test('at an offset, and nothing beside it', () => {
    for (const buffer of [new ArrayBuffer(40)]) {
      const target = new Uint8Array(buffer).fill(0xee)
      expect(writeUtf8('héé', target, 3)).toBe(5)
      expect(hexOf(target.slice(0, 10))).toBe('eeeeee68c3a9c3a9eeee')
      expect(writeUtf8('abc', target, 10)).toBe(3)
      expect(hexOf(target.slice(9, 14))).toBe('ee616263ee')
    }
  })

  test('large texts go both ways', () => {
    const text = 'é'.repeat(300_000)
    const bytes = encode(k.string, text)
    expect(bytes.length).toBe(600_004)
    expect(decode(k.string, bytes)).toBe(text)
  })
})

describe('strings that were met before', () => {
  const list = k.list(k.string)
  test('are the text of their own bytes, whatever shares a slot or a front with them', () => {
    const next = randomSource(11)
    const points = [0x00, 0x61, 0x62, 0x7f, 0xe9, 0x20ac, 0x1f600]
    for (let round = 0; round < 300; round++) {
      const texts = Array.from({ length: 40 }, () =>
        Array.from({ length: next() % 20 }, () => String.fromCodePoint(points[next() % points.length]!)).join(''))
      expect(decode(list, encode(list, [...texts, ...texts]))).toEqual([...texts, ...texts])
    }
  })

  test('differ by length alone, or by their last byte', () => {
    const texts = Array.from({ length: 20 }, (_, n) => '\0'.repeat(n)).concat(Array.from({ length: 18 }, (_, n) => `${'a'.repeat(n)}b`))
    for (let round = 0; round < 3; round++) expect(decode(list, encode(list, texts))).toEqual(texts)
  })

  test('that are not UTF-8 are refused again and again', () => {
    for (const length of [1, 3, 4, 5, 8, 9, 12, 13, 16, 17]) {
      const bytes = new Uint8Array(4 + length + 40)
      bytes[0] = length
      bytes.fill(0x61, 4)
      bytes[3 + length] = 0xff
      for (let round = 0; round < 2; round++) {
        expect(fault(() => decode(k.struct({ s: k.string, rest: k.list(k.u8) }), bytes))).toMatchObject({ code: 'UTF8', offset: 3 + length })
      }
    }
  })
})
