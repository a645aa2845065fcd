import { expect, test } from 'vitest'
import { urlSettings, type UrlSourceOptions } from '../../../src/sources/url/options.js'
import { parseUrl, platformFetch, sleep } from '../../../src/sources/url/platform.js'
import { Retries, TryAgain } from '../../../src/sources/url/retry.js'
import { Turns } from '../../../src/sources/url/turns.js'
import { KilnError } from '../../../src/errors/kiln-error.js'
import { fault } from '../../support/fault.js'

const URL_ = 'https://example.org/a/model.kiln'
const settings = (options: UrlSourceOptions = {}, url: string = URL_): ReturnType<typeof urlSettings> => urlSettings(url, options)

test('defaults', () => {
  const { url, fetch, ...rest } = settings()
  expect([url.href, fetch]).toEqual([URL_, platformFetch])
  expect(rest).toEqual({
    label: URL_, headers: {}, credentials: undefined, size: undefined, wholeBodyLimit: 67_108_864, prefetch: 196_608, retries: 4, retryDelay: 250,
    maxRetryDelay: 30_000, concurrency: 6, readSize: 8_388_608,
  })
})

test('labels leave out what may be secret', () => {
  expect(settings({}, `${URL_}?signature=1#part`).label).toBe(`${URL_}?…`)
  expect(settings({}, `${URL_}#part`).label).toBe(URL_)
  expect(settings({ label: 'mine' }, `${URL_}?signature=1`).label).toBe('mine')
  expect(urlSettings(new URL(URL_), {}).label).toBe(URL_)
  expect(urlSettings({ href: URL_ }, {}).label).toBe(URL_)
})

test('each number has its least', () => {
  const least = { size: 0, wholeBodyLimit: 0, prefetch: 1, retries: 0, retryDelay: 0, maxRetryDelay: 0, concurrency: 1, readSize: 1 }
  for (const [name, from] of Object.entries(least)) {
    for (const value of [from, from + 7]) expect(settings({ [name]: value })).toMatchObject({ [name]: value })
    for (const value of [from - 1, from + 0.5, NaN, '5', 2 ** 53]) {
      expect(fault(() => settings({ [name]: value }))).toMatchObject({ code: 'TYPE', detail: `${name} is an integer from ${from} on, got ${typeof value === 'string' ? JSON.stringify(value) : value}` })
    }
    if (name === 'wholeBodyLimit') expect(settings({ wholeBodyLimit: Infinity }).wholeBodyLimit).toBe(Infinity)
    else expect(fault(() => settings({ [name]: Infinity })).code).toBe('TYPE')
  }
})

test.each<[string, string, string]>([
  ['no URL', 'model.kiln', '"model.kiln" is no URL'],
  ['a file', 'file:///a', 'file: is not read, http: and https: are; for a file there is openFile of kiln-format/node'],
  ['a name', 'https://me@example.org/', "https://example.org/: a user name or password can't stand in the URL; give { headers: { Authorization: 'Basic …' } }"],
  ['a password', 'https://:secret@example.org/', "https://example.org/: a user name or password can't stand in the URL; give { headers: { Authorization: 'Basic …' } }"],
])('%s is TYPE', (_, url, detail) => {
  expect(fault(() => settings({}, url))).toMatchObject({ code: 'TYPE', detail })
})

test('what is no text and no function is named', () => {
  for (const [given, shown] of [[5, '5'], [null, 'null'], [{ href: 5 }, 'an object (Object)']] as const) {
    expect(fault(() => settings({}, given as never))).toMatchObject({ code: 'TYPE', detail: `${shown} is no URL` })
  }
  expect(fault(() => settings({ fetch: 'node-fetch' as never }))).toMatchObject({ code: 'TYPE', detail: 'fetch is a function, got "node-fetch"' })
})

test('http is read as https is', () => {
  expect(settings({}, 'http://example.org/').url.protocol).toBe('http:')
})

test('headers come as an object, as pairs, or as Headers', () => {
  const headers = { Authorization: 'Bearer x', 'X-!#$%&\'*+.^_`|~0': '\t é' }
  expect(settings({ headers }).headers).toEqual(headers)
  expect(settings({ headers: Object.entries(headers) }).headers).toEqual(headers)
  expect(settings({ headers: new Headers({ a: 'b' }) }).headers).toEqual({ a: 'b' })
  for (const name of ['', 'a b', 'a:', 'é', 'a\n', ' a']) {
    expect(fault(() => settings({ headers: { [name]: 'x' } }))).toMatchObject({ code: 'TYPE', detail: `${JSON.stringify(name)} is no name of a header` })
  }
  expect(fault(() => settings({ headers: [[5, 'x']] as never })).detail).toBe('5 is no name of a header')
  expect(fault(() => settings({ headers: ['Accept: x'] as never })).detail).toBe('a header is a name and a value, got "Accept: x"')
  for (const name of ['Range', 'range', 'Accept-Encoding']) {
    expect(fault(() => settings({ headers: { [name]: 'x' } }))).toMatchObject({ code: 'TYPE', detail: `the header ${name} is set by urlSource itself` })
  }
  for (const value of ['a\nb', '\u0000', '\u007f', '€', 5]) {
    expect(fault(() => settings({ headers: { a: value as string } }))).toMatchObject({
      code: 'TYPE', detail: 'the value of the header a has characters that no header can have, such as a line break',
    })
  }
})

test('a URL may be relative to a page', () => {
  expect(parseUrl('b', 'https://example.org/a/c')?.href).toBe('https://example.org/a/b')
  expect([parseUrl('b', undefined), parseUrl('https://'), parseUrl('b', 'nothing')]).toEqual([undefined, undefined, undefined])
})

test("the platform's fetch is looked up when it is called", async () => {
  const own = globalThis.fetch
  const calls: unknown[] = []
  try {
    globalThis.fetch = ((...given: unknown[]) => (calls.push(given), Promise.resolve('answer'))) as never
    expect(await platformFetch('u', {} as never)).toBe('answer')
    expect(calls).toEqual([['u', {}]])
    globalThis.fetch = undefined as never
    expect(() => platformFetch('u', {} as never)).toThrow('this platform has no fetch')
  } finally {
    globalThis.fetch = own
  }
})

test('retries wait longer each time, and end in the failure', async () => {
  const { signal } = new AbortController()
  const waits: number[] = []
  const [setOwn, random] = [globalThis.setTimeout, Math.random]
  const cause = new Error('cable')
  const error = new KilnError('EOF', 'x: no', 7, { cause })
  try {
    globalThis.setTimeout = ((run: () => void, ms: number) => (waits.push(ms), setOwn(run, 0))) as never
    Math.random = () => 0
    const retries = new Retries(settings({ retries: 5, retryDelay: 100, maxRetryDelay: 350, label: 'x' }))
    for (const after of [undefined, undefined, undefined, 340]) await retries.after(new TryAgain(error, after), signal)
    Math.random = () => 1
    await retries.after(new TryAgain(error), signal)
    expect(waits).toEqual([50, 100, 175, 340, 350])
    const last = await retries.after(new TryAgain(error), signal).catch((thrown: unknown) => thrown)
    expect(last).toMatchObject({ code: 'EOF', offset: 7, detail: 'x: no (asked 6 times)', cause })
    retries.forget()
    await retries.after(new TryAgain(error, 350), signal)
    expect(waits.slice(5)).toEqual([350])
    const long = await retries.after(new TryAgain(error, 350.5), signal).catch((thrown: unknown) => thrown)
    expect(long).toMatchObject({ code: 'EOF', offset: 7, detail: 'x: the server asks to be left alone for 1 s; later, or raise maxRetryDelay', cause: error })
    const once = new Retries(settings({ retries: 0 }))
    expect(await once.after(new TryAgain(error), signal).catch((thrown: unknown) => thrown)).toMatchObject({ detail: 'x: no (asked once)' })
    expect(await once.after(cause, signal).catch((thrown: unknown) => thrown)).toBe(cause)
  } finally {
    globalThis.setTimeout = setOwn
    Math.random = random
  }
})

test('a wait is ended by an abort, and leaves no timer', async () => {
  const controller = new AbortController()
  const own = globalThis.clearTimeout
  const cleared: unknown[] = []
  try {
    globalThis.clearTimeout = ((timer: never) => (cleared.push(timer), own(timer))) as never
    const waiting = sleep(60_000, controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(cleared.length).toBe(1)
  } finally {
    globalThis.clearTimeout = own
  }
})

test('turns are taken in the order of coming; who leaves the line makes no room', async () => {
  const turns = new Turns(2)
  const { signal } = new AbortController()
  const left = new AbortController()
  const log: string[] = []
  const ends: (() => void)[] = []
  const task = (name: string) => (): Promise<void> => {
    log.push(name)
    return new Promise((resolve) => ends.push(resolve))
  }
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
  const running = [turns.run(signal, task('a')), turns.run(signal, task('b')), turns.run(signal, task('c'))]
  const gone = turns.run(left.signal, task('gone')).catch((reason: Error) => reason.message)
  running.push(turns.run(signal, task('d')))
  await settle()
  expect(log).toEqual(['a', 'b'])
  left.abort(new Error('left'))
  expect(await gone).toBe('left')
  ends[0]!()
  await settle()
  expect(log).toEqual(['a', 'b', 'c'])
  ends[1]!()
  await settle()
  expect(log).toEqual(['a', 'b', 'c', 'd'])
  ends.slice(2).forEach((end) => end())
  await Promise.all(running)
  // Both places are free again, one after a failure too.
  await expect(turns.run(signal, () => Promise.reject(new Error('task')))).rejects.toThrow('task')
  const more = ['e', 'f', 'g'].map((name) => turns.run(signal, task(name)))
  await settle()
  expect(log.slice(4)).toEqual(['e', 'f'])
  ends.slice(4).forEach((end) => end())
  await settle()
  expect(log.slice(4)).toEqual(['e', 'f', 'g'])
  ends.at(-1)!()
  await Promise.all(more)
  expect(await turns.run(left.signal, task('never')).catch((reason: Error) => reason.message)).toBe('left')
})
