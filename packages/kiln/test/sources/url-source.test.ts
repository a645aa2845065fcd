import { gzipSync } from 'node:zlib'
import { urlSource, type FetchLike, type UrlSourceOptions } from 'kiln-format'
import { afterEach, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { pattern, rangeOf, sendRange, serve, type Handler, type TestServer } from '../support/http.js'

const bytes = pattern(500_000)
const quick: UrlSourceOptions = { retryDelay: 1, prefetch: 1000 }

const running: TestServer[] = []
async function server(handler: Handler): Promise<TestServer> {
  const started = await serve(handler)
  running.push(started)
  return started
}
afterEach(async () => {
  for (const started of running.splice(0)) await started[Symbol.asyncDispose]()
})

const good: Handler = (request, response) => sendRange(request, response, bytes)
const part = (from: number, length: number): Uint8Array => bytes.slice(from, from + length)

test('one request opens, and what it brought is kept', async () => {
  const { origin, seen } = await server(good)
  const source = await urlSource(`${origin}/model.kiln?signature=secret`, { prefetch: 1000 })
  expect(source.size).toBe(bytes.length)
  expect(source.label).toBe(`${origin}/model.kiln?…`)
  expect(await source.read(0, 1000)).toEqual(part(0, 1000))
  expect(await source.read(500, 100)).toEqual(part(500, 100))
  expect(seen.map(({ range }) => range)).toEqual(['bytes=0-999'])
  expect(await source.read(900, 300)).toEqual(part(900, 300))
  expect(await source.read(499_990, 10)).toEqual(part(499_990, 10))
  expect(seen.map(({ range }) => range)).toEqual(['bytes=0-999', 'bytes=1000-1199', 'bytes=499990-499999'])
  // Platforms add it once more.
  for (const { method, headers } of seen)
    expect([method, headers['accept-encoding']?.split(', ')[0]]).toEqual(['GET', 'identity'])
  expect(await source.read(500_000, 0)).toEqual(new Uint8Array(0))
})

test('a range that is not there is refused before anything is asked', async () => {
  const { origin, seen } = await server(good)
  const source = await urlSource(origin, quick)
  for (const [offset, length, code] of [
    [499_999, 2, 'EOF'],
    [500_001, 0, 'EOF'],
    [-1, 1, 'TYPE'],
    [0, 1.5, 'TYPE'],
    [NaN, 1, 'TYPE'],
    [0, Infinity, 'TYPE'],
  ] as const) {
    expect(await faultOf(source.read(offset, length))).toMatchObject({ code })
  }
  expect(seen.length).toBe(1)
})

test('a file that is smaller than the first request, and an empty one', async () => {
  const small = await server((request, response) => sendRange(request, response, part(0, 10)))
  expect((await urlSource(small.origin)).size).toBe(10)
  const empty416 = await server((_, response) => response.writeHead(416, { 'Content-Range': 'bytes */0' }).end())
  expect((await urlSource(empty416.origin, quick)).size).toBe(0)
  const empty200 = await server((_, response) => response.writeHead(200, { 'Content-Length': 0 }).end())
  expect((await urlSource(empty200.origin, quick)).size).toBe(0)
})

test('a server that ignores Range sends everything once, up to a limit', async () => {
  const { origin, seen } = await server((_, response) =>
    response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes),
  )
  const source = await urlSource(origin, quick)
  expect(source.size).toBe(bytes.length)
  expect(await source.read(250_000, 1000)).toEqual(part(250_000, 1000))
  expect(seen.length).toBe(1)
  const error = await faultOf(urlSource(origin, { ...quick, wholeBodyLimit: 499_999 }))
  expect(error.code).toBe('LIMIT')
  expect(error.detail).toContain('wholeBodyLimit')
  expect((await urlSource(origin, { ...quick, wholeBodyLimit: 500_000 })).size).toBe(500_000)
})

test('everything without a length is read up to the limit and no further', async () => {
  let sent = 0
  const { origin } = await server((_, response) => {
    response.writeHead(200)
    const more = (): void => {
      if (response.destroyed) return
      sent += 65_536
      response.write(pattern(65_536), () => setTimeout(more, 0))
    }
    more()
  })
  expect(await faultOf(urlSource(origin, { ...quick, wholeBodyLimit: 300_000 }))).toMatchObject({ code: 'LIMIT' })
  expect(sent).toBeLessThan(20 * 2 ** 20)
})

test('a whole file sent compressed is used; parts of a compressed one are refused', async () => {
  const whole = await server((_, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(bytes)),
  )
  const source = await urlSource(whole.origin, quick)
  expect(await source.read(400_000, 100)).toEqual(part(400_000, 100))
  const parts = await server((request, response) => {
    const { start, end } = rangeOf(request, bytes.length)
    const body = gzipSync(bytes.subarray(start, end + 1))
    response
      .writeHead(206, { 'Content-Range': `bytes ${start}-${end}/${bytes.length}`, 'Content-Encoding': 'gzip' })
      .end(body)
  })
  const error = await faultOf(urlSource(parts.origin, quick))
  expect(error.code).toBe('FRAME')
  expect(error.detail).toContain('compressed (gzip)')
  const other = await server((_, response) => response.writeHead(200, { 'Content-Encoding': 'zstd' }).end(bytes))
  expect(await faultOf(urlSource(other.origin, quick))).toMatchObject({ code: 'FRAME' })
})

test('a server that forbids HEAD is not asked by HEAD', async () => {
  const { origin, seen } = await server((request, response) => {
    if (request.method === 'HEAD') response.writeHead(403).end()
    else good(request, response, 0)
  })
  const source = await urlSource(origin, quick)
  await source.read(2000, 10)
  expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

/** A fetch as a page of another origin sees it: only some headers can be read. */
const crossOrigin: FetchLike = async (url, init) => {
  const response = await fetch(url, init)
  const exposed = ['content-length', 'content-type', 'last-modified', 'cache-control']
  return {
    status: response.status,
    headers: { get: (name) => (exposed.includes(name.toLowerCase()) ? response.headers.get(name) : null) },
    body: response.body,
    arrayBuffer: () => response.arrayBuffer(),
  }
}

test('a hidden Content-Range: the size is asked for by HEAD', async () => {
  const { origin, seen } = await server((request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'Content-Length': bytes.length }).end()
    else good(request, response, 0)
  })
  const source = await urlSource(origin, { ...quick, fetch: crossOrigin })
  expect(source.size).toBe(bytes.length)
  expect(await source.read(123_456, 1000)).toEqual(part(123_456, 1000))
  expect(seen.map(({ method, range }) => `${method} ${range}`)).toEqual([
    'GET bytes=0-999',
    'HEAD undefined',
    'GET bytes=123456-124455',
  ])
})

test('a hidden Content-Range and a forbidden HEAD: the head of a plain GET tells', async () => {
  const { origin } = await server((request, response) => {
    if (request.method === 'HEAD') response.writeHead(405).end()
    else if (request.headers.range === undefined) response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
    else good(request, response, 0)
  })
  const source = await urlSource(origin, { ...quick, fetch: crossOrigin })
  expect(source.size).toBe(bytes.length)
})

test('a size that nobody tells is asked of the caller', async () => {
  const { origin } = await server((request, response) => {
    if (request.headers.range === undefined) response.writeHead(400).end()
    else good(request, response, 0)
  })
  const error = await faultOf(urlSource(origin, { ...quick, fetch: crossOrigin }))
  expect(error.code).toBe('EOF')
  expect(error.detail).toContain('Access-Control-Expose-Headers')
  const source = await urlSource(origin, { ...quick, fetch: crossOrigin, size: bytes.length })
  expect(await source.read(400_000, 7)).toEqual(part(400_000, 7))
  expect(await faultOf(urlSource(origin, { ...quick, size: 5 }))).toMatchObject({ code: 'FRAME' })
})

test('a hidden range of another length is not used', async () => {
  const { origin } = await server((request, response) => {
    const { start, end } = rangeOf(request, bytes.length)
    response.writeHead(206).end(bytes.subarray(start, start === 0 ? end + 1 : end))
  })
  const source = await urlSource(origin, { ...quick, fetch: crossOrigin, size: bytes.length, retries: 1 })
  expect(await faultOf(source.read(5000, 100))).toMatchObject({ code: 'EOF' })
})

test('a short body is asked for again, from where it stopped', async () => {
  const { origin, seen } = await server((request, response, count) => {
    const { start, end } = rangeOf(request, bytes.length)
    if (count !== 2) return sendRange(request, response, bytes)
    response.writeHead(206, { 'Content-Range': `bytes ${start}-${end}/${bytes.length}` })
    response.end(bytes.subarray(start, start + 60))
  })
  const source = await urlSource(origin, quick)
  expect(await source.read(10_000, 100)).toEqual(part(10_000, 100))
  expect(seen.map(({ range }) => range)).toEqual(['bytes=0-999', 'bytes=10000-10099', 'bytes=10060-10099'])
})

test('a body that is always short is EOF in the end', async () => {
  const { origin, seen } = await server((request, response) => {
    const { start, end } = rangeOf(request, bytes.length)
    response.writeHead(206, { 'Content-Range': `bytes ${start}-${end}/${bytes.length}` })
    response.end(start === 0 ? bytes.subarray(0, end + 1) : new Uint8Array(0))
  })
  const source = await urlSource(origin, { ...quick, retries: 2 })
  const error = await faultOf(source.read(10_000, 100))
  expect(error).toMatchObject({ code: 'EOF', offset: 10_000 })
  expect(error.detail).toContain('asked 3 times')
  expect(seen.length).toBe(4)
})

test('a dropped connection is taken up again', async () => {
  const { origin, seen } = await server((request, response, count) => {
    if (count % 2 === 0) {
      const { start, end } = rangeOf(request, bytes.length)
      response.writeHead(206, {
        'Content-Range': `bytes ${start}-${end}/${bytes.length}`,
        'Content-Length': end + 1 - start,
      })
      response.write(bytes.subarray(start, start + 100_000), () => setTimeout(() => response.destroy(), 20))
    } else sendRange(request, response, bytes)
  })
  const source = await urlSource(origin, quick)
  expect(Buffer.compare(await source.read(100_000, 300_000), part(100_000, 300_000))).toBe(0)
  expect(seen.length).toBe(3)
  expect(rangeStart(seen[2]!.range)).toBeGreaterThan(100_000)
})

const rangeStart = (range: string | undefined): number => Number(/=(\d+)/.exec(range ?? '')?.[1])

test('no connection at all is EOF after the retries', async () => {
  const { origin, [Symbol.asyncDispose]: stop } = await serve(good)
  await stop()
  const error = await faultOf(urlSource(origin, { ...quick, retries: 1 }))
  expect(error.code).toBe('EOF')
  expect(error.detail).toContain('ECONNREFUSED')
})

test('503 twice and then right', async () => {
  const { origin, seen } = await server((request, response, count) => {
    if (count === 2 || count === 3) response.writeHead(503).end()
    else sendRange(request, response, bytes)
  })
  const source = await urlSource(origin, quick)
  expect(await source.read(5000, 5)).toEqual(part(5000, 5))
  expect(seen.length).toBe(4)
})

test.each([
  [429, 5],
  [500, 5],
  [502, 5],
  [504, 5],
  [403, 1],
  [404, 1],
  [400, 1],
])('status %d is asked for %d times in all', async (status, times) => {
  const { origin, seen } = await server((_, response) => response.writeHead(status).end())
  const error = await faultOf(urlSource(origin, quick))
  expect(error.code).toBe('EOF')
  expect(error.detail).toContain(String(status))
  expect(seen.length).toBe(times)
})

test('Retry-After is waited for, up to a cap', async () => {
  const { origin, seen } = await server((request, response, count) => {
    if (count === 1) response.writeHead(429, { 'Retry-After': '1' }).end()
    else sendRange(request, response, bytes)
  })
  const before = Date.now()
  await urlSource(origin, quick)
  expect(Date.now() - before).toBeGreaterThanOrEqual(990)
  expect(seen.length).toBe(2)
  const busy = await server((_, response) => response.writeHead(503, { 'Retry-After': '3600' }).end())
  const error = await faultOf(urlSource(busy.origin, quick))
  expect(error).toMatchObject({ code: 'EOF' })
  expect(error.detail).toContain('3600 s')
  expect(busy.seen.length).toBe(1)
})

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['ETag', { ETag: '"a"' }, { ETag: '"b"' }],
  [
    'Last-Modified',
    { 'Last-Modified': 'Mon, 02 Nov 2026 10:00:00 GMT' },
    { 'Last-Modified': 'Mon, 02 Nov 2026 10:00:01 GMT' },
  ],
])('a file that changes between reads is told by its %s', async (what, before, after) => {
  const { origin } = await server((request, response, count) =>
    sendRange(request, response, bytes, count < 3 ? before : after),
  )
  const source = await urlSource(origin, quick)
  await source.read(5000, 5)
  const error = await faultOf(source.read(6000, 5))
  expect(error.code).toBe('FRAME')
  expect(error.detail).toContain('was changed on the server')
  expect(what).not.toBe('')
})

test('a file that changes its size, or has become shorter than the range, is told', async () => {
  let size = bytes.length
  const { origin } = await server((request, response) => {
    const now = bytes.subarray(0, size)
    if (rangeStart(request.headers.range) >= size) response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end()
    else sendRange(request, response, now)
  })
  const source = await urlSource(origin, quick)
  size = 400_000
  expect(await faultOf(source.read(5000, 5))).toMatchObject({ code: 'FRAME' })
  expect(await faultOf(source.read(450_000, 5))).toMatchObject({ code: 'FRAME' })
})

test('a weak ETag is the same file; another time with the same ETag too', async () => {
  const { origin } = await server((request, response, count) =>
    sendRange(
      request,
      response,
      bytes,
      count === 1
        ? { ETag: '"a"', 'Last-Modified': 'Mon, 02 Nov 2026 10:00:00 GMT' }
        : { ETag: 'W/"a"', 'Last-Modified': 'Mon, 02 Nov 2026 11:00:00 GMT' },
    ),
  )
  const source = await urlSource(origin, quick)
  expect(await source.read(5000, 5)).toEqual(part(5000, 5))
})

test('an answer for another range is refused', async () => {
  const answer = (start: number, end: number, total: string): Promise<TestServer> =>
    server((_, response, count) => {
      if (count === 1) response.writeHead(206, { 'Content-Range': `bytes 0-999/${bytes.length}` }).end(part(0, 1000))
      else
        response
          .writeHead(206, { 'Content-Range': `bytes ${start}-${end}/${total}` })
          .end(bytes.subarray(start, end + 1))
    })
  for (const [start, end, total] of [
    [4999, 5008, '500000'],
    [5000, 5010, '500000'],
    [5001, 5009, '500000'],
    [5000, 5009, '5005'],
  ] as const) {
    const { origin } = await answer(start, end, total)
    const source = await urlSource(origin, quick)
    expect(await faultOf(source.read(5000, 10))).toMatchObject({ code: 'FRAME' })
  }
  const { origin } = await answer(5000, 5009, '*')
  expect(await (await urlSource(origin, quick)).read(5000, 10)).toEqual(part(5000, 10))
})

test('more bytes than were asked for are not taken', async () => {
  const { origin } = await server((request, response, count) => {
    if (count === 1) return sendRange(request, response, bytes)
    const { start, end } = rangeOf(request, bytes.length)
    response
      .writeHead(206, { 'Content-Range': `bytes ${start}-${end}/${bytes.length}` })
      .end(bytes.subarray(start, end + 100))
  })
  expect(await faultOf((await urlSource(origin, quick)).read(5000, 10))).toMatchObject({ code: 'FRAME' })
})

test('parts as multipart are refused', async () => {
  const { origin } = await server((_, response) =>
    response.writeHead(206, { 'Content-Type': 'multipart/byteranges; boundary=x' }).end('--x--'),
  )
  expect(await faultOf(urlSource(origin, quick))).toMatchObject({ code: 'FRAME' })
})

test('now and then everything instead of a part is used too', async () => {
  const { origin, seen } = await server((request, response, count) => {
    if (count === 2) response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
    else sendRange(request, response, bytes)
  })
  const source = await urlSource(origin, quick)
  expect(await source.read(5000, 10)).toEqual(part(5000, 10))
  expect(await source.read(6000, 10)).toEqual(part(6000, 10))
  expect(seen.length).toBe(2)
})

test('a bad URL or option is TYPE, and secrets stay out of messages', async () => {
  const bad = async (url: string, options?: object): Promise<string> => {
    const error = await faultOf(urlSource(url, options))
    expect(error.code).toBe('TYPE')
    return error.message
  }
  await bad('model.kiln')
  await bad('file:///model.kiln')
  await bad('data:text/plain,x')
  expect(await bad('https://me:hunter2@example.com/x')).not.toContain('hunter2')
  const leak = await bad('http://127.0.0.1/', { headers: { Authorization: 'hunter2\r\nX: y' } })
  expect(leak).not.toContain('hunter2')
  await bad('http://127.0.0.1/', { headers: { 'bad name': 'x' } })
  await bad('http://127.0.0.1/', { headers: { Range: 'bytes=0-1' } })
  await bad('http://127.0.0.1/', { retries: -1 })
  await bad('http://127.0.0.1/', { prefetch: 0 })
})
