import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { encodeDirectory, encodeFrame, modelSchema, tensor } from 'kiln-format'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { headersOf, placeOf } from '../../src/input/url.js'
import { temporaryFolder } from '../support/folder.js'
import { kiln, kilnJson } from '../support/in-process.js'

const inFolder = temporaryFolder()
const numbers = Float32Array.from({ length: 500_000 }, (_, i) => i)
const files = new Map<string, Uint8Array>([
  ['/model.kiln', encodeFrame(modelSchema, { tensors: [tensor('big', 'f32', [500_000], numbers), tensor('small', 'u8', [3], [1, 2, 3])], metadata: { a: 'b' } }, { schema: true })],
  ['/d%20x/dir.kiln', encodeDirectory([tensor('w', 'u8', [1], [7])])],
])
let server: Server
let origin: string
let seen: { url: string; range: string | undefined; headers: IncomingHttpHeaders }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    seen.push({ url: request.url ?? '', range: request.headers.range, headers: request.headers })
    const bytes = files.get(path)
    if (bytes === undefined) {
      response.writeHead(404).end()
      return
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const end = Math.min(Number(to), bytes.length - 1)
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${end}/${bytes.length}` }).end(bytes.subarray(Number(from), end + 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => (seen = []))

test('a URL is inspected by ranges, with the headers that are asked for', async () => {
  const model = await kilnJson(['inspect', `${origin}/model.kiln`, '--header', 'Authorization: Bearer a:b', '--header', 'X-Two:2'])
  expect(model).toMatchObject({ format: 'kiln', bytes: files.get('/model.kiln')!.length, metadata: { a: 'b' }, tensors: [{ name: 'big' }, { name: 'small' }] })
  expect(seen.length).toBeLessThanOrEqual(3)
  for (const { headers } of seen) expect(headers).toMatchObject({ authorization: 'Bearer a:b', 'x-two': '2' })
})

test('one tensor of a URL costs its own bytes, not the file\'s', async () => {
  const { bytes } = await kiln(['extract', `${origin}/model.kiln`, 'small'])
  expect([...bytes]).toEqual([1, 2, 3])
  const asked = seen.reduce((sum, { range }) => sum + rangeLength(range), 0)
  expect(asked).toBeLessThan(600_000)
})

test('convert and diff take URLs', async () => {
  const copy = inFolder('copy.kiln')
  expect((await kiln(['convert', `${origin}/model.kiln`, copy])).code).toBe(0)
  expect(readFileSync(copy).equals(Buffer.from(files.get('/model.kiln')!))).toBe(true)
  expect(await kilnJson(['diff', `${origin}/model.kiln`, copy])).toMatchObject({ same: true })
  expect(await kilnJson(['stats', `${origin}/d%20x/dir.kiln`])).toMatchObject({ tensors: [{ name: 'w', min: 7, max: 7 }] })
})

test('a URL that answers with an error is told by its status, and no secret is said', async () => {
  const { code, stderr } = await kiln(['inspect', `${origin}/missing.kiln?token=secret`, '--header', 'Authorization: secret'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^kiln: EOF at .*404/)
  expect(stderr).not.toContain('secret')
  expect(await kiln(['inspect', `${origin}/model.kiln`, '--header', 'secret'])).toMatchObject({ code: 2, stderr: expect.not.stringContaining('secret') as string })
})

test('what is a path and what a URL', () => {
  expect(placeOf('-')).toEqual({ kind: 'stdin' })
  expect(placeOf('C:/models/x.kiln')).toEqual({ kind: 'path', path: 'C:/models/x.kiln' })
  expect(placeOf('C:\\m\\x.kiln')).toEqual({ kind: 'path', path: 'C:\\m\\x.kiln' })
  expect(placeOf('./a:b.kiln')).toEqual({ kind: 'path', path: './a:b.kiln' })
  expect(placeOf('http://h/x.kiln')).toEqual({ kind: 'url', url: 'http://h/x.kiln' })
  expect(placeOf('HTTPS://h/x')).toEqual({ kind: 'url', url: 'HTTPS://h/x' })
  expect(placeOf('file:///tmp/a%20b.kiln')).toEqual({ kind: 'path', path: '/tmp/a b.kiln' })
  expect(() => placeOf('s3://bucket/x')).toThrow('s3: is not read')
})

test('headers are split at the first colon', () => {
  expect(headersOf(['A: b: c', 'D:e'])).toEqual([['A', 'b: c'], ['D', 'e']])
  expect(headersOf(undefined)).toEqual([])
  expect(() => headersOf([': x'])).toThrow('a header is written')
})

function rangeLength(range: string | undefined): number {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  return Number(to) - Number(from) + 1
}
