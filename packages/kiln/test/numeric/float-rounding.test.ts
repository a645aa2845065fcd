import { expect, test } from 'vitest'
import { floatFormatOf, type FloatFormat } from '../../src/numeric/float-formats.js'
import { codeTable, encodeBf16, encodeByTable, encodeFloats, oddF32 } from '../../src/numeric/float-rounding.js'
import type { NanPolicy, NarrowMode } from '../../src/numeric/rounding.js'
import { refuses } from './refuses.js'
import { codeBits, definitions, ladder, slowCode } from './slow-codes.js'

const DTYPES = Object.keys(definitions).filter((dtype) => dtype !== 'f32')
const MODES = ['saturate', 'overflow'] as const

const numberOfWord = (word: number): number => new Float32Array(Uint32Array.of(word).buffer)[0]!
const wordOf = (number: number): number => new Uint32Array(Float32Array.of(number).buffer)[0]!

/** A format under another name, of which no table has been made yet. */
let made = 0
function anew(dtype: string): FloatFormat {
  return { ...floatFormatOf(dtype)!, name: `${dtype} ${++made}` as never }
}

test('an f64 that f32 does not hold takes the neighbour whose last bit is 1', () => {
  const values: [number, number][] = [
    [1, 0x3f800000], [1 + 2 ** -30, 0x3f800001], [1 - 2 ** -30, 0x3f7fffff], [-1 - 2 ** -30, 0xbf800001],
    [-1 + 2 ** -30, 0xbf7fffff], [1 + 2 ** -23 + 2 ** -40, 0x3f800001], [1 + 2 ** -23 - 2 ** -40, 0x3f800001],
    [1e300, 0x7f7fffff], [-1e300, 0xff7fffff], [Infinity, 0x7f800000], [-Infinity, 0xff800000],
    [1e-300, 0x00000001], [-1e-300, 0x80000001], [0, 0], [-0, 0x80000000], [NaN, wordOf(NaN)],
  ]
  const doubles = Float64Array.from(values, ([value]) => value)
  const singles = new Float32Array(values.length + 2)
  const words = oddF32(doubles, singles.subarray(1))
  expect([words.buffer === singles.buffer, words.byteOffset, words.length]).toEqual([true, 4, values.length + 1])
  expect([...words]).toEqual([...values.map(([, word]) => word), 0])
})

/** Words of every exponent, with mantissas at the ends, in the middle, and where few bits are kept. */
function everyExponent(sign: number): Uint32Array {
  const middles = [2 ** 22 - 1, 2 ** 22, 2 ** 22 + 1, 3 * 2 ** 21, 3 * 2 ** 20, 5 * 2 ** 20, 15 * 2 ** 19]
  const mantissas = [0, 1, ...middles, 2 ** 23 - 1]
  const words: number[] = []
  for (let field = 0; field < 255; field++) words.push(...mantissas.map((low) => field * 2 ** 23 + low + sign))
  words.push(sign + 0x7f800000, sign + 0x7f800001, sign + 0x7fffffff)
  return Uint32Array.from(words)
}

test.each(DTYPES)('%s for every exponent of f32, by tables made anew', (dtype) => {
  const rungs = ladder(dtype)
  const { isNan } = definitions[dtype]!
  const format = anew(dtype)
  for (const mode of MODES) {
    for (const sign of [0, 2 ** 31]) {
      const words = everyExponent(sign)
      const codes = new Uint16Array(words.length)
      encodeFloats(words, words.length, codes, { format, mode, nan: 'zero' }, 0)
      const want = Array.from(words, (word) => {
        const code = slowCode(dtype, numberOfWord(word), mode, rungs)
        return code === 'nan' && format.nanCode === undefined ? 0 : code
      })
      expect(Array.from(codes, (code) => (isNan(code) ? 'nan' : code))).toEqual(want)
      if (dtype !== 'bf16') continue
      encodeBf16(words, words.length, codes.fill(0), mode)
      expect(Array.from(codes, (code) => (isNan(code) ? 'nan' : code))).toEqual(want)
    }
  }
})

test.each(DTYPES.filter((dtype) => codeBits[dtype]! <= 8))('%s by a table of codes made anew', (dtype) => {
  const rungs = ladder(dtype)
  const { isNan } = definitions[dtype]!
  for (const mode of MODES) {
    const rounding = { format: anew(dtype), mode, nan: 'zero' } as const
    const words = Uint32Array.of(...everyExponent(0), ...everyExponent(2 ** 31))
    const codes = new Uint8Array(words.length + 1).fill(77)
    encodeByTable(words, words.length, codes, codeTable(rounding), rounding, 0)
    const want = Array.from(words, (word) => {
      const code = slowCode(dtype, numberOfWord(word), mode, rungs)
      return code === 'nan' && rounding.format.nanCode === undefined ? 0 : code
    })
    expect(Array.from(codes.subarray(0, -1), (code) => (isNan(code) ? 'nan' : code))).toEqual(want)
    expect(codes[words.length]).toBe(77)
  }
})

test('NaN by a table: a code where there is one, else what is named, or refused with its place', () => {
  const encoder = (dtype: string, nan: NanPolicy, mode: NarrowMode = 'saturate') => {
    const rounding = { format: anew(dtype), mode, nan }
    const table = codeTable(rounding)
    return (...words: number[]): number[] => {
      const codes = new Uint8Array(words.length)
      encodeByTable(Uint32Array.from(words), words.length, codes, table, rounding, 40)
      return [...codes]
    }
  }
  const [ONE, INFINITY, NAN] = [0x3f800000, 0x7f800000, 0x7fc00000]
  expect(encoder('e2m1', 'zero')(ONE, NAN, NAN)).toEqual([2, 0, 0])
  expect(encoder('e3m2', 'max')(ONE, 0xff800001, NAN)).toEqual([12, 31, 31])
  expect(encoder('f8e4m3', 'refuse')(ONE, NAN)).toEqual([0x38, 0x7f])
  // -240 is FF, which is no NaN that was refused.
  expect(encoder('f8e4m3fnuz', 'refuse')(ONE, wordOf(-240))).toEqual([0x40, 0xff])
  const strict = encoder('e2m1', 'refuse')
  for (const word of [NAN, 0xffc00000, 0x7f800001, 0xff800001]) {
    refuses(() => strict(ONE, word, word), `TYPE at [41]: e2m1 ${made} has no NaN; pass nan: 'zero' or 'max'`)
  }
  expect(strict(ONE, INFINITY)).toEqual([2, 7])
  expect(encoder('e2m1', 'refuse', 'overflow')(ONE, INFINITY + 2 ** 31)).toEqual([2, 15])
})

test('a table is kept for a format, a mode and what a NaN becomes', () => {
  const format = floatFormatOf('f8e5m2')!
  const table = codeTable({ format, mode: 'saturate', nan: 'zero' })
  // Compared by hand: an assertion would look for differences in 65,536 places.
  const isSame = (name: string, mode: NarrowMode, nan: NanPolicy) =>
    codeTable({ format: floatFormatOf(name)!, mode, nan }) === table
  expect(isSame('f8e5m2', 'saturate', 'zero')).toBe(true)
  expect(isSame('f8e5m2', 'overflow', 'zero')).toBe(false)
  expect(isSame('f8e5m2', 'saturate', 'max')).toBe(false)
  expect(isSame('f8e4m3', 'saturate', 'zero')).toBe(false)
})

test('only as many words are encoded as are asked for', () => {
  const codes = new Uint16Array(3).fill(99)
  const one = Uint32Array.of(0x3f800000, 0x3f800000, 0x3f800000)
  encodeFloats(one, 2, codes, { format: floatFormatOf('f16')!, mode: 'saturate', nan: 'refuse' }, 0)
  expect([...codes]).toEqual([0x3c00, 0x3c00, 99])
  encodeBf16(one, 1, codes, 'saturate')
  expect([...codes]).toEqual([0x3f80, 0x3c00, 99])
})
