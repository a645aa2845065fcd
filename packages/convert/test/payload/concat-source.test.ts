import { expect, test } from 'vitest'
import { concatSource } from '../../src/payload/concat-source.js'
import { hex, toHex } from '../support/bytes.js'
import { codeOf } from '../support/fault.js'
import { source } from '../support/source.js'

test('every range of several sources is what it is of them joined', async () => {
  const parts = ['', '0102', '', '03', '040506', ''].map((digits) => source(hex(digits)))
  const joined = concatSource(parts, 'all')
  expect(joined.size).toBe(6)
  for (let offset = 0; offset <= 6; offset++) {
    for (let length = 0; offset + length <= 6; length++) {
      expect(toHex(await joined.read(offset, length))).toBe('010203040506'.slice(offset * 2, (offset + length) * 2))
    }
    expect(await codeOf(joined.read(offset, 7 - offset))).toBe('EOF')
  }
  expect((await concatSource([], 'none').read(0, 0)).length).toBe(0)
})
