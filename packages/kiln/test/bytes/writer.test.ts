import { describe, expect, test } from 'vitest'
import { ByteWriter, giveBack, takeWriter } from '../../src/bytes/writer.js'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

const large = (fill: number, length = 1024): Uint8Array => new Uint8Array(length).fill(fill)
const small = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes)

/** A writer whose scratch is full of what must not show. */
function dirty(): ByteWriter {
  const w = new ByteWriter()
  w.bytes.fill(0xee)
  return w
}

test('a scratch that just holds what comes is not made anew', () => {
  const w = new ByteWriter()
  const { bytes } = w
  w.reserve(1024)
  expect(w.bytes === bytes).toBe(true)
  w.reserve(1025)
  expect([w.bytes === bytes, w.bytes.length]).toEqual([false, 2048])
})

test.each([0, 1, 63, 64, 65, 100, 2000])('%d zeros, and nothing beside them', (size) => {
  const w = dirty()
  w.slice(small(1))
  w.zeros(size)
  expect(w.length).toBe(size + 1)
  expect(hexOf(w.finish())).toBe(`01${'00'.repeat(size)}`)
  if (size < 1000) expect([w.bytes[0], w.bytes[size + 1]]).toEqual([1, 0xee])
})

describe('slices', () => {
  const pieces: [string, Uint8Array[], number[]][] = [
    ['nothing', [], [0]],
    ['a small one', [small(1, 2)], [2]],
    ['a large one', [large(1)], [1024]],
    ['two large ones', [large(1), large(2, 1025)], [1024, 1025]],
    ['a small one before', [small(7), large(1)], [1, 1024]],
    ['a small one behind', [large(1), small(7)], [1024, 1]],
    ['some between', [small(7), small(8), large(1), small(...large(9, 33)), large(2), small(5)], [2, 1024, 33, 1024, 1]],
    ['1,023 bytes', [large(3, 1023), large(4, 1023)], [2046]],
  ]
  test.each(pieces)('%s', (_, parts, lengths) => {
    const w = dirty()
    for (const part of parts) w.slice(part)
    const whole = parts.map(hexOf).join('')
    expect(w.slices().map((slice) => slice.length)).toEqual(lengths)
    expect(w.slices().map(hexOf).join('')).toBe(whole)
    expect(hexOf(w.finish())).toBe(whole)
    expect(w.inScratch).toBe(parts.every(({ length }) => length < 1024))
    const target = large(0xdd, w.length + 2)
    expect(w.finishInto(target)).toBe(whole.length / 2)
    expect(hexOf(target)).toBe(`${whole}dddd`)
    if (w.length > 0) expect(fault(() => w.finishInto(target.subarray(3))).code).toBe('LIMIT')
  })
  test('one that was resized meanwhile is TYPE, however the message is taken', () => {
    const Resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer & { resize(length: number): void }
    const buffer = new Resizable(2048, { maxByteLength: 4096 })
    const w = new ByteWriter()
    w.slice(new Uint8Array(buffer))
    buffer.resize(1024)
    const detail = 'an array of 2048 bytes was resized or detached while it was being encoded'
    for (const run of [() => w.slices(), () => w.finish(), () => w.finishInto(new Uint8Array(4096))]) expect(fault(run)).toMatchObject({ code: 'TYPE', detail })
  })
})

describe('a writer that is given back', () => {
  test('is the next one, empty', () => {
    const w = takeWriter()
    w.slice(small(1))
    giveBack(w)
    const next = takeWriter()
    expect([next === w, next.length, takeWriter() === w]).toEqual([true, 0, false])
  })
  test.each([[4 * 2 ** 20, true], [4 * 2 ** 20 + 1, false]])('with a scratch of %d bytes is kept: %s', (size, kept) => {
    const w = new ByteWriter()
    w.reserve(size)
    giveBack(new ByteWriter())
    takeWriter()
    giveBack(w)
    expect(takeWriter() === w).toBe(kept)
  })
  test.each([[1, 1], [64, 64], [65, 0]])('%d large slices are forgotten, %d places kept', (count, kept) => {
    const w = new ByteWriter()
    for (let i = 0; i < count; i++) w.slice(large(i))
    w.reset()
    const { parts } = w as unknown as { readonly parts: readonly { readonly bytes: Uint8Array }[] }
    expect(parts.map(({ bytes }) => bytes.length)).toEqual(Array.from({ length: kept }, () => 0))
    expect([w.length, w.inScratch, w.finish().length]).toEqual([0, true, 0])
  })
})
