import { urlSource, type FetchLike } from 'kiln-format'
import { afterEach, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { pattern, sendRange, serve, type Handler, type TestServer } from '../support/http.js'

const bytes = pattern(10_000)
const quick = { retryDelay: 1, prefetch: 100 }
const secret = { headers: { Authorization: 'Bearer secret', 'X-Token': 'secret', Cookie: 'a=secret' } }
const good: Handler = (request, response) => sendRange(request, response, bytes)

const running: TestServer[] = []
async function server(handler: Handler, host?: string): Promise<TestServer> {
  const started = await serve(handler, host)
  running.push(started)
  return started
}
afterEach(async () => {
  for (const started of running.splice(0)) await started[Symbol.asyncDispose]()
})

const redirect =
  (to: string, status = 302): Handler =>
  (_, response) =>
    response.writeHead(status, { Location: to }).end()
const secrets = (target: TestServer): string => JSON.stringify(target.seen.map(({ headers }) => headers))

test("headers go to the caller's own origin, and not with a redirect to another", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const other = await server(good)
    const own = await server(redirect(`${other.origin}/x`, status))
    const source = await urlSource(own.origin, { ...quick, ...secret })
    expect(await source.read(5000, 10)).toEqual(bytes.slice(5000, 5010))
    expect(own.seen[0]!.headers.authorization).toBe('Bearer secret')
    expect(own.seen[0]!.headers['x-token']).toBe('secret')
    expect(secrets(other)).not.toContain('secret')
    expect(other.seen.map(({ range }) => range)).toEqual(['bytes=0-99', 'bytes=5000-5009'])
  }
})

test('another port, and another name of the same machine, are another origin', async () => {
  const other = await server(good, 'localhost')
  const own = await server(redirect(`${other.origin.replace('127.0.0.1', 'localhost')}/x`))
  await urlSource(own.origin, { ...quick, ...secret })
  expect(secrets(other)).not.toContain('secret')
})

test('a redirect back from another origin does not get them either', async () => {
  const own = await server((request, response, count) => {
    if (request.url === '/start') response.writeHead(302, { Location: `${other.origin}/` }).end()
    else good(request, response, count)
  })
  const other: TestServer = await server((_, response) =>
    response.writeHead(302, { Location: `${own.origin}/end` }).end(),
  )
  await urlSource(`${own.origin}/start`, { ...quick, ...secret })
  expect(own.seen.map(({ url, headers }) => [url, headers['x-token']])).toEqual([
    ['/start', 'secret'],
    ['/end', undefined],
  ])
})

test('within the origin they go along, relative places too', async () => {
  const own = await server((request, response, count) => {
    if (request.url === '/a/b') response.writeHead(307, { Location: '../c?d=1' }).end()
    else good(request, response, count)
  })
  const source = await urlSource(`${own.origin}/a/b`, { ...quick, ...secret })
  await source.read(5000, 10)
  expect(own.seen.map(({ url, headers }) => [url, headers['x-token']])).toEqual([
    ['/a/b', 'secret'],
    ['/c?d=1', 'secret'],
    ['/c?d=1', 'secret'],
  ])
})

test('a signed place that has expired is asked for again', async () => {
  let valid = 1
  const store = await server((request, response, count) => {
    if (request.url === `/signed${valid}`) good(request, response, count)
    else response.writeHead(403).end()
  })
  const own = await server((_, response) =>
    response.writeHead(302, { Location: `${store.origin}/signed${valid}` }).end(),
  )
  const source = await urlSource(own.origin, { ...quick, ...secret })
  await source.read(5000, 10)
  valid = 2
  expect(await source.read(6000, 10)).toEqual(bytes.slice(6000, 6010))
  expect(own.seen.length).toBe(2)
  expect(store.seen.map(({ url }) => url)).toEqual(['/signed1', '/signed1', '/signed1', '/signed2'])
  expect(secrets(store)).not.toContain('secret')
})

test('a circle, a bad place and other schemes are refused', async () => {
  const circle = await server(redirect('/'))
  expect(await faultOf(urlSource(circle.origin, { ...quick, ...secret }))).toMatchObject({ code: 'FRAME' })
  expect(circle.seen.length).toBe(11)
  for (const to of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://']) {
    const { origin } = await server(redirect(to))
    expect(await faultOf(urlSource(origin, { ...quick, ...secret }))).toMatchObject({ code: 'FRAME' })
  }
})

test('without anything to guard the platform follows', async () => {
  const other = await server(good)
  const own = await server(redirect(`${other.origin}/x`))
  const source = await urlSource(own.origin, quick)
  await source.read(5000, 10)
  expect(own.seen.length).toBe(1)
  expect(other.seen.length).toBe(2)
})

/** A fetch as in a browser, which doesn't say where a redirect leads. */
const opaque: FetchLike = async (url, init) => {
  const response = await fetch(url, init)
  if (response.status < 300 || response.status > 399) return response
  await response.body?.cancel()
  return {
    status: 0,
    type: 'opaqueredirect',
    url,
    headers: { get: () => null },
    body: null,
    arrayBuffer: async () => new ArrayBuffer(0),
  }
}

test("a browser's hidden redirect is refused with headers or cookies, and followed without", async () => {
  const other = await server(good)
  const own = await server(redirect(`${other.origin}/x`))
  for (const options of [secret, { credentials: 'include' } as const]) {
    const error = await faultOf(urlSource(own.origin, { ...quick, ...options, fetch: opaque }))
    expect(error.code).toBe('FRAME')
    expect(error.detail).toContain("doesn't say where")
  }
  expect(other.seen.length).toBe(0)
  const source = await urlSource(own.origin, { ...quick, fetch: opaque })
  expect(source.size).toBe(bytes.length)
})

test("credentials are the caller's word to its own origin, and omit to another", async () => {
  const calls: (string | undefined)[] = []
  const other = await server(good)
  const own = await server(redirect(`${other.origin}/x`))
  const watched: FetchLike = (url, init) => {
    calls.push(init.credentials)
    return fetch(url, init)
  }
  await urlSource(own.origin, { ...quick, credentials: 'include', fetch: watched })
  expect(calls).toEqual(['include', 'omit'])
})
