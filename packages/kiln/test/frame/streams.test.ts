import { Readable } from 'node:stream'
import { ReadableStream, WritableStream } from 'node:stream/web'
import { describe, expect, test } from 'vitest'
import {
  encodeFrame, FrameDecoderStream, FrameEncoderStream, k, readFrames, tensor, type ByteInput,
} from 'kiln-format'
import { fault, faultOf } from '../support/fault.js'

const Sample = k.struct({ batch: k.tensors, id: k.u32, name: k.string })
const sample = (id: number): Uint8Array =>
  encodeFrame(Sample, { batch: [tensor('x', 'f32', [2], [id, -id])], id, name: `n${id}` }, { schema: id % 2 === 0, checksum: id % 3 === 0 })
const frames = [1, 2, 3].map(sample)
const all = Buffer.concat(frames)

async function ids(source: Parameters<typeof readFrames>[0]): Promise<number[]> {
  const seen: number[] = []
  for await (const frame of readFrames(source, Sample)) {
    expect(frame.value.batch.at(0).borrow('f32')[0]).toBe(frame.value.id)
    seen.push(frame.value.id)
  }
  return seen
}

function pieces(size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.subarray(i * size, (i + 1) * size))
}

describe('cut anyhow', () => {
  test.each([1, 2, 3, 7, 31, 32, 33, 64, 100, 1000])('into chunks of %d bytes', async (size) => {
    expect(await ids(pieces(size))).toEqual([1, 2, 3])
  })

  test('into two at every place, with empty chunks between', async () => {
    for (let cut = 0; cut <= all.length; cut += 3) {
      expect(await ids([new Uint8Array(0), all.subarray(0, cut), new Uint8Array(0), all.subarray(cut)])).toEqual([1, 2, 3])
    }
  })
})

describe('sources', () => {
  async function* generator(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces(50)) yield await Promise.resolve(piece)
  }
  test.each<[string, () => Parameters<typeof readFrames>[0]]>([
    ['an array', () => pieces(40)],
    ['an async generator', generator],
    ['a Node stream', () => Readable.from(pieces(40)) as AsyncIterable<ByteInput>],
    ['a Web stream', () => new ReadableStream<Uint8Array>({ start: (c) => { pieces(40).forEach((p) => c.enqueue(p)); c.close() } }) as never],
    ['a stream that has a reader and no iterator', () => ({ getReader: () => readerOf(pieces(40)) })],
  ])('%s', async (_, source) => {
    expect(await ids(source())).toEqual([1, 2, 3])
  })

  function readerOf(list: Uint8Array[]): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void>; releaseLock(): void } {
    const left = [...list]
    return {
      read: () => {
        const value = left.shift()
        return Promise.resolve(value === undefined ? { done: true } : { done: false, value })
      },
      cancel: () => Promise.resolve(),
      releaseLock: () => undefined,
    }
  }

  test('no chunks are no frames; no stream is TYPE', async () => {
    expect(await ids([])).toEqual([])
    expect(await faultOf(ids(all as never))).toMatchObject({ code: 'TYPE' })
    expect((await faultOf(ids({} as never))).detail).toContain('frames are read from a stream or an iterable of chunks')
    for (const [given, shown] of [['text', '"text"'], [7, '7'], [null, 'null'], [undefined, 'undefined']] as const) {
      expect(await faultOf(ids(given as never))).toMatchObject({
        code: 'TYPE', detail: `frames are read from a stream or an iterable of chunks, got ${shown}; iterateFrames takes bytes`,
      })
    }
  })

  test('a source with a getReader that is no function is iterated', async () => {
    expect(await ids(Object.assign(pieces(40), { getReader: undefined }))).toEqual([1, 2, 3])
  })

  test('a read that brings nothing is passed over', async () => {
    const reader = readerOf(pieces(40))
    let reads = 0
    const source = { getReader: () => ({ ...reader, read: () => (++reads % 2 === 1 ? Promise.resolve({ done: false }) : reader.read()) }) }
    expect(await ids(source)).toEqual([1, 2, 3])
  })

  test('a chunk that is no bytes is TYPE', async () => {
    expect((await faultOf(ids(['text' as never]))).code).toBe('TYPE')
  })
})

describe('ends', () => {
  test('inside a frame, at any byte, is EOF with the place of that frame', async () => {
    for (const length of [1, 31, 32, frames[0]!.length - 1]) {
      expect(await faultOf(ids([all.subarray(0, frames[0]!.length + length)]))).toMatchObject({
        code: 'EOF', offset: frames[0]!.length,
      })
    }
  })

  test('frames before a fault are given, and offsets count from the start of the stream', async () => {
    const bad = Buffer.from(all)
    bad[frames[0]!.length + 4] = 9
    const stream = readFrames([bad], Sample)
    expect((await stream.next()).value?.value.id).toBe(1)
    expect(await faultOf(stream.next())).toMatchObject({ code: 'FRAME', offset: frames[0]!.length + 4 })
  })

  test('a frame that announces a body over the cap is refused before it arrives', async () => {
    const head = frames[0]!.slice(0, 32)
    new DataView(head.buffer).setBigUint64(24, 2n ** 30n + 1n, true)
    expect(await faultOf(ids([head]))).toMatchObject({ code: 'LIMIT', offset: 24 })
    new DataView(head.buffer).setBigUint64(24, 2n ** 30n, true)
    expect((await faultOf(ids([head]))).code).toBe('EOF')
    expect((await faultOf(readFrames([frames[0]!], Sample, { limits: { body: 4 } }).next())).code).toBe('LIMIT')
  })

  test('a frame of another schema is refused before its body arrives, and before its length is looked at', async () => {
    const foreign = encodeFrame(k.struct({ other: k.u8 }), { other: 1 })
    const refused = { code: 'FRAME', offset: all.length + 16 }
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield all
      yield foreign.subarray(0, 32)
      await Promise.reject(new Error('nothing more should be asked for'))
    }
    const read = async (limits: object): Promise<void> => {
      for await (const frame of readFrames(chunks(), Sample, { limits })) void frame
    }
    expect(await faultOf(read({}))).toMatchObject(refused)
    new DataView(foreign.buffer).setBigUint64(24, 2n ** 40n, true)
    expect(await faultOf(read({ body: 2 ** 20 }))).toMatchObject(refused)
  })

  test('the source is told when nobody wants more', async () => {
    let stopped = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield await Promise.resolve(all)
      } finally {
        stopped++
      }
    }
    for await (const frame of readFrames(endless(), Sample)) if (frame.value.id === 2) break
    expect(stopped).toBe(1)
    let cancelled = 0
    const stream = new ReadableStream<Uint8Array>({ pull: (c) => c.enqueue(all), cancel: () => { cancelled++ } })
    for await (const _ of readFrames(stream as never, Sample)) break
    await new Promise((done) => setTimeout(done, 5))
    expect(cancelled).toBe(1)
    expect(stream.locked).toBe(false)
  })

  test('a source that has come to its end is not told to stop', async () => {
    let stopped = 0
    const source = (): AsyncIterable<Uint8Array> => {
      const left = pieces(40)
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve(left.length === 0 ? { done: true, value: undefined } : { done: false, value: left.shift()! }),
          return: () => {
            stopped++
            return Promise.resolve({ done: true, value: undefined })
          },
        }),
      }
    }
    expect(await ids(source())).toEqual([1, 2, 3])
    expect(stopped).toBe(0)
    for await (const _ of readFrames(source(), Sample)) break
    expect(stopped).toBe(1)
  })

  test('a body that is longer than its value is TRAILING in a stream too', async () => {
    const long = encodeFrame(k.u8, 1)
    long[24] = 2
    expect(await faultOf(readFrames([long, Uint8Array.of(0), encodeFrame(k.u8, 2)], k.u8).next())).toMatchObject({ code: 'TRAILING', offset: 33 })
  })

  test('a chunk is asked for only when the frames before it are taken', async () => {
    let asked = 0
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (const frame of frames) {
        asked++
        yield await Promise.resolve(frame)
      }
    }
    const reader = readFrames(counted(), Sample)
    await reader.next()
    expect(asked).toBe(1)
    await reader.next()
    expect(asked).toBe(2)
  })

  test('an abort ends it with the reason, while waiting too', async () => {
    const controller = new AbortController()
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }
    const waiting = readFrames(never, Sample, { signal: controller.signal }).next()
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(readFrames([all], Sample, { signal: AbortSignal.abort(new Error('before')) }).next()).rejects.toThrow('before')
  })

  test('an error of the source is the source\'s own', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(frames[0]!)
      throw new RangeError('cable')
    }
    await expect(ids(broken())).rejects.toThrow(RangeError)
  })
})

describe('Web Streams', () => {
  test('frames go in and come out, through both transforms', async () => {
    const values = [1, 2, 3].map((id) => ({ batch: [tensor('x', 'u8', [1], [id])], id, name: '' }))
    const source = new ReadableStream({ start: (c) => { values.forEach((v) => c.enqueue(v)); c.close() } })
    const seen: number[] = []
    // Without a cast: they fit the platform's own types.
    const decoded = source.pipeThrough(new FrameEncoderStream(Sample, { schema: true })).pipeThrough(new FrameDecoderStream([Sample]))
    await decoded.pipeTo(new WritableStream({ write: (frame) => { seen.push(frame.value.id) } }))
    expect(seen).toEqual([1, 2, 3])
  })

  test('a fault makes the stream fail with its KilnError', async () => {
    const run = (chunks: Uint8Array[]): Promise<void> => {
      const source = new ReadableStream({ start: (c) => { chunks.forEach((v) => c.enqueue(v)); c.close() } })
      return source.pipeThrough(new FrameDecoderStream(Sample)).pipeTo(new WritableStream())
    }
    expect((await faultOf(run([all.subarray(0, 50)]))).code).toBe('EOF')
    expect((await faultOf(run([new Uint8Array(40)]))).code).toBe('FRAME')
    await run([all])
  })

  test('a platform without transforms is told so', () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'TransformStream')!
    Object.defineProperty(globalThis, 'TransformStream', { value: undefined, configurable: true })
    try {
      expect(fault(() => new FrameDecoderStream(Sample))).toMatchObject({
        code: 'TYPE', detail: 'this platform has no TransformStream; read frames with readFrames instead',
      })
    } finally {
      Object.defineProperty(globalThis, 'TransformStream', own)
    }
  })
})
