import { expect, test } from 'vitest'
import { firstMalformed, writeUtf8 } from '../../src/bytes/utf8.js'
import { fault } from '../support/fault.js'
import { bytesOf, hexOf } from '../support/hex.js'

test('a byte that is none is found at each place of four, whatever stands beside it', () => {
  for (const beside of [0, 0x41, 0x7f]) {
    for (const bad of [0x80, 0xbf, 0xc0, 0xf5, 0xff]) {
      for (let at = 0; at < 12; at++) {
        const bytes = new Uint8Array(12).fill(beside)
        bytes[at] = bad
        expect(firstMalformed(bytes, 0, 12)).toBe(at)
        expect(firstMalformed(bytes, at + 1, 12)).toBe(12)
        expect(firstMalformed(bytes, 0, at)).toBe(at)
      }
    }
  }
})

test.each(['f0908080', 'f18fbfbf', 'f190bfbf', 'f1bfbfbf', 'f2808080', 'f3bfbfbf', 'f48fbfbf', 'e0a080', 'e18080', 'ecbfbf', 'ed9fbf', 'ee8080', 'efbfbf', 'c280', 'dfbf'])('%s is a character', (hex) => {
  const bytes = bytesOf(`41${hex}42`)
  expect(firstMalformed(bytes, 0, bytes.length)).toBe(bytes.length)
})

test.each([['\ud800\udc00', 'f0908080'], ['\ud800\udfff', 'f0908fbf'], ['\udbff\udc00', 'f48fb080'], ['\udbff\udfff', 'f48fbfbf'], ['\ud7ff\ue000', 'ed9fbfee8080']])(
  'the pair %j is written',
  (text, hex) => {
    const target = new Uint8Array(16)
    expect([writeUtf8(text, target, 1), hexOf(target)]).toEqual([hex.length / 2, `00${hex}`.padEnd(32, '0')])
  },
)

test.each(['\ud800', '\udbff', '\udc00', '\udfff', '\ud800a', '\ud800\ud7ff', '\ud800\ue000', '\ud800\udbff', '\ud800\uffff', '\udc00\udc00', '\udfff\udc00', '\udfff\udfff', '\udc00\ud800', 'é\ud800'])(
  'the lone surrogate of %j is not',
  (text) => {
    expect(fault(() => writeUtf8(text, new Uint8Array(16), 0))).toMatchObject({
      code: 'UTF8',
      detail: `the string has a lone surrogate at index ${text.startsWith('é') ? 1 : 0}; repair it with toWellFormed() if that is meant`,
    })
  },
)
