import { expect, test } from 'vitest'
import { contentEncoding, contentLength, contentRange, judge, statusFault } from '../../../src/sources/url/answer.js'
import { Identity } from '../../../src/sources/url/identity.js'
import type { ResponseLike } from '../../../src/sources/url/platform.js'
import { retryAfter, TryAgain } from '../../../src/sources/url/retry.js'
import { fault } from '../../support/fault.js'

function answer(status: number, headers: Record<string, string> = {}): ResponseLike {
  return { status, headers: new Headers(headers), arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) }
}

test.each<[string, object | undefined]>([
  ['bytes 0-9/100', { start: 0, end: 9, total: 100 }],
  ['bytes 0-9/*', { start: 0, end: 9, total: undefined }],
  ['bytes */100', { start: undefined, end: undefined, total: 100 }],
  [' Bytes  10 - 19 / 100 ', { start: 10, end: 19, total: 100 }],
  ['bytes 0-9', undefined],
  ['bytes 0-9/', undefined],
  ['bytes -9/100', undefined],
  ['bytes 0-/100', undefined],
  ['bytes 0-9/100x', undefined],
  ['xbytes 0-9/100', undefined],
  ['bytes0-9/100', undefined],
  ['bytes 0x-9/100', undefined],
  ['octets 0-9/100', undefined],
  ['bytes 0-9/9007199254740992', { start: 0, end: 9, total: undefined }],
  ['bytes 0-9/9007199254740991', { start: 0, end: 9, total: 9_007_199_254_740_991 }],
])('Content-Range: %s', (header, range) => {
  expect(contentRange(answer(206, { 'content-range': header }))).toEqual(range)
})

test('a Content-Range that is not there', () => {
  expect(contentRange(answer(206))).toBe(undefined)
})

test('sizes and encodings of bodies', () => {
  const length = (text: string): number | undefined => contentLength(answer(200, { 'content-length': text }))
  expect(['5', ' 5 ', '0', '05', '', '-5', '5x', 'x5', '5 5', '1e3', '9007199254740993'].map(length)).toEqual([5, 5, 0, 5, ...Array<undefined>(7).fill(undefined)])
  expect(contentLength(answer(200))).toBe(undefined)
  const encoding = (text: string): string | undefined => contentEncoding(answer(200, { 'content-encoding': text }))
  expect(['gzip', ' GZip ', 'identity', ' Identity', '', 'br'].map(encoding)).toEqual(['gzip', 'gzip', undefined, undefined, undefined, 'br'])
  expect(contentEncoding(answer(200))).toBe(undefined)
})

test('what is answered to a request for 10 bytes from byte 5 on', () => {
  const given = (status: number, headers?: Record<string, string>): unknown => judge(answer(status, headers), 5, 10, 'x')
  expect(given(206, { 'content-range': 'bytes 5-14/100' })).toEqual({ kind: 'part', length: 10, total: 100 })
  expect(given(206, { 'content-range': 'bytes 5-5/6' })).toEqual({ kind: 'part', length: 1, total: 6 })
  expect(given(206, { 'content-range': 'bytes 5-9/*' })).toEqual({ kind: 'part', length: 5, total: undefined })
  expect(given(206, { 'content-range': 'bytes */100', 'content-length': '7' })).toEqual({ kind: 'part', length: 7, total: 100 })
  expect(given(206, { 'content-length': '7' })).toEqual({ kind: 'part', length: 7, total: undefined })
  expect(given(206)).toEqual({ kind: 'part', length: undefined, total: undefined })
  // An end that no number holds says nothing, and neither does such a start.
  expect(given(206, { 'content-range': 'bytes 5-9007199254740992/*', 'content-length': '7' })).toEqual({ kind: 'part', length: 7, total: undefined })
  expect(given(206, { 'content-range': 'bytes 9007199254740992-14/100', 'content-length': '7' })).toEqual({ kind: 'part', length: 7, total: 100 })
  expect(given(200, { 'content-length': '100' })).toEqual({ kind: 'whole', length: 100 })
  for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br']) {
    expect(given(200, { 'content-length': '100', 'content-encoding': encoding })).toEqual({ kind: 'whole', length: undefined })
  }
  expect(given(416, { 'content-range': 'bytes */4' })).toEqual({ kind: 'beyond', total: 4 })
  expect(given(416)).toEqual({ kind: 'beyond', total: undefined })
})

test.each<[string, number, Record<string, string>, string]>([
  ['several ranges', 206, { 'content-type': 'multipart/byteranges; boundary=x' }, 'x: the server sends one range as several'],
  ['several ranges in other letters', 206, { 'content-type': 'Multipart/ByteRanges; boundary=x' }, 'x: the server sends one range as several'],
  ['more bytes, of a range that is hidden', 206, { 'content-length': '11' }, 'x: 10 bytes were asked for, 11 are answered'],
  ['a compressed part', 206, { 'content-encoding': 'gzip' }, 'x: the server sends parts of the file compressed (gzip); switch that off for this file'],
  ['an encoding that stays', 200, { 'content-encoding': 'zstd' }, 'x: the server sends the file as zstd, which is not undone'],
  ['another start', 206, { 'content-range': 'bytes 6-14/100' }, 'x: bytes 5 to 14 were asked for, 6 to 14 of 100 are answered'],
  ['an end before the start', 206, { 'content-range': 'bytes 5-4/100' }, 'x: bytes 5 to 14 were asked for, 5 to 4 of 100 are answered'],
  ['a byte more', 206, { 'content-range': 'bytes 5-15/100' }, 'x: bytes 5 to 14 were asked for, 5 to 15 of 100 are answered'],
  ['an end past the file', 206, { 'content-range': 'bytes 5-14/14' }, 'x: bytes 5 to 14 were asked for, 5 to 14 of 14 are answered'],
  ['no total, and a byte more', 206, { 'content-range': 'bytes 5-15/*' }, 'x: bytes 5 to 14 were asked for, 5 to 15 of * are answered'],
])('%s is FRAME', (_, status, headers, detail) => {
  expect(fault(() => judge(answer(status, headers), 5, 10, 'x'))).toMatchObject({ code: 'FRAME', offset: 5, detail })
})

test('an end that is the last byte of the file, and a type that only looks like several ranges', () => {
  expect(judge(answer(206, { 'content-range': 'bytes 5-14/15' }), 5, 10, 'x')).toEqual({ kind: 'part', length: 10, total: 15 })
  expect(judge(answer(206, { 'content-type': 'x-multipart/byteranges', 'content-range': 'bytes 5-14/15' }), 5, 10, 'x').kind).toBe('part')
})

test('statuses: what is worth asking again', () => {
  const said: Record<number, string> = {}
  for (const status of [100, 201, 304, 400, 401, 403, 404, 405, 408, 410, 425, 429, 500, 501, 502, 503, 504, 505]) {
    const failure = statusFault(answer(status, { 'retry-after': '3' }), 'x', 7)
    const error = failure instanceof TryAgain ? failure.error : failure
    expect([error.code, error.offset]).toEqual(['EOF', 7])
    const prefix = `x: the server answers with ${status}: `
    expect(error.detail.startsWith(prefix)).toBe(true)
    said[status] = `${failure instanceof TryAgain ? `again after ${failure.after}: ` : ''}${error.detail.slice(prefix.length)}`
  }
  const busy = 'again after 3000: the server is busy or out of order'
  const other = 'that is no answer to a request for a part of a file'
  const forbidden = 'it is not permitted; give what the server wants by { headers }'
  expect(said).toEqual({
    100: other, 201: other, 304: other, 400: other, 401: forbidden, 403: forbidden, 404: 'there is no such file', 405: other, 408: busy,
    410: 'there is no such file', 425: busy, 429: busy, 500: busy, 501: other, 502: busy, 503: busy, 504: busy, 505: other,
  })
})

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-11-30T12:00:00Z')
  expect(['5', ' 5 ', '0', '5x', 'x5', 'soon'].map((text) => retryAfter(text, now))).toEqual([5000, 5000, 0, undefined, undefined, undefined])
  expect([retryAfter('Mon, 30 Nov 2026 12:00:07 GMT', now), retryAfter('Mon, 30 Nov 2026 11:00:00 GMT', now), retryAfter(null, now)]).toEqual([7000, 0, undefined])
})

test('a file is the same while what is told of it is', () => {
  const etag = (tag: string, more: Record<string, string> = {}): ResponseLike => answer(206, { etag: tag, ...more })
  const changed = (first: [ResponseLike, number | undefined], then: [ResponseLike, number | undefined], total?: number): string => {
    const identity = new Identity('x', total)
    identity.check(...first)
    try {
      identity.check(...then)
      return 'the same'
    } catch (error) {
      expect((error as { code: string }).code).toBe('FRAME')
      return /\((.*)\)/.exec((error as Error).message)![1]!
    }
  }
  const old = { 'last-modified': 'Mon' }
  const late = { 'last-modified': 'Tue' }
  expect(changed([answer(206), 5], [answer(206), 6])).toBe('its size was 5 bytes and is 6')
  expect(changed([answer(206), 5], [answer(206), undefined])).toBe('the same')
  expect(changed([answer(206), undefined], [answer(206), 6], 5)).toBe('its size was 5 bytes and is 6')
  expect(changed([etag('"a"'), 5], [etag('"b"'), 5])).toBe('its ETag was "a" and is "b"')
  expect(changed([etag('"a"'), 5], [etag(' W/"a"'), 5])).toBe('the same')
  expect(changed([etag('"W/a"'), 5], [etag('"W/b"'), 5])).toBe('its ETag was "W/a" and is "W/b"')
  expect(changed([etag(''), 5], [etag('"b"'), 5])).toBe('the same')
  expect(changed([etag('"a"', old), 5], [etag('"a"', late), 5])).toBe('the same')
  expect(changed([answer(206, old), 5], [answer(206, late), 5])).toBe('its last change was at Mon and is at Tue')
  expect(changed([etag('"a"', old), 5], [answer(206, late), 5])).toBe('its last change was at Mon and is at Tue')
  expect(changed([answer(206, old), 5], [etag('"a"', late), 5])).toBe('its last change was at Mon and is at Tue')
  // The first that is told counts.
  const identity = new Identity('x', undefined)
  identity.check(answer(206), undefined)
  identity.check(etag('"a"', old), 5)
  identity.check(answer(206), undefined)
  expect(fault(() => identity.check(etag('"b"'), 5)).detail).toContain('"a"')
  expect(fault(() => identity.check(answer(206, late), 5)).detail).toContain('Mon')
  expect(fault(() => identity.check(answer(206), 4)).detail).toContain('5 bytes')
})
