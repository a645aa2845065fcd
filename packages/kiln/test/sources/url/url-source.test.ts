import { urlSource, type UrlSource, type UrlSourceOptions } from 'kiln-format'
import { expect, test } from 'vitest'
import { faultOf } from '../../support/fault.js'
import { pattern } from '../../support/http.js'
import { part, script, type Script } from './scripted.js'

const file = pattern(1000)
const FAR = 2 ** 16

const openWith = (made: Script, options: UrlSourceOptions = {}): Promise<UrlSource> =>
  urlSource('https://example.org/x', { fetch: made.fetch, prefetch: 100, retryDelay: 0, label: 'x', ...options })
const ranges = (made: Script): (string | undefined)[] => made.calls.map(({ method, init }) => (method === 'HEAD' ? 'HEAD' : init.headers['Range']))

test('the first answer is kept, to its last byte', async () => {
  const made = script(part(file, 0, 100), part(file, 100, 101), part(file, 100, 120))
  const source = await openWith(made)
  expect(source.size).toBe(1000)
  expect(await source.read(0, 100)).toEqual(file.slice(0, 100))
  expect(made.calls.length).toBe(1)
  expect(await source.read(0, 101)).toEqual(file.slice(0, 101))
  expect(await source.read(100, 20)).toEqual(file.slice(100, 120))
  expect(ranges(made)).toEqual(['bytes=0-99', 'bytes=100-100', 'bytes=100-119'])
  // What was loaded can be written to.
  ;(await source.read(0, 5)).fill(0)
  expect(await source.read(0, 5)).toEqual(file.slice(0, 5))
})

test('what is kept is there while all turns are taken', async () => {
  const first = part(file, 0, 100)
  const made = script(first)
  let asked = 0
  const source = await openWith(made, { concurrency: 1, fetch: (url, init) => (asked++ === 0 ? made.fetch(url, init) : new Promise((_, reject) => (init.signal as AbortSignal).addEventListener('abort', () => reject(new Error('ended'))))) })
  const waiting = source.read(100, 10)
  waiting.catch(() => undefined)
  expect(await source.read(0, 100)).toEqual(file.slice(0, 100))
  expect(await source.read(100, 0)).toEqual(new Uint8Array(0))
  await source.close()
  expect(await faultOf(waiting)).toMatchObject({ code: 'TYPE', detail: 'x was closed while it was read' })
})

test.each([null, 'none'] as const)('a platform whose answers have no stream (%j)', async (body) => {
  const made = script(part(file, 0, 100, { body }), part(file, 100, 110, { body }))
  expect(await (await openWith(made)).read(95, 15)).toEqual(file.slice(95, 110))
})

test('pieces of any size, and reads that bring nothing', async () => {
  const made = script(part(file, 0, 100, { pieces: [file.subarray(0, 30), undefined, file.subarray(30, 100)] }), part(file, 100, 110, { pieces: [file.subarray(100, 103), undefined, file.subarray(103, 110)] }))
  const source = await openWith(made)
  expect(await source.read(0, 110)).toEqual(file.slice(0, 110))
  expect(made.cancelled).toEqual([])
})

test('an empty file has no first byte', async () => {
  const empty = script({ status: 416, headers: { 'content-range': 'bytes */0' } })
  expect((await openWith(empty)).size).toBe(0)
  expect(empty.cancelled).toEqual([0])
  expect((await openWith(script({ status: 416 }), { size: 0 })).size).toBe(0)
  const asked = script({ status: 416 }, { status: 200, headers: { 'content-length': '0' } })
  expect((await openWith(asked)).size).toBe(0)
  expect(ranges(asked)).toEqual(['bytes=0-99', 'HEAD'])
  for (const [more, options] of [[{ 'content-range': 'bytes */5' }, {}], [{}, { size: 5 }]] as const) {
    expect(await faultOf(openWith(script({ status: 416, headers: more }), options))).toMatchObject({
      code: 'FRAME', detail: "x: the server says that the file has no byte 0, and that it isn't empty",
    })
  }
})

test('the size is asked by HEAD and then by GET, whose bodies are let go', async () => {
  const hidden = { pieces: [file.subarray(0, 100)], headers: {} }
  const length = { 'content-length': '1000' }
  const ask = async (...answers: Parameters<typeof script>): Promise<[number, (string | undefined)[], number[]]> => {
    const made = script(hidden, ...answers)
    const { size } = await openWith(made)
    return [size, ranges(made), made.cancelled]
  }
  expect(await ask({ status: 200, headers: length })).toEqual([1000, ['bytes=0-99', 'HEAD'], [1]])
  const both = ['bytes=0-99', 'HEAD', undefined]
  expect(await ask({ status: 200 }, { status: 200, headers: length })).toEqual([1000, both, [1, 2]])
  expect(await ask({ status: 200, headers: { ...length, 'content-encoding': 'gzip' } }, { status: 200, headers: length })).toEqual([1000, both, [1, 2]])
  expect(await ask({ status: 206, headers: length }, { status: 200, headers: length })).toEqual([1000, both, [1, 2]])
  expect(await ask({ status: 405, headers: length }, { status: 200, headers: length })).toEqual([1000, both, [1, 2]])
  expect(await ask({ status: 503, headers: length }, { status: 200, headers: length })).toEqual([1000, both, [1, 2]])
  // Busy at the second as well: all of it is tried again.
  expect(await ask({ status: 405 }, { status: 503 }, hidden, { status: 200, headers: length })).toEqual([1000, ['bytes=0-99', 'HEAD', undefined, 'bytes=0-99', 'HEAD'], [1, 2, 4]])
  const none = script(hidden, { status: 200 }, { status: 404 })
  expect(await faultOf(openWith(none))).toMatchObject({ code: 'EOF', detail: "x: the server doesn't tell the size; give { size }, or let it send Access-Control-Expose-Headers: Content-Range" })
  const other = script({ ...hidden, headers: { etag: '"a"' } }, { status: 200, headers: { ...length, etag: '"b"' } })
  expect((await faultOf(openWith(other))).detail).toContain('its ETag was "a" and is "b"')
})

test.each<[string, Parameters<typeof script>, UrlSourceOptions, object]>([
  ['a first part that is shorter than it says', [part(file, 0, 100, { pieces: [file.subarray(0, 99)] })], {}, { code: 'EOF', offset: 0, detail: 'x: 100 bytes were to come from byte 0 on, 99 came (asked once)' }],
  ['a first part that is longer than asked for', [{ pieces: [file.subarray(0, 101)] }], {}, { code: 'FRAME', offset: 0, detail: 'x: the server sends more bytes than were asked for' }],
  ['a hidden first part that is short', [{ pieces: [file.subarray(0, 99)] }], { size: 1000 }, { code: 'EOF', offset: 0, detail: 'x: 100 bytes were to come from byte 0 on, 99 came (asked once)' }],
  ['a hidden first part of a small file that is short', [{ pieces: [file.subarray(0, 49)] }], { size: 50 }, { code: 'EOF', offset: 0, detail: 'x: 50 bytes were to come from byte 0 on, 49 came (asked once)' }],
  ['a hidden first part that is longer than the file', [{ pieces: [file.subarray(0, 51)] }], { size: 50 }, { code: 'EOF', offset: 0, detail: 'x: 50 bytes were to come from byte 0 on, 51 came (asked once)' }],
  ['a whole body that is short', [{ status: 200, headers: { 'content-length': '1000' }, pieces: [file.subarray(0, 999)] }], {}, { code: 'EOF', offset: 0, detail: 'x: 1000 bytes were to come from byte 0 on, 999 came (asked once)' }],
  ['a whole body of another size', [{ status: 200, pieces: [file] }], { size: 999 }, { code: 'FRAME', detail: 'x was changed on the server since it was opened (its size was 999 bytes and is 1000); open it again' }],
  ['a whole body told over the limit', [{ status: 200, headers: { 'content-length': '1000' } }], { wholeBodyLimit: 999 }, { code: 'LIMIT', detail: expect.stringContaining('sends all 1000 bytes') }],
  ['a whole body over the limit', [{ status: 200, pieces: [file] }], { wholeBodyLimit: 999 }, { code: 'LIMIT', detail: expect.stringContaining('sends everything') }],
])('%s', async (_, answers, options, expected) => {
  const made = script(...answers)
  expect(await faultOf(openWith(made, { retries: 0, ...options }))).toMatchObject(expected)
})

test('a body that will not be read is let go, and one that is left is cancelled', async () => {
  const limit = script({ status: 200, headers: { 'content-length': '1000' }, pieces: [file] })
  await faultOf(openWith(limit, { wholeBodyLimit: 999 }))
  const long = script({ status: 200, pieces: [file] })
  await faultOf(openWith(long, { wholeBodyLimit: 999 }))
  const judged = script({ status: 404 })
  await faultOf(openWith(judged, { retries: 0 }))
  expect([limit.cancelled, long.cancelled, judged.cancelled]).toEqual([[0], [0], [0]])
})

test('hidden parts, and small files, that are as long as they have to be', async () => {
  expect((await openWith(script({ pieces: [file.subarray(0, 100)] }), { size: 1000 })).size).toBe(1000)
  expect((await openWith(script({ pieces: [file.subarray(0, 50)] }), { size: 50 })).size).toBe(50)
  expect((await openWith(script(part(file.subarray(0, 60), 0, 60)))).size).toBe(60)
  // Less than asked for, said so, is enough for a start.
  const short = await openWith(script(part(file, 0, 40), part(file, 40, 45)))
  expect([short.size, await short.read(38, 7)]).toEqual([1000, file.slice(38, 45)])
  const whole = await openWith(script({ status: 200, headers: { 'content-length': '1000' }, pieces: [file] }), { wholeBodyLimit: 1000 })
  expect([whole.size, await whole.read(990, 10)]).toEqual([1000, file.slice(990)])
})

test('a later answer may be everything; it is checked like the first', async () => {
  const made = script(part(file, 0, 100), { status: 200, headers: { 'content-length': '1000' }, pieces: [file] })
  const source = await openWith(made)
  expect(await source.read(90, 100)).toEqual(file.slice(90, 190))
  expect(await source.read(900, 100)).toEqual(file.slice(900))
  expect(made.calls.length).toBe(2)
  const other = await openWith(script(part(file, 0, 100), { status: 200, headers: { 'content-length': '999' }, pieces: [file] }))
  expect((await faultOf(other.read(100, 5))).detail).toContain('its size was 1000 bytes and is 999')
  const shorter = script(part(file, 0, 100), { status: 416, headers: { 'content-range': 'bytes */1000' } })
  expect(await faultOf((await openWith(shorter)).read(100, 5))).toMatchObject({ code: 'FRAME', detail: expect.stringContaining('it has become shorter') as string })
  expect(shorter.cancelled).toEqual([1])
})

test('a later answer that is hidden has exactly the length asked for', async () => {
  const read = async (given: Uint8Array, options: UrlSourceOptions = {}): Promise<Uint8Array> =>
    (await openWith(script(part(file, 0, 100), { pieces: [given] }), { retries: 0, ...options })).read(100, 10)
  expect(await read(file.subarray(100, 110))).toEqual(file.slice(100, 110))
  expect(await faultOf(read(file.subarray(100, 109)))).toMatchObject({ code: 'EOF', offset: 100, detail: 'x: 10 bytes were to come from byte 100 on, 9 came (asked once)' })
  expect(await faultOf(read(file.subarray(100, 111)))).toMatchObject({ code: 'FRAME', offset: 100, detail: 'x: the server sends more bytes than were asked for' })
})

test('a broken connection is gone on from where it broke, but not where nobody says which bytes came', async () => {
  const broken = [file.subarray(100, 104), new Error('cable')]
  const told = script(part(file, 0, 100), part(file, 100, 110, { pieces: broken }), part(file, 104, 110))
  expect(await (await openWith(told)).read(100, 10)).toEqual(file.slice(100, 110))
  expect(ranges(told).slice(1)).toEqual(['bytes=100-109', 'bytes=104-109'])
  const hidden = script(part(file, 0, 100), { pieces: broken }, { pieces: [file.subarray(100, 110)] })
  expect(await (await openWith(hidden)).read(100, 10)).toEqual(file.slice(100, 110))
  expect(ranges(hidden).slice(1)).toEqual(['bytes=100-109', 'bytes=100-109'])
  const once = await openWith(script(part(file, 0, 100), part(file, 100, 110, { pieces: broken })), { retries: 0 })
  expect(await faultOf(once.read(100, 10))).toMatchObject({ code: 'EOF', detail: 'x: the connection failed (cable) (asked once)' })
})

test('a server may send less than asked for and say so; little by little it is a failure', async () => {
  const large = pattern(3 * FAR)
  const made = script(part(large, 0, 100), part(large, 100, 100 + FAR), part(large, 100 + FAR, 200 + 2 * FAR))
  expect(Buffer.compare(await (await openWith(made, { retries: 0 })).read(100, 100 + 2 * FAR), large.subarray(100, 200 + 2 * FAR))).toBe(0)
  const little = await openWith(script(part(large, 0, 100), part(large, 100, 99 + FAR)), { retries: 0 })
  expect(await faultOf(little.read(100, FAR))).toMatchObject({ code: 'EOF', offset: 100, detail: `x: ${FAR} bytes were to come from byte 100 on, ${FAR - 1} came (asked once)` })
})

test('a body that ends before it said is a failure, however much came', async () => {
  const large = pattern(3 * FAR)
  const source = await openWith(script(part(large, 0, 100), part(large, 100, 100 + 2 * FAR, { pieces: [large.subarray(100, 100 + FAR)] })), { retries: 0 })
  expect(await faultOf(source.read(100, 2 * FAR))).toMatchObject({ code: 'EOF', detail: `x: ${2 * FAR} bytes were to come from byte 100 on, ${FAR} came (asked once)` })
})

test('an abort while a body comes is its reason, and no failure', async () => {
  const controller = new AbortController()
  const made = script(part(file, 0, 100))
  const stuck: UrlSourceOptions['fetch'] = async (url, init) => {
    if (made.calls.length === 0) return made.fetch(url, init)
    return { status: 206, headers: new Headers({ 'content-range': 'bytes 100-109/1000' }), body: { getReader: () => ({ read: () => new Promise<never>(() => undefined), cancel: async () => undefined }), cancel: async () => undefined }, arrayBuffer: async () => new ArrayBuffer(0) }
  }
  const reading = (await openWith(made, { fetch: stuck, retries: 0 })).read(100, 10, { signal: controller.signal })
  await new Promise((resolve) => setTimeout(resolve, 1))
  const reason = new Error('enough')
  controller.abort(reason)
  await expect(reading).rejects.toBe(reason)
})

test('failures far from each other are not counted together', async () => {
  const large = pattern(4 * FAR)
  const cut = (from: number, bytes: number): ReturnType<typeof part> => part(large, from, 4 * FAR, { pieces: [large.subarray(from, from + bytes), new Error('cable')] })
  const read = async (step: number): Promise<Uint8Array> => {
    const made = script(part(large, 0, 100), cut(100, step), cut(100 + step, step), part(large, 100 + 2 * step, 4 * FAR))
    return (await openWith(made, { retries: 1 })).read(100, 4 * FAR - 100)
  }
  expect((await read(FAR)).length).toBe(4 * FAR - 100)
  expect((await faultOf(read(FAR - 1))).detail).toBe('x: the connection failed (cable) (asked 2 times)')
})

test('a closed source is TYPE, under way too, and is left by signals', async () => {
  const made = script(part(file, 0, 100))
  const never: UrlSourceOptions['fetch'] = (url, init) => (made.calls.length === 0 ? made.fetch(url, init) : new Promise(() => undefined))
  const controller = new AbortController()
  let listening = 0
  const signal = {
    throwIfAborted: () => controller.signal.throwIfAborted(),
    addEventListener: (_: 'abort', listener: () => void) => (listening++, controller.signal.addEventListener('abort', listener)),
    removeEventListener: (_: 'abort', listener: () => void) => (listening--, controller.signal.removeEventListener('abort', listener)),
  }
  const source = await openWith(made, { fetch: (url, init) => Promise.race([never(url, init), new Promise<never>((_, reject) => (init.signal as AbortSignal).addEventListener('abort', () => reject(new Error('aborted'))))]), signal: signal as never })
  expect(listening).toBe(0)
  const reading = faultOf(source.read(100, 5, { signal: signal as never }))
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(listening).toBe(1)
  await source[Symbol.asyncDispose]()
  expect(await reading).toMatchObject({ code: 'TYPE', detail: 'x was closed while it was read' })
  expect(listening).toBe(0)
  expect(await faultOf(source.read(0, 5))).toMatchObject({ code: 'TYPE', detail: 'x has been closed' })
})
