import { decodeFrame, encodeFrame, iterateFrames, k, tensor, type Directory, type Frame } from 'kiln-format'
import { expect, test } from 'vitest'
import { FrameBuffer } from '../../src/frame/frame-buffer.js'
import { fault } from '../support/fault.js'

const Row = k.struct({ id: k.u32, name: k.string, blob: k.bytes, xs: k.list(k.f32) })
const Model = k.struct({ id: k.u32, parts: k.list(k.option(k.tensors)) })
const row = (id: number): Uint8Array => encodeFrame(Row, { id, name: `n${id}`, blob: Uint8Array.of(id, 2), xs: [id, 0.5] }, { schema: true, checksum: true })
const model = (id: number): Uint8Array => encodeFrame(Model, { id, parts: [undefined, [tensor('w', 'f32', [2], [id, 2])]] }, { schema: true })
const frames = [row(1), model(2), row(3), row(4), model(5), row(6)]
const stream = Uint8Array.from(frames.flatMap((frame) => [...frame]))

function drained(buffer: FrameBuffer): Frame[] {
  const taken: Frame[] = []
  for (let frame = buffer.next(); frame !== undefined; frame = buffer.next()) taken.push(frame)
  return taken
}

const told = ({ value, offset, byteLength, flags, schema }: Frame): unknown => ({ value, offset, byteLength, flags, text: schema.text })
/** What of a value can be compared: tensors by their numbers. */
const plain = (frame: Frame): unknown => {
  const { parts } = frame.value as { parts?: (Directory | undefined)[] }
  return parts === undefined ? told(frame) : [frame.offset, frame.byteLength, parts.map((part) => part && [...part].map((t) => [t.name, ...t.copy('f32')]))]
}
const expected = [...iterateFrames(stream)].map(plain)

test('frames that lie in a chunk are what they are when they are put together, however the stream is cut', () => {
  for (const size of [stream.length, frames[0]!.length, frames[0]!.length + 1, frames[0]!.length + frames[1]!.length - 1, 300, 33, 1]) {
    const buffer = new FrameBuffer()
    const got: Frame[] = []
    for (let at = 0; at < stream.length; at += size) {
      buffer.push(stream.slice(at, at + size))
      got.push(...drained(buffer))
    }
    buffer.end()
    expect([size, got.map(plain)]).toEqual([size, expected])
  }
})

test('chunks may be given before the frames of the one before are taken', () => {
  const buffer = new FrameBuffer()
  for (let at = 0; at < stream.length; at += 300) buffer.push(stream.slice(at, at + 300))
  const first = buffer.next()!
  buffer.push(row(7))
  expect([first, ...drained(buffer)].map(plain)).toEqual([...iterateFrames(Uint8Array.of(...stream, ...row(7)))].map(plain))
  buffer.end()
})

test('what is read holds on to no chunk', () => {
  const chunk = stream.slice()
  const buffer = new FrameBuffer()
  buffer.push(chunk)
  const got = drained(buffer)
  const before = got.map(plain)
  chunk.fill(0xff)
  expect(got.map(plain)).toEqual(before)
  const directory = (got[1]!.value as { parts: Directory[] }).parts[1]!
  expect(directory.get('w').bytes.buffer.byteLength).toBe(frames[1]!.length)
  expect((got[0]!.value as { blob: Uint8Array }).blob.buffer.byteLength).toBe(2)
})

test('memory that others can write to is copied', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(stream.length))
  shared.set(stream)
  const buffer = new FrameBuffer()
  buffer.push(shared)
  expect(drained(buffer).map(plain)).toEqual(expected)
})

test('a chunk that is transferred between two of its frames is told', () => {
  const chunk = stream.slice()
  const buffer = new FrameBuffer()
  buffer.push(chunk)
  expect(buffer.next()!.offset).toBe(0)
  structuredClone(chunk.buffer, { transfer: [chunk.buffer] })
  expect(fault(() => buffer.next())).toMatchObject({ code: 'TYPE', detail: expect.stringContaining('a chunk was transferred') as string })
})

test('a fault has its place in the stream, in the header, in the body, and in a frame of tensors', () => {
  const at = frames[0]!.length + frames[1]!.length + frames[2]!.length
  const cases: readonly (readonly [string, number, number, string])[] = [
    ['a header', at + 6, 1, 'FRAME'],
    ['a checksum', at + frames[3]!.length - 1, 0, 'CHECKSUM'],
    ['tensors', at + frames[3]!.length + 64 + 4, 2, 'TYPE'],
  ]
  for (const [what, place, byte, code] of cases) {
    const damaged = stream.slice()
    damaged[place] = damaged[place] === byte ? byte + 1 : byte
    const want = fault(() => [...iterateFrames(damaged)])
    const buffer = new FrameBuffer()
    buffer.push(damaged)
    const got = fault(() => drained(buffer))
    expect([what, got]).toEqual([what, want])
    if (what !== 'tensors') expect([what, got.code]).toEqual([what, code])
  }
})

test('a body over the cap is refused before it is there, in place as well', () => {
  for (const frame of [row(1), model(2)]) {
    const buffer = new FrameBuffer(undefined, { limits: { body: 8 } })
    buffer.push(frame)
    expect(fault(() => buffer.next())).toMatchObject({ code: 'LIMIT', offset: 24 })
  }
})

test('a frame without tensors is neither cut out of its chunk nor copied, one with tensors is', () => {
  const Small = k.struct({ id: k.u32, name: k.string })
  const small = (id: number): Uint8Array => encodeFrame(Small, { id, name: 'a' }, { schema: true })
  // Texts of schemas that were not read before are cut out too.
  for (const frame of [small(0), model(0)]) decodeFrame(frame)
  for (const [given, cuts] of [[[small(1), small(2), small(3)], 0], [[small(1), model(2), small(3)], 1]] as const) {
    const chunk = Uint8Array.from(given.flatMap((frame) => [...frame]))
    let cut = 0
    chunk.subarray = (from, to) => (cut++, Uint8Array.prototype.subarray.call(chunk, from, to) as Uint8Array<ArrayBuffer>)
    const buffer = new FrameBuffer()
    buffer.push(chunk)
    expect(drained(buffer).length).toBe(3)
    expect(cut).toBe(cuts)
  }
})
