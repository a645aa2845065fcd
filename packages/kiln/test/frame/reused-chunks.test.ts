import { expect, test } from 'vitest'
import { encodeFrame, FrameDecoderStream, k, readFrames } from 'kiln-format'
import { FrameBuffer } from '../../src/frame/frame-buffer.js'
import { fault } from '../support/fault.js'

const texts = ['one', 'a text that is longer than a chunk of the smaller sizes', '', 'last']
const stream = Uint8Array.from(texts.flatMap((text) => [...encodeFrame(k.string, text, { schema: true, checksum: true })]))

/** The stream through one piece of memory, filled again for each chunk, as by a loop of reads into a buffer. */
function* reused(size: number): Generator<Uint8Array, undefined> {
  const memory = new Uint8Array(size)
  for (let at = 0; at < stream.length; at += size) {
    const part = stream.subarray(at, at + size)
    memory.set(part)
    yield memory.subarray(0, part.length)
  }
  memory.fill(0xff)
  return undefined
}

test.each([1, 7, 31, 64, 96, 1000])('frames come whole out of chunks of %i bytes in the same memory', async (size) => {
  const got: unknown[] = []
  for await (const { value } of readFrames(reused(size))) got.push(value)
  expect(got).toEqual(texts)
})

test('and through a web stream whose writer fills its chunk again once it was taken', async () => {
  const { readable, writable } = new FrameDecoderStream(k.string)
  const writer = (writable as unknown as WritableStream<Uint8Array>).getWriter()
  const writing = (async () => {
    for (const chunk of reused(40)) await writer.write(chunk)
    await writer.close()
  })()
  const got: unknown[] = []
  const reader = readable.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) got.push(next.value.value)
  await writing
  expect(got).toEqual(texts)
})

const GONE = { code: 'TYPE', detail: 'a chunk was transferred or resized away before its frame had come; give each in memory of its own' }

// Less than a header, a header and a part of the frame, and the whole of it.
test.each([10, 50, 104])('a chunk of %i bytes that is transferred before it is looked at is told', (length) => {
  const buffer = new FrameBuffer(k.string)
  const chunk = stream.slice(0, length)
  buffer.push(chunk)
  structuredClone(chunk.buffer, { transfer: [chunk.buffer] })
  expect(fault(() => buffer.next())).toMatchObject(GONE)
})

test('as is one that has shrunk', () => {
  const frame = encodeFrame(k.string, 'a text of its own')
  const memory = new (ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer & { resize(length: number): void })(frame.length, { maxByteLength: frame.length })
  const chunk = new Uint8Array(memory)
  chunk.set(frame)
  const buffer = new FrameBuffer(k.string)
  buffer.push(chunk)
  memory.resize(frame.length - 1)
  expect(fault(() => buffer.next())).toMatchObject(GONE)
})
