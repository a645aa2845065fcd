import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFrame, modelSchema, open, tensor, urlSource, type FetchLike } from 'kiln-format'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'

const NGINX = '/usr/sbin/nginx'
const installed = existsSync(NGINX)
if (!installed) console.warn(`${NGINX} is not installed: the tests against a real server are skipped`)

const count = 1000
const inputs = Array.from({ length: count }, (_, i) =>
  tensor(
    `model.layers.${i}.weight`,
    'f32',
    [64, 16],
    new Float32Array(1024).map((_, j) => i + j / 1024),
  ),
)
const file = encodeFrame(modelSchema, { tensors: inputs, metadata: { author: 'nobody' } }, { schema: true })

let folder = ''
let origin = ''
let server: ChildProcess | undefined

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

beforeAll(async () => {
  if (!installed) return
  folder = await mkdtemp(join(tmpdir(), 'kiln-nginx-'))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  await writeFile(join(folder, 'model.kiln'), file)
  await writeFile(join(folder, 'empty.kiln'), '')
  await writeFile(
    join(folder, 'nginx.conf'),
    `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log ${folder}/access.log;
      client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
      uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
      default_type application/octet-stream;
      server {
        listen 127.0.0.1:${port};
        root ${folder};
        location /plain/ { alias ${folder}/; max_ranges 0; }
        location /moved/ { return 302 /model.kiln; }
        location /secret/ { if ($http_x_token != "yes") { return 403; } alias ${folder}/; }
        location /zipped/ { alias ${folder}/; gzip on; gzip_types application/octet-stream; gzip_min_length 1; }
      }
    }`,
  )
  server = spawn(NGINX, ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: 'ignore',
  })
  for (let i = 0; i < 200; i++) {
    if (
      await fetch(`${origin}/empty.kiln`).then(
        (r) => r.ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nginx did not start: ${await readFile(join(folder, 'error.log'), 'utf8').catch(() => 'no log')}`)
})

afterAll(async () => {
  if (server !== undefined && server.exitCode === null) {
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  if (folder !== '') await rm(folder, { recursive: true, force: true })
})

/** A fetch that counts requests and the bytes of their bodies. */
function counting(): { fetch: FetchLike; requests: string[]; bytes: () => number } {
  const requests: string[] = []
  let bytes = 0
  return {
    requests,
    bytes: () => bytes,
    fetch: async (url, init) => {
      requests.push(`${init.method} ${init.headers['Range']}`)
      const response = await fetch(url, init)
      const body = await response.arrayBuffer()
      bytes += body.byteLength
      return { status: response.status, headers: response.headers, arrayBuffer: async () => body }
    },
  }
}

test.skipIf(!installed)(
  'opening a model of 1,000 tensors and loading one: three requests, less than twice what is needed',
  async () => {
    const watched = counting()
    await using model = await open(urlSource(`${origin}/model.kiln`, { fetch: watched.fetch }))
    const t = await model.load('model.layers.777.weight')
    expect(t.copy('f32')).toEqual(inputs[777]!.data)
    expect(model.metadata.get('author')).toBe('nobody')
    expect(watched.requests.length).toBe(3)
    expect(watched.bytes()).toBeLessThan(2 * (model.payloadBase + t.byteLength))
  },
)

test.skipIf(!installed)('rows and several tensors are read by ranges', async () => {
  const watched = counting()
  await using model = await open(urlSource(`${origin}/model.kiln`, { fetch: watched.fetch }))
  const before = watched.requests.length
  const rows = await model.slice('model.layers.500.weight', 10, 20)
  expect(rows.copy('f32')).toEqual((inputs[500]!.data as Float32Array).slice(160, 320))
  expect(watched.requests.length).toBe(before + 1)
  for await (const t of model.loadAll([100, 101, 102, 900])) expect(t.copy('f32')).toEqual(inputs[t.index]!.data)
  expect(watched.requests.length).toBe(before + 3)
})

test.skipIf(!installed)('a server without ranges sends everything, up to the limit', async () => {
  const watched = counting()
  await using model = await open(urlSource(`${origin}/plain/model.kiln`, { fetch: watched.fetch }))
  expect((await model.load(999)).copy('f32')).toEqual(inputs[999]!.data)
  expect(watched.requests.length).toBe(1)
  expect(await faultOf(urlSource(`${origin}/plain/model.kiln`, { wholeBodyLimit: 1000 }))).toMatchObject({
    code: 'LIMIT',
  })
})

test.skipIf(!installed)('redirects, headers, compression, and what is not there', async () => {
  const headers = { 'X-Token': 'yes' }
  for (const [path, options] of [
    ['/moved/', { headers }],
    ['/moved/', {}],
    ['/secret/model.kiln', { headers }],
    ['/zipped/model.kiln', {}],
  ] as const) {
    await using model = await open(urlSource(`${origin}${path}`, options))
    expect((await model.load(3)).copy('f32')).toEqual(inputs[3]!.data)
  }
  expect(await faultOf(urlSource(`${origin}/secret/model.kiln`))).toMatchObject({ code: 'EOF' })
  expect(await faultOf(urlSource(`${origin}/none.kiln`))).toMatchObject({ code: 'EOF' })
  expect((await urlSource(`${origin}/empty.kiln`)).size).toBe(0)
  expect(await faultOf(open(urlSource(`${origin}/nginx.conf`)))).toMatchObject({ code: 'FRAME' })
})

test.skipIf(!installed)('a file that is replaced between reads is told', async () => {
  await writeFile(join(folder, 'changing.kiln'), file)
  await using model = await open(urlSource(`${origin}/changing.kiln`))
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await writeFile(join(folder, 'changing.kiln'), file)
  expect(await faultOf(model.load(500))).toMatchObject({ code: 'FRAME' })
})
