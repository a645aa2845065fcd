import { expect, test } from 'vitest'
import { BytePieces } from '../../src/numeric/byte-pieces.js'

const PIECE = 262_144

test('pieces are full but for the last, and each is given once', () => {
  const pieces = new BytePieces()
  pieces.add(new Uint8Array(PIECE - 1).fill(1))
  expect(pieces.take()).toEqual([])
  pieces.add(Uint8Array.of(2, 3))
  const [first, ...more] = pieces.take()
  expect(more).toEqual([])
  expect([first!.length, first![0], first![PIECE - 2], first![PIECE - 1]]).toEqual([PIECE, 1, 1, 2])
  expect(pieces.take()).toEqual([])
  pieces.add(Uint8Array.of(4))
  expect(pieces.end()).toEqual([Uint8Array.of(3, 4)])
  expect(pieces.end()).toEqual([])
})

test('what fills pieces to the end leaves none over', () => {
  const pieces = new BytePieces()
  pieces.add(new Uint8Array(2 * PIECE))
  pieces.add(new Uint8Array(0))
  expect(pieces.end().map(({ length }) => length)).toEqual([PIECE, PIECE])
  expect(new BytePieces().end()).toEqual([])
})

test('a piece that was given out is not written to again, nor is what was added kept', () => {
  const pieces = new BytePieces()
  const bytes = Uint8Array.from({ length: PIECE + 2 }, (_, i) => i % 251)
  pieces.add(bytes)
  bytes.fill(255)
  const [first] = pieces.take()
  expect(first!.buffer.byteLength).toBe(PIECE)
  expect([first![250], first![251], first![PIECE - 1]]).toEqual([250, 0, (PIECE - 1) % 251])
  expect(pieces.end()).toEqual([Uint8Array.of(PIECE % 251, (PIECE + 1) % 251)])
  expect(first![0]).toBe(0)
})
