import { describe, expect, test } from 'vitest'
import {
  bytesSource, crc32, decode, encode, encodeDirectory, encodeFrame, iterate, iterateFrames, iterateView, k, open, readDirectory, readFrames,
  tensor, view,
} from 'kiln-format'
import { walk } from 'kiln-format/walk'
import { fault, faultOf } from '../support/fault.js'

const GONE = {
  code: 'TYPE', path: '', offset: undefined,
  detail: 'the bytes that were read have been transferred or resized away; keep them, or copy what is needed before',
}

function transfer(bytes: Uint8Array): void {
  structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] })
}

// Newer than the language that the tests are written for.
const ResizableBuffer = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer

/** Bytes as they were, and how their memory goes: to another thread, or by becoming smaller. */
const WAYS: readonly (readonly [name: string, place: (bytes: Uint8Array) => Uint8Array, take: (bytes: Uint8Array) => void])[] = [
  ['transferred', (bytes) => Uint8Array.from(bytes), (bytes) => transfer(bytes)],
  [
    'made smaller',
    (bytes) => {
      const buffer = new ResizableBuffer(bytes.length, { maxByteLength: 4096 })
      new Uint8Array(buffer).set(bytes)
      return new Uint8Array(buffer, 0, bytes.length)
    },
    (bytes) => (bytes.buffer as unknown as { resize(length: number): void }).resize(4),
  ],
]

const Row = k.struct({ id: k.u32, name: k.string })
const rows = encode(k.list(Row), [{ id: 1, name: 'one' }, { id: 2, name: 'two' }])
const numbers = encode(k.list(k.f32), [1, -2])
const block = encodeDirectory([tensor('w', 'f32', [2], [1, 2]), tensor('none', 'f32', [0], [])])
const frame = encodeFrame(k.u32, 5, { schema: true })
const frames = Uint8Array.from([...frame, ...frame])

describe.each(WAYS)('memory that was %s', (_, place, take) => {
  /** What `first` makes of the bytes, once they are gone. */
  function afterwards<T>(bytes: Uint8Array, first: (placed: Uint8Array) => T): T {
    const placed = place(bytes)
    const made = first(placed)
    take(placed)
    return made
  }

  test('a borrowed list gives no zeros for its numbers', () => {
    const list = afterwards(numbers, (bytes) => view(k.list(k.f32), bytes))
    expect(list.length).toBe(2)
    const uses = [() => list.at(1), () => list.copy(), () => list.load(new Float32Array(2)), () => list.borrow(), () => list.bytes, () => [...list]]
    for (const use of uses) expect(fault(use)).toMatchObject(GONE)
    expect(fault(() => encode(k.list(k.f32), list as never))).toMatchObject(GONE)
  })

  test('an empty list has lost nothing', () => {
    const list = afterwards(encode(k.list(k.f32), []), (bytes) => view(k.list(k.f32), bytes))
    expect([list.copy(), list.borrow(), list.bytes.length, list.load(new Float32Array(0))]).toEqual([new Float32Array(0), new Float32Array(0), 0, 0])
  })

  test("a tensor gives no zeros for its payload", () => {
    const directory = place(block)
    const w = readDirectory(directory).get('w')
    take(directory)
    for (const use of [() => w.copy(), () => w.load(new Float32Array(2)), () => w.borrow(), () => w.bytes]) expect(fault(use)).toMatchObject(GONE)
    expect(fault(() => encodeDirectory([w]))).toMatchObject(GONE)
  })

  test('a table of its own outlives the payloads, and an empty tensor has lost none', () => {
    const directory = afterwards(block, (bytes) => decode(k.tensors, bytes))
    expect([directory.names, directory.get('w').shape, directory.get('none').bytes.length]).toEqual([['w', 'none'], [2], 0])
    expect(fault(() => directory.get('w').bytes)).toMatchObject(GONE)
  })

  test('what is read one by one ends where its memory does', () => {
    for (const goThrough of [iterate, iterateView]) {
      const placed = place(rows)
      const each = goThrough(k.list(Row), placed)
      expect(each.next().value).toEqual({ id: 1, name: 'one' })
      take(placed)
      expect(fault(() => each.next())).toMatchObject(GONE)
      const unread = afterwards(rows, (bytes) => goThrough(k.list(Row), bytes))
      expect(fault(() => unread.next())).toMatchObject(GONE)
    }
    const placed = place(frames)
    const each = iterateFrames(placed)
    expect(each.next().value).toMatchObject({ value: 5, offset: 0 })
    take(placed)
    expect(fault(() => each.next())).toMatchObject(GONE)
  })

  test('a chunk of a stream that is needed for the next frame', async () => {
    const placed = place(frames)
    const each = readFrames([placed.subarray(0, frame.length + 9), frames.subarray(frame.length + 9)])
    expect((await each.next()).value).toMatchObject({ value: 5 })
    take(placed)
    expect(await faultOf(each.next())).toMatchObject({
      code: 'TYPE', detail: 'a chunk was transferred or resized away before its frame had come; give each in memory of its own',
    })
  })
})

test('a table in ordinary memory goes with it', () => {
  const placed = Uint8Array.from(block)
  const directory = readDirectory(placed)
  const w = directory.at(0)
  transfer(placed)
  for (const use of [() => directory.names, () => directory.get('w'), () => directory.has('w'), () => w.name, () => w.shape, () => w.dtype]) {
    expect(fault(use)).toMatchObject(GONE)
  }
})

test('an owned value keeps its table, and has lost its payloads', () => {
  const Batch = k.struct({ tensors: k.tensors })
  const placed = encode(Batch, { tensors: readDirectory(block) })
  const { tensors } = decode(Batch, placed)
  transfer(placed)
  expect(tensors.names).toEqual(['w', 'none'])
  expect(tensors.get('w').shape).toEqual([2])
  expect(fault(() => tensors.get('w').copy())).toMatchObject(GONE)
  expect(tensors.get('none').copy()).toEqual(new Float32Array(0))
})

test('a source over bytes, and a model that was opened from it', async () => {
  const placed = Uint8Array.from(block)
  const source = bytesSource(placed)
  const model = await open(placed)
  transfer(placed)
  expect(await faultOf(source.read(0, 4))).toMatchObject(GONE)
  expect(await source.read(0, 0)).toEqual(new Uint8Array(0))
  expect(await faultOf(model.load('w'))).toMatchObject(GONE)
})

test('a walk', () => {
  const placed = encode(k.list(k.string), Array.from({ length: 1000 }, () => 'text'))
  const spans = walk(placed, { as: k.list(k.string) })
  spans.next()
  transfer(placed)
  expect(fault(() => [...spans])).toMatchObject(GONE)
})

test('a checksum is of bytes, whatever holds them', () => {
  const bytes = Uint8Array.of(0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38)
  expect(crc32(bytes)).toBe(0x9ae0daaf)
  // By elements, as it was, these would have other sums, and a buffer none.
  for (const same of [bytes.buffer, new Uint32Array(bytes.buffer), new DataView(bytes.buffer)]) expect(crc32(same as never)).toBe(0x9ae0daaf)
})

test('a payload whose last byte is gone is gone', () => {
  const alone = encodeDirectory([tensor('w', 'f32', [2], [1, 2])])
  const buffer = new ResizableBuffer(alone.length, { maxByteLength: 4096 })
  const bytes = new Uint8Array(buffer)
  bytes.set(alone)
  const w = readDirectory(bytes).get('w')
  expect([...w.bytes]).toEqual([0, 0, 128, 63, 0, 0, 0, 64])
  ;(buffer as unknown as { resize(length: number): void }).resize(alone.length - 1)
  expect(fault(() => w.bytes)).toMatchObject(GONE)
})

test('a directory says so of its names and facts, wherever it lies', () => {
  const Batch = k.struct({ id: k.string, tensors: k.tensors })
  const alone = Uint8Array.from(block)
  const message = encode(Batch, { id: 'abc', tensors: readDirectory(block) })
  const directories = [readDirectory(alone), view(Batch, message).tensors]
  // Memory that can shrink is another matter: there the table was copied.
  transfer(alone)
  transfer(message)
  for (const directory of directories) {
    for (const use of [() => directory.get('w'), () => directory.has('w'), () => directory.names, () => directory.at(0).dtype, () => directory.at(0).shape]) {
      expect(fault(use)).toMatchObject(GONE)
    }
  }
})
