import { getEventListeners } from 'node:events'
import { encodeDirectory, open, tensor, urlSource, type UrlSourceOptions } from 'kiln-format'
import { afterEach, expect, test, vi } from 'vitest'
import { faultOf } from '../support/fault.js'
import { pattern, sendRange, serve, type Handler, type TestServer } from '../support/http.js'

const bytes = pattern(500_000)
const quick: UrlSourceOptions = { retryDelay: 1, prefetch: 1000 }
const part = (from: number, length: number): Uint8Array<ArrayBuffer> => bytes.slice(from, from + length)

const running: TestServer[] = []
async function server(handler: Handler): Promise<TestServer> {
  const started = await serve(handler)
  running.push(started)
  return started
}
afterEach(async () => {
  for (const started of running.splice(0)) await started[Symbol.asyncDispose]()
})

test('an abort ends opening, reading, waiting and standing in line', async () => {
  const reason = new Error('never mind')
  const stuck = await server((request, response, count) => {
    if (count === 1) sendRange(request, response, bytes)
  })
  await expect(urlSource(stuck.origin, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const source = await urlSource(stuck.origin, { ...quick, concurrency: 1 })
  const controllers = [new AbortController(), new AbortController()]
  const reads = controllers.map(({ signal }) => source.read(5000, 10, { signal }))
  await vi.waitFor(() => expect(stuck.seen.length).toBe(2))
  controllers[1]!.abort(reason)
  await expect(reads[1]).rejects.toBe(reason)
  controllers[0]!.abort(reason)
  await expect(reads[0]).rejects.toBe(reason)
  const busy = await server((_, response) => response.writeHead(503).end())
  const controller = new AbortController()
  const opening = urlSource(busy.origin, { retryDelay: 20_000, signal: controller.signal })
  await vi.waitFor(() => expect(busy.seen.length).toBe(1))
  controller.abort(reason)
  await expect(opening).rejects.toBe(reason)
})

test('a body that stops flowing is left by an abort', async () => {
  const stalled = await server((request, response, count) => {
    if (count === 1) return sendRange(request, response, bytes)
    response.writeHead(206, { 'Content-Range': `bytes 5000-5099/${bytes.length}`, 'Content-Length': 100 })
    response.write(part(5000, 50))
  })
  const source = await urlSource(stalled.origin, quick)
  const controller = new AbortController()
  const reading = source.read(5000, 100, { signal: controller.signal })
  await vi.waitFor(() => expect(stalled.seen.length).toBe(2))
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})

test('closing ends what is under way', async () => {
  const { origin } = await server((request, response, count) => {
    if (count === 1) sendRange(request, response, bytes)
  })
  const source = await urlSource(origin, quick)
  const reading = faultOf(source.read(5000, 10))
  await source.close?.()
  expect(await reading).toMatchObject({ code: 'TYPE' })
  expect(await faultOf(source.read(0, 10))).toMatchObject({ code: 'TYPE' })
  await source.close?.()
})

test('no more requests run at a time than allowed', async () => {
  let most = 0
  let now = 0
  const { origin } = await server((request, response) => {
    most = Math.max(most, ++now)
    setTimeout(() => {
      now--
      sendRange(request, response, bytes)
    }, 3)
  })
  const source = await urlSource(origin, { ...quick, concurrency: 5 })
  const reads = await Promise.all(Array.from({ length: 200 }, (_, i) => source.read(2000 + i * 100, 100)))
  reads.forEach((read, i) => expect(read).toEqual(part(2000 + i * 100, 100)))
  expect(most).toBe(5)
})

test('1,000 tensors loaded at once under one signal: each right, and nothing listens afterwards', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  const payload = (i: number): Uint8Array<ArrayBuffer> => part(i * 100, 64)
  const file = encodeDirectory(Array.from({ length: 1000 }, (_, i) => tensor(`t${i}`, 'u8', [64], payload(i))))
  const started = await server((request, response) => sendRange(request, response, file))
  const { signal } = new AbortController()
  const before = getEventListeners(signal, 'abort').length
  await using model = await open(urlSource(started.origin, { prefetch: 1000, signal }), { signal })
  const loaded = await Promise.all(model.names.map((name) => model.load(name, { signal })))
  loaded.forEach((t, i) => expect(t.bytes).toEqual(payload(i)))
  expect(getEventListeners(signal, 'abort').length).toBe(before)
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('warning', note)
  expect(warnings).toEqual([])
})

test('what is loaded can be written to: a later load is not changed by it', async () => {
  const file = encodeDirectory([tensor('t', 'u8', [3], Uint8Array.of(1, 2, 3))])
  const ranges = await server((request, response) => sendRange(request, response, file))
  const whole = await server((_, response) => response.writeHead(200).end(file))
  for (const { origin } of [ranges, whole]) {
    await using source = await urlSource(origin)
    for (const cache of [0, 1000]) {
      const model = await open(source, { keepOpen: true, cache })
      ;(await model.load('t')).borrow('u8').fill(9)
      expect((await model.load('t')).bytes).toEqual(Uint8Array.of(1, 2, 3))
    }
  }
})
