import { request } from 'node:http'
import { bytesSource, urlSource } from 'kiln-format'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type ViewServer } from '../../src/view/server.js'

const bytes = Uint8Array.from({ length: 3 * 2 ** 20 + 5 }, (_, i) => (i * 7) % 251)
const files = new Map([
  ['index.html', { type: 'text/html; charset=utf-8', bytes: new TextEncoder().encode('<!doctype html>') }],
  ['assets/a.js', { type: 'text/javascript; charset=utf-8', bytes: new TextEncoder().encode('1') }],
])

let server: ViewServer
let base: URL
beforeAll(async () => {
  server = await startServer(files, bytesSource(bytes), 'a model ü#?.kiln', 0)
  base = new URL(server.url)
})
afterAll(async () => server.close())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: base.port, path, method, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    })
    call.on('error', reject)
    call.end()
  })
}

test('the page and its files lie behind a path that nobody can guess', async () => {
  const { pathname } = base
  expect(pathname).toMatch(/^\/[\w-]{32}\/$/)
  expect((await ask(pathname)).body.toString()).toBe('<!doctype html>')
  expect((await ask(`${pathname}assets/a.js`)).headers['content-type']).toBe('text/javascript; charset=utf-8')
  for (const path of ['/', '/index.html', '/file/x', `/${'a'.repeat(32)}/`, pathname.slice(0, -1)]) {
    expect([path, (await ask(path)).status]).toEqual([path, 404])
  }
})

test('nothing but the listed files is served, whatever the spelling', async () => {
  const { pathname } = base
  for (const path of [
    '../package.json',
    '..%2fpackage.json',
    'assets/..%2f..%2fpackage.json',
    'assets/',
    'file/',
    '.',
    '%00',
  ]) {
    const { status } = await ask(pathname + path)
    // "." is the page itself, as URLs have it.
    expect([path, status]).toEqual([path, path === '.' ? 200 : 404])
  }
})

test("a request under another name than this server's is refused", async () => {
  const { pathname, port } = base
  expect((await ask(pathname, { Host: `localhost:${port}` })).status).toBe(200)
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${Number(port) + 1}`,
  ]) {
    expect([host, (await ask(pathname, { Host: host })).status]).toEqual([host, 403])
  }
})

test('no page of another origin may read an answer', async () => {
  const { headers } = await ask(base.pathname, { Origin: 'https://evil.example' })
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect((await ask(base.pathname, { Origin: 'https://evil.example' }, 'OPTIONS')).status).toBe(405)
  expect((await ask(base.pathname, {}, 'POST')).status).toBe(405)
})

test('the file comes by ranges', async () => {
  const path = base.pathname + new URLSearchParams(base.hash.slice(1)).get('url')!
  const some = await ask(path, { Range: 'bytes=1048570-1048580' })
  expect([some.status, some.headers['content-range']]).toEqual([206, `bytes 1048570-1048580/${bytes.length}`])
  expect(some.body).toEqual(Buffer.from(bytes.subarray(1_048_570, 1_048_581)))
  const all = await ask(path)
  expect([all.status, all.body.equals(bytes)]).toEqual([200, true])
  const beyond = await ask(path, { Range: `bytes=${bytes.length}-` })
  expect([beyond.status, beyond.headers['content-range'], beyond.body.length]).toEqual([
    416,
    `bytes */${bytes.length}`,
    0,
  ])
  const head = await ask(path, {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(bytes.length), 0])
})

test('a source over the server reads what the file has', async () => {
  const address = new URL(new URLSearchParams(base.hash.slice(1)).get('url')!, base)
  const source = await urlSource(address)
  expect(source.size).toBe(bytes.length)
  const read = await source.read(2 ** 20 - 3, 2 ** 21)
  // Millions of elements are compared at once.
  expect(Buffer.from(read).equals(bytes.subarray(2 ** 20 - 3, 2 ** 20 - 3 + 2 ** 21))).toBe(true)
  await source.close?.()
})

test('a port that is taken is told', async () => {
  await expect(startServer(files, bytesSource(bytes), 'x', Number(base.port))).rejects.toThrow(/EADDRINUSE/)
})
