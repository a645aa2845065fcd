import { expect, test } from 'vitest'
import { encodeFrame, FrameDecoderStream, k, readFrames } from 'kiln-format'

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
