import { expect, test } from 'vitest'
import { coloursFor } from '../../src/terminal/colour.js'
import { jsonString, visible } from '../../src/terminal/escape.js'
import { HexText, jsonPieces } from '../../src/terminal/json-text.js'
import { Output, OutputClosed, type OutputStream } from '../../src/terminal/output.js'
import { progressText, startProgress } from '../../src/terminal/progress.js'
import { tableLines } from '../../src/terminal/table.js'
import { counted, countText, parseSize, sizeText } from '../../src/terminal/units.js'

const json = (value: unknown): string => [...jsonPieces(value)].join('')

test('what a terminal obeys, and what reorders or hides text, is escaped', () => {
  expect(visible('a\u001b[31mb\r\n\u0000\u007f\u009b')).toBe('a\\u001b[31mb\\u000d\\u000a\\u0000\\u007f\\u009b')
  expect(visible('\u202e\u2066\u200f\u061c\ufeff\u200d\u2028')).toBe('\\u202e\\u2066\\u200f\\u061c\\ufeff\\u200d\\u2028')
  expect(visible('\u{e0041}\ud800')).toBe('\\udb40\\udc41\\ud800')
  expect(visible('Wörter 数字 😀 "\\')).toBe('Wörter 数字 😀 "\\')
})

test('JSON strings are safe on a terminal and read back as they were', () => {
  for (const text of ['\u001b[2J', '\u202eabc', '\u009b', '\u{e0041}', '"\\\n', '😀', '\ud800']) {
    const written = jsonString(text)
    expect(JSON.parse(written)).toBe(text)
    expect(written).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  }
})

test('a document has bigints as strings, names for what JSON lacks, Maps in their order, and generators', () => {
  function* rows(): Generator<unknown> {
    yield { shape: [2, 3], n: 1n }
    yield -0
  }
  const value = { big: 2n ** 64n, nan: NaN, inf: -Infinity, zero: -0, none: undefined, map: new Map([['10', 1], ['2', 2]]), rows: rows(), hex: new HexText(new Uint8Array([1, 255])) }
  expect(JSON.parse(json(value))).toEqual({
    big: '18446744073709551616', nan: 'NaN', inf: '-Infinity', zero: -0, map: { 10: 1, 2: 2 }, rows: [{ shape: [2, 3], n: '1' }, -0], hex: '01ff',
  })
  expect(json(new Map([['10', 1], ['2', 2]]))).toBe('{ "10": 1, "2": 2 }\n')
  expect(json([])).toBe('[]\n')
  expect(json({})).toBe('{}\n')
  expect(JSON.parse(json({ a: [] as unknown[], b: (function* (): Generator<never> {})(), c: 'x'.repeat(500) }))).toEqual({ a: [], b: [], c: 'x'.repeat(500) })
})

test('long payloads and long lists come in pieces', () => {
  const bytes = new Uint8Array(300_000).fill(0xab)
  const pieces = [...jsonPieces({ data: new HexText(bytes), list: Array.from({ length: 50_000 }, (_, i) => i) })]
  expect(pieces.length).toBeGreaterThan(3)
  const back = JSON.parse(pieces.join('')) as { data: string; list: number[] }
  expect(back.data).toBe('ab'.repeat(300_000))
  expect(back.list.at(-1)).toBe(49_999)
})

test('sizes say their unit, and the boundary is exact', () => {
  expect(parseSize('2GiB')).toBe(2 ** 31)
  expect(parseSize('2GB')).toBe(2e9)
  expect(parseSize('1.5 KiB')).toBe(1536)
  expect(parseSize('4096')).toBe(4096)
  for (const bad of ['', '0', '-1', '2XB', '1.5', '9PB', 'GiB', '1e3', '99999999999TiB']) expect(() => parseSize(bad), bad).toThrow('is no size')
  expect([0, 1023, 1024, 2 ** 31, 5 * 2 ** 40].map(sizeText)).toEqual(['0 B', '1023 B', '1.0 KiB', '2.0 GiB', '5.0 TiB'])
  expect([0, 999, 1000, 1234567, 2n ** 64n].map(countText)).toEqual(['0', '999', '1,000', '1,234,567', '18,446,744,073,709,551,616'])
  expect([counted(1, 'frame'), counted(2, 'frame')]).toEqual(['1 frame', '2 frames'])
})

test('columns line up, numbers to the right', () => {
  expect(tableLines([{ title: 'name' }, { title: 'n', right: true }], [['a', '1'], ['long', '100']])).toEqual(['name    n', 'a       1', 'long  100'])
  // Two columns for a character of Chinese, one for an e with its accent behind it, two for a flag.
  expect(tableLines([{ title: 'name' }, { title: 'n', right: true }], [['权重', '1'], ['e\u0301', '22'], ['🇫🇷!', '3']])).toEqual([
    'name   n', '权重   1', 'e\u0301     22', '🇫🇷!    3',
  ])
})

test('colour is for terminals, and NO_COLOR or TERM=dumb turn it off', () => {
  expect(coloursFor(true, {}).red('x')).toBe('\u001b[31mx\u001b[39m')
  for (const [isTTY, env] of [[false, {}], [true, { NO_COLOR: '1' }], [true, { TERM: 'dumb' }]] as const) expect(coloursFor(isTTY, env).red('x')).toBe('x')
})

class Stream implements OutputStream {
  readonly isTTY: boolean
  readonly written: string[] = []
  fault: Error | undefined
  constructor(isTTY = false) {
    this.isTTY = isTTY
  }
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
    if (this.fault === undefined) this.written.push(String(chunk))
    done?.(this.fault)
    return true
  }
  on(): void {}
}

test('progress shows bytes and rate, after a second, on a terminal alone', () => {
  expect(progressText('convert', 2 ** 29, 2 ** 30, 2)).toBe('convert  512 MiB of 1.0 GiB  50%  256 MiB/s')
  expect(progressText('verify', 2048, undefined, 1)).toBe('verify  2.0 KiB  2.0 KiB/s')
  let now = 0
  const stream = new Stream(true)
  const progress = startProgress(new Output(stream, 'standard error'), 'convert', 4000, () => now)
  progress.add(1000)
  now = 900
  progress.add(1000)
  expect(stream.written).toEqual([])
  now = 2000
  progress.add(1000)
  now = 2100
  progress.add(1000)
  progress.done()
  expect(stream.written).toEqual(['\r\u001b[2Kconvert  2.9 KiB of 3.9 KiB  75%  1.5 KiB/s', '\r\u001b[2K'])
  const piped = new Stream(false)
  const silent = startProgress(new Output(piped, 'standard error'), 'convert', 1, () => (now += 5000))
  silent.add(1)
  silent.done()
  expect(piped.written).toEqual([])
})

test('a reader that has gone is told apart from a fault, and stays gone', async () => {
  const stream = new Stream()
  const output = new Output(stream, 'standard output')
  await output.write('a')
  stream.fault = Object.assign(new Error('broken'), { code: 'EPIPE' })
  await expect(output.write('b')).rejects.toBeInstanceOf(OutputClosed)
  stream.fault = undefined
  await expect(output.write('c')).rejects.toBeInstanceOf(OutputClosed)
  expect(stream.written).toEqual(['a'])
})
