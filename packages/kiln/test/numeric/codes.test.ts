import { expect, test } from 'vitest'
import { codeAt, packCodes, unpackCodes } from '../../src/numeric/codes.js'

test('codes of 1, 2, 4, 6 and 8 bits, from the low bits up', () => {
  const bytes = Uint8Array.of(0b10110001, 0b01011110, 0b11001010)
  const read = (bits: number, count: number) => Array.from({ length: count }, (_, i) => codeAt(bytes, bits, i))
  expect(read(1, 10)).toEqual([1, 0, 0, 0, 1, 1, 0, 1, 0, 1])
  expect(read(2, 5)).toEqual([1, 0, 3, 2, 2])
  expect(read(4, 5)).toEqual([1, 11, 14, 5, 10])
  expect(read(6, 4)).toEqual([0b110001, 0b111010, 0b100101, 0b110010])
  expect(read(8, 3)).toEqual([...bytes])
  const codes = new Uint8Array(5).fill(99)
  unpackCodes(bytes, 6, 4, codes)
  expect([...codes]).toEqual([0b110001, 0b111010, 0b100101, 0b110010, 99])
})

/** What the front of six bytes of AA becomes. */
function packed(codes: number[], bits: number, count: number): number[] {
  const bytes = new Uint8Array(6).fill(0xaa)
  packCodes(Uint8Array.from(codes), bits, count, bytes)
  return [...bytes]
}

test('the first codes are packed, unused bits are 0, and no byte behind them is written', () => {
  expect(packed([1, 2, 3, 15], 4, 4)).toEqual([0x21, 0xf3, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([1, 2, 3, 15], 4, 3)).toEqual([0x21, 0x03, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([1, 2, 3, 15, 4], 4, 4)).toEqual([0x21, 0xf3, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([0b110001, 0b111010, 0b100101, 0b110010, 63], 6, 4)).toEqual([
    0b10110001, 0b01011110, 0b11001010, 0xaa, 0xaa, 0xaa,
  ])
  expect(packed([63, 1, 2], 6, 1)).toEqual([63, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([63, 1, 2], 6, 3)).toEqual([0x7f, 0x20, 0x00, 0xaa, 0xaa, 0xaa])
  expect(packed([3, 0, 1, 2, 3, 1], 2, 5)).toEqual([0b10010011, 3, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([1, 1, 0, 0, 1, 0, 0, 1, 1], 1, 8)).toEqual([0b10010011, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([1, 1, 0, 0, 1, 0, 0, 1, 1], 1, 9)).toEqual([0b10010011, 1, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([1], 4, 0)).toEqual([0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa])
  expect(packed([1], 1, 0)).toEqual([0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa])
})
