import { describe, expect, test } from 'vitest'
import {
  encodeFrame, FrameDecoderStream, framesOf, isKilnError, iterateFrames, iterateFramesView, k, readFrames, tensor, verifySource,
} from '../../src/index.js'
import { walk } from '../../src/walk/index.js'

const Row = k.struct({ id: k.u32 })
const Note = k.struct({ text: k.string })
const Batch = k.struct({ data: k.tensors, id: k.u8 })

function fileOf(...frames: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(frames))
}

const row = (id: number, schema: boolean): Uint8Array => encodeFrame(Row, { id }, { schema })
const note = (text: string, schema: boolean): Uint8Array => encodeFrame(Note, { text }, { schema })
const two = fileOf(row(1, true), note('a', true), row(2, false), note('b', false), row(3, true))
const values = [{ id: 1 }, { text: 'a' }, { id: 2 }, { text: 'b' }, { id: 3 }]

function codeOf(step: () => unknown): unknown {
  try {
    step()
  } catch (error) {
    return isKilnError(error) ? [error.code, error.offset] : error
  }
  return 'no error'
}

describe('inherit: a frame that brings no schema is read by the one that an earlier frame brought', () => {
  test('in memory, owned and borrowed', () => {
    expect(Array.from(iterateFrames(two, 'inherit'), ({ value }) => value)).toEqual(values)
    expect(Array.from(iterateFramesView(two, 'inherit'), ({ value }) => value)).toEqual(values)
  })

  test('in a stream', async () => {
    const got: unknown[] = []
    for await (const { value } of readFrames([two.subarray(0, 70), two.subarray(70)], 'inherit')) got.push(value)
    expect(got).toEqual(values)
    const piped: unknown[] = []
    for await (const { value } of new Blob([two]).stream().pipeThrough(new FrameDecoderStream('inherit'))) piped.push(value)
    expect(piped).toEqual(values)
  })

  test('in a source, in any order once their heads have passed', async () => {
    const frames = []
    for await (const frame of framesOf(new Blob([two]), 'inherit')) frames.push(frame)
    const got: unknown[] = []
    for (const frame of frames.reverse()) got.push((await frame.read()).value)
    expect(got).toEqual(values.toReversed())
  })

  test('verified and walked, with tensors in front too', async () => {
    const batch = (id: number, schema: boolean): Uint8Array =>
      encodeFrame(Batch, { data: [tensor('x', 'u8', [1], [id])], id }, { schema, checksum: true })
    const file = fileOf(batch(1, true), batch(2, false))
    expect(await verifySource(file, { schemas: 'inherit' })).toEqual({ kind: 'frames', frames: 2, tensors: 2, checksums: 2, size: file.length })
    expect(Array.from(walk(file, { schemas: 'inherit' })).filter(({ path }) => path.endsWith('.id')).map(({ value }) => value)).toEqual([1, 2])
    // A window on the second frame alone knows what the first one brought.
    const from = file.length - 1
    expect(Array.from(walk(file, { schemas: 'inherit', from, to: file.length }), ({ path, value }) => [path, value])).toEqual([['[1].id', 2]])
  })

  test('a schema that comes later, or is another, doesn’t help', () => {
    const file = fileOf(row(1, false), row(2, true))
    expect(codeOf(() => Array.from(iterateFrames(file, 'inherit')))).toEqual(['SCHEMA', 5])
    const first = note('a', true)
    expect(codeOf(() => Array.from(iterateFrames(fileOf(first, row(2, false)), 'inherit')))).toEqual(['SCHEMA', first.length + 5])
  })

  test('without it nothing is taken from an earlier frame', async () => {
    const file = fileOf(row(1, true), row(2, false))
    expect(codeOf(() => Array.from(iterateFrames(file)))).toEqual(['SCHEMA', row(1, true).length + 5])
    await expect(verifySource(file)).rejects.toMatchObject({ code: 'SCHEMA' })
  })

  test('of two texts with one hash the later holds', () => {
    const One = k.struct({ jGqNUqh7_9B: k.u8 })
    const Other = k.struct({ kXDMO9RWEzE: k.u8 })
    const file = fileOf(
      encodeFrame(One, { jGqNUqh7_9B: 1 }, { schema: true }),
      encodeFrame(Other, { kXDMO9RWEzE: 2 }, { schema: true }),
      encodeFrame(Other, { kXDMO9RWEzE: 3 }),
    )
    expect(Array.from(iterateFrames(file, 'inherit'), ({ value }) => value)).toEqual([{ jGqNUqh7_9B: 1 }, { kXDMO9RWEzE: 2 }, { kXDMO9RWEzE: 3 }])
  })

  test('64 schemas are remembered, and of more those that came last', () => {
    const kinds = Array.from({ length: 65 }, (_, i) => k.struct({ [`f${i}`]: k.u8 }))
    const frame = (i: number, schema: boolean): Uint8Array => encodeFrame(kinds[i]!, { [`f${i}`]: i }, { schema })
    const brought = (count: number): Uint8Array[] => Array.from({ length: count }, (_, i) => frame(i, true))
    const last = (file: Uint8Array): unknown => Array.from(iterateFrames(file, 'inherit')).at(-1)?.value
    expect(last(fileOf(...brought(64), frame(0, false)))).toEqual({ f0: 0 })
    expect(last(fileOf(...brought(65), frame(1, false)))).toEqual({ f1: 1 })
    const forgotten = fileOf(...brought(65))
    expect(codeOf(() => last(fileOf(forgotten, frame(0, false))))).toEqual(['SCHEMA', forgotten.length + 5])
    // One that comes again is new again.
    expect(last(fileOf(...brought(64), frame(0, true), frame(64, true), frame(0, false)))).toEqual({ f0: 0 })
  })
})
