import { blobSource, bytesSink, bytesSource, checkRange, sourceOf, type BlobLike, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { rangeChunks, readRange } from '../../src/sources/range.js'
import { fault, faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'
import { pattern } from '../support/http.js'

const bytes = pattern(1000)
const all: readonly (readonly [string, ByteSource])[] = [
  ['bytes', bytesSource(bytes)],
  ['a view in the middle of a buffer', bytesSource(new Uint8Array([9, 9, 9, ...bytes, 9]).subarray(3, 1003))],
  ['another view', bytesSource(new DataView(bytes.buffer))],
  ['a buffer', bytesSource(bytes.buffer)],
  ['a Blob', blobSource(new Blob([bytes]))],
  ['a File', blobSource(new File([bytes], 'model.kiln'))],
  ['a slice of a Blob', blobSource(new Blob([Uint8Array.of(1, 2), bytes, Uint8Array.of(3)]).slice(2, 1002))],
]

test.each(all)('%s: every range is the range asked for', async (_, source) => {
  expect(source.size).toBe(1000)
  for (const [offset, length] of [
    [0, 1000],
    [0, 1],
    [999, 1],
    [500, 17],
    [1000, 0],
    [0, 0],
  ] as const) {
    expect([...(await source.read(offset, length))]).toEqual([...bytes.subarray(offset, offset + length)])
  }
  for (const [offset, length] of [
    [0, 1001],
    [1000, 1],
    [1001, 0],
    [999, 2],
    [2 ** 53 - 1, 1],
    [1, 2 ** 53 - 1],
  ] as const) {
    expect(await faultOf(source.read(offset, length))).toMatchObject({ code: 'EOF', offset })
  }
  for (const [offset, length] of [
    [-1, 1],
    [0, -1],
    [0.5, 1],
    [0, NaN],
    [0, Infinity],
    [2 ** 53, 0],
    ['0', 1],
  ] as const) {
    expect(await faultOf(source.read(offset as number, length))).toMatchObject({ code: 'TYPE' })
  }
  const reason = new Error('no')
  await expect(source.read(0, 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('labels', () => {
  expect(bytesSource(bytes).label).toBe('bytes')
  expect(bytesSource(bytes, 'mine').label).toBe('mine')
  expect(blobSource(new Blob([])).label).toBe('blob')
  expect(blobSource(new File([], 'model.kiln')).label).toBe('model.kiln')
  expect(sourceOf(new File([], 'model.kiln')).label).toBe('model.kiln')
})

test('bytes are borrowed, not copied', async () => {
  const read = await bytesSource(bytes).read(10, 5)
  expect([read.buffer, read.byteOffset]).toEqual([bytes.buffer, 10])
})

test('a Blob of another making is read by arrayBuffer alone', async () => {
  const like: BlobLike = {
    size: 1000,
    slice: (start = 0, end = 1000) => ({
      size: end - start,
      slice: () => {
        throw new Error('sliced again')
      },
      arrayBuffer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return bytes.slice(start, end).buffer
      },
    }),
    arrayBuffer: () => Promise.reject(new Error('all of it')),
  }
  expect(await blobSource(like).read(100, 10)).toEqual(bytes.slice(100, 110))
})

test('a File that was changed since it was picked is EOF', async () => {
  const gone: BlobLike = {
    size: 10,
    slice: () => gone,
    arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
  }
  expect(await faultOf(blobSource(gone).read(0, 1))).toMatchObject({ code: 'EOF' })
  const cut: BlobLike = { size: 10, slice: () => cut, arrayBuffer: async () => new ArrayBuffer(3) }
  expect(await faultOf(blobSource(cut).read(0, 5))).toMatchObject({ code: 'EOF' })
})

test('checkRange compares without rounding', () => {
  const source = { size: Number.MAX_SAFE_INTEGER, label: 'x' }
  expect(() => checkRange(source, Number.MAX_SAFE_INTEGER - 5, 5)).not.toThrow()
  expect(fault(() => checkRange(source, Number.MAX_SAFE_INTEGER - 4, 5))).toMatchObject({ code: 'EOF' })
})

test('readRange holds a source to its promise', async () => {
  const off = (by: number): ByteSource => ({
    size: 100,
    label: 'off',
    read: async (_, length) => new Uint8Array(length + by),
  })
  expect(await faultOf(readRange(off(-1), 5, 10))).toMatchObject({ code: 'EOF', offset: 5 })
  expect(await faultOf(readRange(off(1), 5, 10))).toMatchObject({ code: 'EOF', offset: 5 })
  expect((await readRange(off(0), 5, 10)).length).toBe(10)
  const idle = counted(bytes)
  expect((await readRange(idle, 5, 0)).length).toBe(0)
  expect(idle.reads).toEqual([])
})

test('chunks of a range come to the range', async () => {
  const source = counted(bytesSource(pattern(2 ** 20 + 10)))
  const lengths: number[] = []
  for await (const piece of rangeChunks(source, 3, 2 ** 20 + 5)) lengths.push(piece.length)
  expect(lengths).toEqual([2 ** 20, 5])
  for await (const piece of rangeChunks(source, 2 ** 20 + 10, 0)) expect(piece).toBe('nothing')
  expect(await faultOf(rangeChunks(source, 11, 2 ** 20).next())).toMatchObject({ code: 'EOF' })
})

test('a sink in memory keeps what was written, and patches', async () => {
  const sink = bytesSink()
  const chunk = Uint8Array.of(1, 2, 3)
  await sink.write(chunk)
  chunk.fill(9)
  await sink.write(pattern(5000))
  await sink.patch(1, Uint8Array.of(7))
  expect(sink.size).toBe(5003)
  expect(fault(() => sink.bytes())).toMatchObject({ code: 'TYPE' })
  expect(await faultOf(sink.patch(5003, Uint8Array.of(1)))).toMatchObject({ code: 'EOF' })
  await sink.close()
  await sink.close()
  await sink.abort()
  const out = sink.bytes()
  expect([...out]).toEqual([1, 7, 3, ...pattern(5000)])
  expect(out.buffer.byteLength).toBe(5003)
  expect(await faultOf(sink.write(chunk))).toMatchObject({ code: 'TYPE' })
  const dropped = bytesSink()
  await dropped.write(chunk)
  await dropped.abort()
  expect(dropped.size).toBe(0)
  expect(await faultOf(dropped.close())).toMatchObject({ code: 'TYPE' })
})
