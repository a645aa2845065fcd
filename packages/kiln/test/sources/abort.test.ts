import { blobSource, bytesSink, bytesSource, sourceOf } from 'kiln-format'
import { expect, test } from 'vitest'
import { linkedAbort, onAbort, unlessAborted } from '../../src/sources/abort.js'
import { Turns } from '../../src/sources/url/turns.js'
import { rangeChunks, readRange } from '../../src/sources/range.js'
import { fault, faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

function watchedSignal(): { signal: AbortSignal; controller: AbortController; listeners: () => number } {
  const controller = new AbortController()
  let count = 0
  const { signal } = controller
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (...given: Parameters<typeof add>) => (count++, add(...given))
  signal.removeEventListener = (...given: Parameters<typeof remove>) => ((count -= given[0] === 'abort' ? 1 : 0), remove(...given))
  return { signal, controller, listeners: () => count }
}

test('many who wait under a signal are one listener, which goes with the last', () => {
  const { signal, controller, listeners } = watchedSignal()
  const called: string[] = []
  const stopA = onAbort(signal, () => called.push('a'))
  const stopB = onAbort(signal, () => called.push('b'))
  expect(listeners()).toBe(1)
  stopA()
  stopA()
  expect(listeners()).toBe(1)
  stopB()
  expect(listeners()).toBe(0)
  stopB()
  expect(listeners()).toBe(0)
  // Afterwards it begins anew, and an old end ends nothing.
  const stopC = onAbort(signal, () => called.push('c'))
  stopB()
  expect(listeners()).toBe(1)
  controller.abort()
  expect(called).toEqual(['c'])
  stopC()
  expect(listeners()).toBe(0)
})

test('who waits gets the value, the error, or the reason, and nothing listens afterwards', async () => {
  const { signal, controller, listeners } = watchedSignal()
  expect(await unlessAborted(Promise.resolve(5), signal)).toBe(5)
  await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  expect(listeners()).toBe(0)
  const waiting = unlessAborted(new Promise(() => undefined), signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(unlessAborted(new Promise(() => undefined), signal)).rejects.toThrow('enough')
  expect(listeners()).toBe(0)
  expect(await unlessAborted(Promise.resolve(6), undefined)).toBe(6)
})

test('who has had a turn, or has left the line, listens no more', async () => {
  const { signal, controller, listeners } = watchedSignal()
  const turns = new Turns(1)
  let end = (): void => undefined
  const first = turns.run(signal, () => new Promise<void>((resolve) => (end = resolve)))
  const second = turns.run(signal, async () => expect(listeners()).toBe(0))
  await Promise.resolve()
  expect(listeners()).toBe(1)
  end()
  await Promise.all([first, second])
  const holding = turns.run(new AbortController().signal, () => new Promise<void>((resolve) => (end = resolve)))
  const third = turns.run(signal, async () => undefined).catch(() => undefined)
  controller.abort()
  await third
  expect(listeners()).toBe(0)
  end()
  await holding
})

test('a linked signal follows the outer one until it is unlinked, and can be aborted alone', () => {
  const { controller, signal, listeners } = watchedSignal()
  const linked = linkedAbort(signal)
  const left = linkedAbort(signal)
  left.unlink()
  linked.abort('alone')
  expect([linked.signal, signal].map((s) => (s as AbortSignal).aborted)).toEqual([true, false])
  linked.unlink()
  expect(listeners()).toBe(0)
  const second = linkedAbort(signal)
  controller.abort('outer')
  expect([(second.signal as AbortSignal).reason, (left.signal as AbortSignal).aborted]).toEqual(['outer', false])
  expect((linkedAbort(signal).signal as AbortSignal).reason).toBe('outer')
  expect((linkedAbort(undefined).signal as AbortSignal).aborted).toBe(false)
})

test('what is a source, a Blob, or neither', async () => {
  const [slice, arrayBuffer, read] = [(): never => ({}) as never, async () => new ArrayBuffer(0), async () => new Uint8Array(0)]
  for (const given of [{ size: 1 }, { read }, { size: '1', read }, { size: 1, slice }, { size: 1, arrayBuffer }, { slice, arrayBuffer }, { size: '1', slice, arrayBuffer }, Object.assign(() => 0, { size: 1, read, slice, arrayBuffer })]) {
    expect(fault(() => sourceOf(given as never))).toMatchObject({ code: 'TYPE', detail: expect.not.stringContaining('openFile') as string })
    expect(fault(() => blobSource(given as never))).toMatchObject({ code: 'TYPE', detail: 'blobSource takes a Blob or a File' })
  }
  expect(fault(() => sourceOf(5 as never)).detail).toBe('a source expected (a ByteSource, a Blob or bytes), got 5')
  expect(fault(() => sourceOf('a' as never)).detail).toBe('a source expected (a ByteSource, a Blob or bytes), got "a"; openFile of kiln-format/node opens a path, urlSource a URL')
  const source = { size: 1, label: 'x', read }
  expect(sourceOf(source as never)).toBe(source)
  for (const name of ['', 5]) expect(blobSource(Object.assign({ size: 1, slice, arrayBuffer }, { name })).label).toBe('blob')
  const gone = new Error('gone')
  const blob = blobSource({ size: 5, slice: () => ({ size: 5, slice, arrayBuffer: () => Promise.reject(gone) }), arrayBuffer })
  expect(await blob.read(2, 0)).toEqual(new Uint8Array(0))
  expect(await blob.read(1, 2).catch((error: unknown) => error)).toMatchObject({ code: 'EOF', offset: 1, cause: gone })
})

test('a range that a source has not is not asked for', async () => {
  const careless = { size: 10, label: 'careless', asked: 0, read: async (_: number, length: number) => (careless.asked++, new Uint8Array(length)) }
  expect(await faultOf(readRange(careless, 8, 3))).toMatchObject({ code: 'EOF', offset: 8 })
  expect(await faultOf(readRange(careless, 11, 0))).toMatchObject({ code: 'EOF', offset: 11 })
  expect(await faultOf(rangeChunks(careless, 0, 11).next())).toMatchObject({ code: 'EOF', offset: 0 })
  expect(await faultOf(rangeChunks(careless, 0, 2 ** 21).next())).toMatchObject({ code: 'EOF', offset: 0, detail: 'careless: 2097152 bytes from byte 0 on asked for, it has 10' })
  expect(careless.asked).toBe(0)
  const source = counted(bytesSource(new Uint8Array(2 ** 21)))
  for await (const piece of rangeChunks(source, 0, 2 ** 21)) expect(piece.length).toBe(2 ** 20)
  expect(source.reads.length).toBe(2)
})

test('a sink in memory is open until it is closed, and takes options without a signal', async () => {
  const sink = bytesSink()
  await sink.write(Uint8Array.of(1), {})
  await sink.write(new Uint8Array(1023).fill(2))
  await sink.write(new Uint8Array(5000).fill(3))
  await sink.close()
  expect(sink.bytes()).toEqual(Uint8Array.from({ length: 6024 }, (_, i) => (i === 0 ? 1 : i < 1024 ? 2 : 3)))
  expect(await faultOf(sink.patch(0, Uint8Array.of(1)))).toMatchObject({ code: 'TYPE', detail: 'the sink is closed; nothing more can be written' })
})

test('an abort after the last piece of a range comes too late', async () => {
  const controller = new AbortController()
  const pieces: number[] = []
  for await (const piece of rangeChunks(bytesSource(new Uint8Array(2 ** 20 + 5)), 1, 2 ** 20, { signal: controller.signal })) {
    pieces.push(piece.length)
    controller.abort(new Error('too late'))
  }
  expect(pieces).toEqual([2 ** 20])
})

test('a sink in memory tells a chunk whose memory went elsewhere, and takes any view as its bytes', async () => {
  const sink = bytesSink()
  const gone = new Uint8Array(2)
  structuredClone(gone.buffer, { transfer: [gone.buffer] })
  await sink.write(Uint16Array.of(0x201) as never)
  for (const step of [sink.write(gone), sink.patch(0, gone)]) expect(await faultOf(step)).toMatchObject({ code: 'TYPE', detail: 'the memory of a Uint8Array was transferred or resized away; give the bytes where they are now' })
  await sink.patch(1, Uint8Array.of(3))
  await sink.close()
  expect([...sink.bytes()]).toEqual([1, 3])
})
