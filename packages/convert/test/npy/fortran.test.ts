import { expect, test } from 'vitest'
import { fortranChunks } from '../../src/npy/fortran.js'
import { readHeader } from '../../src/npy/header.js'
import type { NpyArray } from '../../src/npy/header.js'
import { openNpy } from '../../src/npy/open.js'
import { sha256 } from '../support/fixtures.js'
import { concat, memorySource, payload } from '../support/memory.js'
import { buildNpy, headerOf } from './build.js'

/** The place in Fortran order of each number in C order, one by one: what the reader has to come to. */
function* fortranPlaces(shape: readonly number[]): Generator<number> {
  const count = shape.reduce((product, n) => product * n, 1)
  for (let i = 0; i < count; i++) {
    let rest = i
    const index = shape.map(() => 0)
    for (let d = shape.length - 1; d >= 0; d--) {
      index[d] = rest % shape[d]!
      rest = Math.floor(rest / shape[d]!)
    }
    let place = 0
    for (let d = shape.length - 1; d >= 0; d--) place = place * shape[d]! + index[d]!
    yield place
  }
}

const stored = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => (i * 101 + Math.floor(i / 251)) % 256)

function turned(from: Uint8Array, shape: readonly number[], width: number): Uint8Array {
  const result = new Uint8Array(from.length)
  let at = 0
  for (const place of fortranPlaces(shape)) {
    result.set(from.subarray(place * width, (place + 1) * width), at)
    at += width
  }
  return result
}

const SHAPES: readonly (readonly number[])[] = [
  [],
  [1],
  [7],
  [1, 1],
  [1, 9],
  [9, 1],
  [2, 3],
  [3, 2],
  [33, 65],
  [64, 64],
  [1, 5, 1],
  [2, 1, 3],
  [5, 4, 3],
  [3, 33, 35],
  [2, 2, 2, 2],
  [3, 1, 4, 1, 5],
  [2, 3, 2, 1, 2, 2, 3, 2],
  [0, 3],
  [3, 0],
  [2, 0, 2],
]
const DTYPES: readonly (readonly [descr: string, width: number])[] = [
  ['|u1', 1],
  ['<i2', 2],
  ['<f4', 4],
  ['<i8', 8],
  ['<c8', 8],
  ['<c16', 16],
]

for (const [descr, width] of DTYPES) {
  test.each(SHAPES.map((shape) => [shape]))(`${descr} of shape %o in Fortran order`, async (shape) => {
    const count = shape.reduce((product, n) => product * n, 1)
    const content = stored(count * width)
    const model = await openNpy(memorySource(buildNpy(headerOf(descr, shape, true), content)))
    expect(model.fortranOrder).toBe(true)
    expect(model.tensors[0]!.shape).toEqual(shape)
    expect(sha256(await payload(model.tensors[0]!))).toBe(sha256(turned(content, shape, width)))
  })
}

test.each([
  ['>f4', 4, 4],
  ['>c8', 8, 4],
  ['>c16', 16, 8],
  ['>i2', 2, 2],
])('%s, big-endian and in Fortran order together', async (descr, width, swapped) => {
  const shape = [5, 3, 7]
  const content = stored(105 * width)
  const expected = turned(content, shape, width)
  for (let i = 0; i < expected.length; i += swapped) expected.subarray(i, i + swapped).reverse()
  const model = await openNpy(memorySource(buildNpy(headerOf(descr, shape, true), content)))
  expect(model.bigEndian).toBe(true)
  expect(sha256(await payload(model.tensors[0]!))).toBe(sha256(expected))
  expect(sha256(await payload(model.tensors[0]!))).toBe(sha256(expected))
})

test.each([1, 2, 4, 8, 16, 17, 64, 100, 1000])('bands of %i bytes come to the same', async (band) => {
  for (const shape of SHAPES) {
    // One number is in both orders, and never comes here.
    if (shape.length === 0) continue
    const width = 4
    const count = shape.reduce((product, n) => product * n, 1)
    const content = stored(count * width)
    const source = memorySource(buildNpy(headerOf('<f4', shape, true), content))
    const array = (await readHeader(source, {})) as NpyArray
    const pieces: Uint8Array[] = []
    for await (const piece of fortranChunks(source, array, undefined, band)) pieces.push(piece.slice())
    expect(sha256(concat(pieces))).toBe(sha256(turned(content, shape, width)))
    expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(Math.max(band, width))
  }
})

test('an array that fits into a band is read once, front to back', async () => {
  const content = stored(300 * 500 * 8)
  const source = memorySource(buildNpy(headerOf('<f8', [300, 500], true), content))
  const model = await openNpy(source)
  const { bytes } = source.reads
  expect(sha256(await payload(model.tensors[0]!))).toBe(sha256(turned(content, [300, 500], 8)))
  expect(source.reads.bytes - bytes).toBe(content.length)
})

test('an array of 48 MiB is turned with pieces of at most 1 MiB and reads of at most 4 MiB', async () => {
  const shape = [3, 2 ** 21, 2] as const
  const bytes = 3 * 2 ** 22 * 4
  const head = buildNpy(headerOf('<u4', shape, true))
  // Each number is its own place in the file.
  const source = {
    ...memorySource(head),
    size: head.length + bytes,
    longest: 0,
    read(offset: number, length: number): Promise<Uint8Array> {
      this.longest = Math.max(this.longest, length)
      if (offset < head.length) return Promise.resolve(head.slice(offset, offset + length))
      const result = new Uint32Array(length / 4)
      const first = (offset - head.length) / 4
      for (let i = 0; i < result.length; i++) result[i] = first + i
      return Promise.resolve(new Uint8Array(result.buffer))
    },
  }
  source.read = source.read.bind(source)
  const header = await readHeader(memorySource(head), {})
  const array = header as NpyArray
  let at = 0
  let wrong = 0
  let longest = 0
  for await (const piece of fortranChunks(source, array)) {
    longest = Math.max(longest, piece.length)
    const numbers = new Uint32Array(piece.buffer, piece.byteOffset, piece.length / 4)
    for (let i = 0; i < numbers.length; i++, at++) {
      const k = at % 2
      const j = Math.floor(at / 2) % 2 ** 21
      const row = Math.floor(at / 2 ** 22)
      if (numbers[i] !== row + 3 * (j + 2 ** 21 * k)) wrong++
    }
  }
  expect([at, wrong]).toEqual([3 * 2 ** 22, 0])
  expect(longest).toBeLessThanOrEqual(2 ** 20)
  expect(source.longest).toBeLessThanOrEqual(2 ** 22)
})
