import {
  bytesSource, decode, decodeFrame, decodePrefix, DirectoryReader, encode, encodeDirectory, encodeInto, encodeParts, iterate, iterateFrames, k, open,
  placeFor, project, readDirectory, readFrameHeader, readFrames, tensor, verifyDirectory, view, type ByteInput,
} from 'kiln-format'
import { describe, expect, test } from 'vitest'
import { toBytes } from '../../src/bytes/input.js'
import { fault, faultOf } from '../support/fault.js'

/** Bytes whose memory went to another thread. */
function gone(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

const Resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer & { resize(length: number): void }

/** Bytes past the end of a buffer that was made smaller since: they pass for none. */
function cutOff(length: number): Uint8Array {
  const buffer = new Resizable(16, { maxByteLength: 32 })
  const bytes = new Uint8Array(buffer, 8, length)
  buffer.resize(7)
  return bytes
}

const lost = { code: 'TYPE', detail: 'the memory of a Uint8Array was transferred or resized away; give the bytes where they are now' }

describe('bytes that were transferred are told as such', () => {
  const pair = k.struct({ a: k.u8, b: k.u8 })
  const calls: readonly [string, (bytes: ByteInput) => unknown][] = [
    ['decode', (bytes) => decode(k.u8, bytes)],
    ['view', (bytes) => view(k.u8, bytes)],
    ['decodePrefix', (bytes) => decodePrefix(k.u8, bytes)],
    ['iterate', (bytes) => iterate(k.list(k.u8), bytes)],
    ['project', (bytes) => project(pair, ['a'])(bytes)],
    ['readDirectory', (bytes) => readDirectory(bytes)],
    ['verifyDirectory', (bytes) => verifyDirectory(bytes)],
    ['DirectoryReader', (bytes) => new DirectoryReader().read(bytes)],
    ['decodeFrame', (bytes) => decodeFrame(bytes)],
    ['readFrameHeader', (bytes) => readFrameHeader(bytes)],
    ['iterateFrames', (bytes) => iterateFrames(bytes).next()],
    ['placeFor', (bytes) => placeFor(k.list(k.tensors), bytes)],
    ['encode', (bytes) => encode(k.bytes, bytes as Uint8Array)],
    ['encodeParts', (bytes) => encodeParts(k.bytes, bytes as Uint8Array)],
    ['encodeInto', (bytes) => encodeInto(k.u8, 1, bytes)],
    ['a list of numbers', (bytes) => encode(k.list(k.u8), bytes as Uint8Array)],
    ['tensor', (bytes) => tensor('', 'u8', [0], bytes)],
    ['encodeDirectory', (bytes) => encodeDirectory([{ dtype: 'u8', shape: [0], data: bytes }])],
    ['bytesSource', (bytes) => bytesSource(bytes)],
  ]
  test.each(calls)('%s', (_, call) => {
    // Full once, or empty all along: neither has memory.
    for (const length of [4, 0]) expect(fault(() => call(gone(length)))).toMatchObject(lost)
  })
  test.each(calls)('%s, of a buffer that is smaller now', (_, call) => {
    for (const length of [4, 0]) expect(fault(() => call(cutOff(length)))).toMatchObject(lost)
  })

  test('in typed arrays of another kind than the list is of', () => {
    const buffer = new Resizable(16, { maxByteLength: 32 })
    const wide = new Float64Array(buffer, 8, 1)
    buffer.resize(7)
    const moved = new Uint16Array(2)
    structuredClone(moved.buffer, { transfer: [moved.buffer] })
    const detail = (name: string): string => lost.detail.replace('Uint8Array', name)
    expect(fault(() => encode(k.list(k.f32), wide as never))).toMatchObject({ code: 'TYPE', detail: detail('Float64Array') })
    expect(fault(() => encode(k.list(k.u8), moved as never))).toMatchObject({ code: 'TYPE', detail: detail('Uint16Array') })
    expect(encode(k.list(k.f32), new Float64Array(0) as never)).toEqual(new Uint8Array(4))
  })

  test('also after messages of the same buffer, whose view is kept', () => {
    const bytes = encode(k.u32, 7)
    expect(decode(k.u32, bytes)).toBe(7)
    const reader = new DirectoryReader()
    const block = encodeDirectory([])
    expect(reader.read(block).length).toBe(0)
    structuredClone([bytes, block], { transfer: [bytes.buffer, block.buffer] })
    expect(fault(() => decode(k.u32, bytes))).toMatchObject(lost)
    expect(fault(() => reader.read(block))).toMatchObject(lost)
  })

  test('in streams and sources too', async () => {
    const read = async (): Promise<void> => {
      for await (const frame of readFrames([gone(4)])) void frame
    }
    expect(await faultOf(read())).toMatchObject(lost)
    expect(await faultOf((async () => open(bytesSource(gone(4))))())).toMatchObject(lost)
  })
})

test('bytes are taken as they are, and any other view or buffer as bytes of the same memory', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4)
  expect(toBytes(bytes)).toBe(bytes)
  const buffer = Buffer.from(bytes.buffer, 1, 2)
  for (const [given, offset, length] of [[bytes.buffer, 0, 4], [new Uint16Array(bytes.buffer, 2, 1), 2, 2], [new DataView(bytes.buffer, 1), 1, 3], [buffer, 1, 2]] as const) {
    const taken = toBytes(given)
    expect([taken.constructor, taken.buffer, taken.byteOffset, taken.length]).toEqual([Uint8Array, bytes.buffer, offset, length])
  }
  const none = bytes.subarray(3, 3)
  expect(toBytes(none)).toMatchObject({ buffer: bytes.buffer, byteOffset: 3, length: 0 })
})

test('a view of no bytes is one, of whatever kind', () => {
  for (const view of [new DataView(new ArrayBuffer(0)), new DataView(new ArrayBuffer(4), 4), new Uint8Array(0), new Float64Array(new ArrayBuffer(8), 8), new ArrayBuffer(0)]) {
    expect([...toBytes(view)]).toEqual([])
    expect(encode(k.bytes, view)).toEqual(Uint8Array.of(0, 0, 0, 0))
  }
})
