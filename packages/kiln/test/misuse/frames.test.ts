import { expect, test } from 'vitest'
import {
  decodeFrame, encodeFrame, encodeFrameParts, FrameDecoderStream, FrameEncoderStream, iterateFrames, iterateFramesView, k,
  readFrameHeader, readFrames, viewFrame,
} from 'kiln-format'
import { expectedOf, outcomesOf, type Row } from './outcomes.js'

const User = k.struct({ id: k.i64, scores: k.list(k.f32) })
const user = { id: 7n, scores: [1, 2] }
const frame = encodeFrame(User, user, { schema: true })

/** What comes out of a stream that one chunk is written to. */
async function firstOf(stream: { readonly readable: unknown; readonly writable: unknown }, chunk: unknown): Promise<unknown> {
  const writer = (stream.writable as WritableStream).getWriter()
  const reader = (stream.readable as ReadableStream).getReader()
  for (const promise of [writer.write(chunk), writer.close(), writer.closed]) promise.catch(() => undefined)
  reader.closed.catch(() => undefined)
  const { value } = (await reader.read()) as { value?: unknown }
  return value
}

const ROWS: readonly Row[] = [
  ['decodeFrame: bytes', (x) => decodeFrame(x), 'TYPE', { EOF: 'bytes' }],
  ['decodeFrame: schemas', (x) => decodeFrame(frame, x), 'SCHEMA', { taken: 'undefined', FRAME: 'array' }],
  ['decodeFrame: options', (x) => decodeFrame(frame, User, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['viewFrame: bytes', (x) => viewFrame(x), 'TYPE', { EOF: 'bytes' }],
  ['viewFrame: schemas', (x) => viewFrame(frame, x), 'SCHEMA', { taken: 'undefined', FRAME: 'array' }],
  ['viewFrame: options', (x) => viewFrame(frame, User, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['iterateFrames: bytes', (x) => iterateFrames(x), 'TYPE', { EOF: 'bytes' }],
  ['iterateFrames: schemas', (x) => iterateFrames(frame, x), 'SCHEMA', { taken: 'undefined', FRAME: 'array' }],
  ['iterateFrames: options', (x) => iterateFrames(frame, User, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['iterateFramesView: bytes', (x) => iterateFramesView(x), 'TYPE', { EOF: 'bytes' }],
  ['iterateFramesView: schemas', (x) => iterateFramesView(frame, x), 'SCHEMA', { taken: 'undefined', FRAME: 'array' }],
  ['iterateFramesView: options', (x) => iterateFramesView(frame, User, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['readFrameHeader', (x) => readFrameHeader(x), 'TYPE', { EOF: 'bytes' }],
  ['encodeFrame: schema', (x) => encodeFrame(x, user as never), 'SCHEMA'],
  ['encodeFrame: value', (x) => encodeFrame(User, x), 'TYPE'],
  ['encodeFrame: options', (x) => encodeFrame(User, user, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['encodeFrame: schema, brought or not', (x) => encodeFrame(User, user, { schema: x }), 'TYPE', { taken: 'undefined true' }],
  ['encodeFrame: checksum', (x) => encodeFrame(User, user, { checksum: x }), 'TYPE', { taken: 'undefined true' }],
  ['encodeFrameParts: schema', (x) => encodeFrameParts(x, user as never), 'SCHEMA'],
  ['encodeFrameParts: value', (x) => encodeFrameParts(User, x), 'TYPE'],
  ['encodeFrameParts: options', (x) => encodeFrameParts(User, user, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['readFrames: source', (x) => readFrames(x), 'TYPE', { taken: 'array' }],
  ['readFrames: a chunk', (x) => readFrames([x]), 'TYPE', { taken: 'undefined', EOF: 'bytes' }],
  ['readFrames: schemas', (x) => readFrames([frame], x), 'SCHEMA', { taken: 'undefined', FRAME: 'array' }],
  ['readFrames: options', (x) => readFrames([frame], User, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['readFrames: signal', (x) => readFrames([frame], User, { signal: x }), 'TYPE', { taken: 'undefined' }],
  ['readFrames: limits', (x) => readFrames([frame], User, { limits: x }), 'TYPE', { taken: 'undefined object bare array Date Map promise' }],
  ['FrameDecoderStream: schemas', (x) => new FrameDecoderStream(x), 'SCHEMA', { taken: 'undefined array' }],
  ['FrameDecoderStream: options', (x) => new FrameDecoderStream(User, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['FrameDecoderStream: a chunk', (x) => firstOf(new FrameDecoderStream(), x), 'TYPE', { EOF: 'bytes' }],
  ['FrameEncoderStream: schema', (x) => new FrameEncoderStream(x), 'SCHEMA'],
  ['FrameEncoderStream: options', (x) => new FrameEncoderStream(User, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['FrameEncoderStream: a value', (x) => firstOf(new FrameEncoderStream(User), x), 'TYPE'],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}
