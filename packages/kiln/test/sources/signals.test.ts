import { blobSource, bytesSink, bytesSource, urlSource, type ByteSource, type ReadOptions } from 'kiln-format'
import { expect, test } from 'vitest'
import { rangeChunks, readRange } from '../../src/sources/range.js'
import { faultOf } from '../support/fault.js'

const bytes = new Uint8Array(10)
const unused: ByteSource = { size: 10, label: 'unused', read: () => Promise.reject(new Error('was read')) }
const fetch = (): never => {
  throw new Error('was fetched')
}
const TAKERS: readonly (readonly [string, (options: ReadOptions) => Promise<unknown>])[] = [
  ['a sink in memory: write', (options) => bytesSink().write(bytes, options)],
  ['a sink in memory: patch', (options) => bytesSink().patch(0, new Uint8Array(0), options)],
  ['bytes', (options) => bytesSource(bytes).read(0, 0, options)],
  ['a Blob', (options) => blobSource(new Blob([bytes])).read(0, 0, options)],
  ['a URL', (options) => urlSource('http://host.test/', { ...options, fetch, retries: 0 })],
  ['what is kept of a URL', async (options) => {
    const source = await urlSource('http://host.test/', { fetch: async () => new Response(bytes), retries: 0 })
    return source.read(0, 4, options)
  }],
  ['a range', (options) => readRange(unused, 0, 10, options)],
  ['an empty range', (options) => readRange(unused, 0, 0, options)],
  ['a range in pieces', (options) => rangeChunks(unused, 0, 10, options).next()],
  ['an empty range in pieces', (options) => rangeChunks(unused, 0, 0, options).next()],
]

test.each(TAKERS)('%s: a signal is looked at before anything is done', async (_, take) => {
  const reason = new Error('enough')
  await expect(take({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const halves = [
    { throwIfAborted: () => undefined },
    { addEventListener: () => undefined },
    { throwIfAborted: () => undefined, addEventListener: true, removeEventListener: () => undefined },
  ]
  for (const none of [null, 5, new AbortController(), ...halves]) {
    expect(await faultOf(take({ signal: none as never }))).toMatchObject({
      code: 'TYPE',
      detail: expect.stringContaining('signal is an AbortSignal, such as the one of an AbortController; got ') as string,
    })
  }
})

test('an empty range of bytes in memory holds on to none of it, and is there when the memory has gone', async () => {
  const memory = new Uint8Array(8)
  const source = bytesSource(memory)
  expect((await source.read(4, 0)).buffer.byteLength).toBe(0)
  structuredClone(memory.buffer, { transfer: [memory.buffer] })
  expect((await source.read(4, 0)).buffer.byteLength).toBe(0)
  expect((await faultOf(source.read(4, 1))).code).toBe('TYPE')
})
