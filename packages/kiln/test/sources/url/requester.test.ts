import { isKilnError, KilnError } from 'kiln-format'
import { expect, test } from 'vitest'
import { urlSettings, type UrlSourceOptions } from '../../../src/sources/url/options.js'
import { connectionFault, Requester } from '../../../src/sources/url/requester.js'
import { TryAgain } from '../../../src/sources/url/retry.js'
import { script, type Script, type Scripted } from './scripted.js'

const { signal } = new AbortController()
const HERE = 'https://example.org/a/x'

function requester(made: Script, options: UrlSourceOptions = {}, url = HERE): Requester {
  return new Requester(urlSettings(url, { fetch: made.fetch, label: 'x', ...options }))
}
const moved = (location: string, status = 302): Scripted => ({ status, headers: { location } })
const seen = (made: Script): unknown[] => made.calls.map(({ url, init }) => [url, init.headers['a'] ?? '', init.redirect, init.credentials ?? ''])

test('without anything to guard the platform follows, and where it arrived is asked next time', async () => {
  const made = script({ url: 'https://cdn.example.org/y' }, { url: 'https://cdn.example.org/y' }, { url: '' }, {})
  const from = requester(made)
  for (let i = 0; i < 4; i++) await from.send('GET', 'bytes=0-1', signal)
  expect(made.calls[0]!.init).toMatchObject({ method: 'GET', headers: { 'Accept-Encoding': 'identity', Range: 'bytes=0-1' }, redirect: 'follow', signal })
  const there = ['https://cdn.example.org/y', '', 'follow', 'omit']
  expect(seen(made)).toEqual([[HERE, '', 'follow', ''], there, there, there])
})

test('headers and cookies stay with the origin', async () => {
  const headers = { a: '1' }
  const made = script(moved('/b'), moved('https://other.org/c'), moved(`${HERE}?2`), {}, {})
  const from = requester(made, { headers, credentials: 'same-origin' })
  await from.send('HEAD', undefined, signal)
  await from.send('GET', 'bytes=0-1', signal)
  const foreign = `${HERE}?2`
  expect(seen(made)).toEqual([
    [HERE, '1', 'manual', 'same-origin'], ['https://example.org/b', '1', 'manual', 'same-origin'], ['https://other.org/c', '', 'follow', 'omit'],
    [foreign, '', 'follow', 'omit'], [foreign, '', 'follow', 'omit'],
  ])
  expect(made.calls[0]!.init.headers).toEqual({ a: '1', 'Accept-Encoding': 'identity' })
  expect(made.cancelled).toEqual([0, 1, 2])
  for (const credentials of ['include', 'omit', 'same-origin', undefined] as const) {
    const cookies = script({})
    await requester(cookies, { credentials }).send('GET', undefined, signal)
    expect(cookies.calls[0]!.init.redirect).toBe(credentials === 'include' ? 'manual' : 'follow')
    expect('credentials' in cookies.calls[0]!.init).toBe(credentials !== undefined)
  }
})

test('an answer of the same place, of none or of nonsense changes nothing', async () => {
  for (const url of [HERE, '', undefined, 'nonsense', `${HERE.toUpperCase().replace('HTTPS://EXAMPLE.ORG/A/X', 'HTTPS://EXAMPLE.ORG')}/a/x`]) {
    const made = script(url === undefined ? {} : { url }, {})
    const from = requester(made, { headers: { a: '1' } })
    await from.send('GET', undefined, signal)
    await from.send('GET', undefined, signal)
    expect(seen(made)[1]).toEqual([HERE, '1', 'manual', ''])
  }
  // It is still the place of the caller: a no of it is not asked for twice.
  const refused = script({ url: HERE }, { url: HERE, status: 404 })
  const asking = requester(refused)
  await asking.send('GET', undefined, signal)
  expect((await asking.send('GET', undefined, signal)).status).toBe(404)
  // In a page an empty URL would be the page's own.
  const host = globalThis as { location?: unknown }
  host.location = { href: 'https://page.org/' }
  try {
    for (const url of ['', undefined]) {
      const made = script(url === undefined ? {} : { url }, {})
      const from = requester(made)
      await from.send('GET', undefined, signal)
      await from.send('GET', undefined, signal)
      expect(made.calls[1]!.url).toBe(HERE)
    }
  } finally {
    delete host.location
  }
  // Somewhere else of its own origin, and of another.
  for (const [url, header] of [['https://example.org/b', '1'], ['https://other.org/b', '']] as const) {
    const made = script({ url }, {})
    const from = requester(made, { headers: { a: '1' } })
    await from.send('GET', undefined, signal)
    await from.send('GET', undefined, signal)
    expect((seen(made)[1] as unknown[]).slice(0, 2)).toEqual([url, header])
  }
})

test('a place that has expired is asked for again at the beginning, another no is not', async () => {
  for (const status of [401, 403, 404, 410]) {
    const made = script(moved('/b'), {}, { status }, {}, {})
    const from = requester(made, { headers: { a: '1' } })
    await from.send('GET', undefined, signal)
    expect((await from.send('GET', undefined, signal)).status).toBe(206)
    expect(made.calls.map(({ url }) => url)).toEqual([HERE, 'https://example.org/b', 'https://example.org/b', HERE])
    expect(made.cancelled).toEqual([0, 2])
  }
  const busy = script(moved('/b'), {}, { status: 503 })
  const from = requester(busy, { headers: { a: '1' } })
  await from.send('GET', undefined, signal)
  expect((await from.send('GET', undefined, signal)).status).toBe(503)
  const own = script({ status: 404 })
  expect((await requester(own).send('GET', undefined, signal)).status).toBe(404)
  expect([own.calls.length, own.cancelled]).toEqual([1, []])
})

test('redirects that are not followed', async () => {
  const fault = async (answers: (Scripted | Error)[], options: UrlSourceOptions = { headers: { a: '1' } }, url?: string): Promise<unknown> => {
    const made = script(...answers)
    const thrown = await requester(made, options, url).send('GET', undefined, signal).catch((error: unknown) => error)
    expect(made.cancelled.length).toBe(made.calls.length)
    return isKilnError(thrown) ? `${thrown.code}: ${thrown.detail}` : thrown
  }
  expect(await fault([moved('http://')])).toBe('FRAME: x: the server redirects to what is no URL')
  expect(await fault([moved('file:///a')])).toBe('FRAME: x: the server redirects to file:, which is not followed')
  expect(await fault([moved('http://example.org/')])).toBe('FRAME: x: the server redirects to http:, which is not followed')
  expect(await fault([{ type: 'opaqueredirect', status: 0 }])).toContain("FRAME: x: the server redirects, and the browser doesn't say where")
  expect(await fault(Array.from({ length: 11 }, () => moved('/b')))).toBe('FRAME: x: the server redirects in a circle, or more than 10 times')
  const upgraded = script(moved('https://example.org/', 308), { status: 200 })
  expect((await requester(upgraded, { headers: { a: '1' } }, 'http://example.org/').send('GET', undefined, signal)).status).toBe(200)
  const downgraded = script(moved('http://example.org/b', 307), moved('https://example.org/c', 301), moved('d', 303), { status: 200 })
  expect((await requester(downgraded, { headers: { a: '1' } }, 'http://example.org/').send('GET', undefined, signal)).status).toBe(200)
  expect(downgraded.calls.map(({ url, init }) => [url, init.headers['a']])).toEqual([
    ['http://example.org/', '1'], ['http://example.org/b', '1'], ['https://example.org/c', undefined], ['https://example.org/d', undefined],
  ])
  const ten = script(...Array.from({ length: 10 }, () => moved('/b')), { status: 200 })
  expect((await requester(ten, { headers: { a: '1' } }).send('GET', undefined, signal)).status).toBe(200)
  const without = script({ status: 302 })
  expect((await requester(without, { headers: { a: '1' } }).send('GET', undefined, signal)).status).toBe(302)
})

test('what a fetch throws: its own error of ours, the reason of an abort, or a lost connection', async () => {
  const own = new KilnError('TYPE', 'mine')
  expect(await requester(script(own as never)).send('GET', undefined, signal).catch((error: unknown) => error)).toBe(own)
  const lost = await requester(script(new Error('gone'))).send('GET', undefined, signal).catch((error: unknown) => error)
  expect(lost).toBeInstanceOf(TryAgain)
  expect((lost as TryAgain).error).toMatchObject({ code: 'EOF', detail: 'x: the connection failed (gone)' })
  const reason = new Error('enough')
  expect(await requester(script(new Error('gone'))).send('GET', undefined, AbortSignal.abort(reason)).catch((error: unknown) => error)).toBe(reason)
})

test('a lost connection is told with what the platform says', () => {
  const said = (cause: unknown): string => connectionFault('x', cause).detail
  expect(said(new Error('fetch failed', { cause: Object.assign(new Error('y'), { code: 'ECONNREFUSED' }) }))).toBe('x: the connection failed (fetch failed, ECONNREFUSED)')
  expect(said({ message: '', cause: { code: 'E' } })).toBe('x: the connection failed (E)')
  expect(said({ message: 'm', cause: { code: '' } })).toBe('x: the connection failed (m)')
  expect(said({ message: 'm', cause: null })).toBe('x: the connection failed (m)')
  expect(said({ message: 5, cause: { code: 7 } })).toBe('x: the connection failed (no reason given)')
  for (const cause of [undefined, null, 'text', {}]) expect(said(cause)).toBe('x: the connection failed (no reason given)')
  expect(said({ message: 'm', cause: 'text' })).toBe('x: the connection failed (m)')
  const cause = new Error('why')
  expect([connectionFault('x', cause, 5).offset, connectionFault('x', cause).cause]).toEqual([5, cause])
  const host = globalThis as { document?: unknown }
  host.document = {}
  try {
    expect(said(cause)).toBe('x: the connection failed (why); the server may not allow pages of this origin (CORS)')
  } finally {
    delete host.document
  }
})

test.each([
  ['nothing', undefined, 'undefined'], ['null', null, 'null'], ['a text', 'body', '"body"'], ['bytes', new Uint8Array(3), 'a Uint8Array'],
  ['no headers', { status: 200 }, 'an object (Object)'], ['no status', { headers: new Headers() }, 'an object (Object)'],
])('a fetch that gives %s is TYPE, and is not asked again', async (_, given, shown) => {
  let calls = 0
  const fetch = (async () => { calls++; return given }) as never
  const from = new Requester(urlSettings(HERE, { fetch, label: 'x' }))
  await expect(from.send('GET', 'bytes=0-1', signal)).rejects.toMatchObject({ code: 'TYPE', detail: `x: fetch has to give a Response, it gave ${shown}` })
  expect(calls).toBe(1)
})
