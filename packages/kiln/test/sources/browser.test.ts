import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { encodeFrame, modelSchema, tensor } from 'kiln-format'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRange, serve, type TestServer } from '../support/http.js'

// The built library in a real browser, whose fetch hides headers of other origins and where redirects lead.
const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const installed = existsSync(path)
if (!installed) console.warn(`${path} is not installed: sources are not tried in a browser`)
const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

const tensors = Array.from({ length: 1000 }, (_, i) => tensor(`t${i}`, 'f32', [64], new Float32Array(64).fill(i)))
const file = encodeFrame(modelSchema, { tensors, metadata: { where: 'browser' } }, { schema: true })

let browser: Browser | undefined
let page: Page
let site: TestServer
let data: TestServer
let store: TestServer

function page_(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/') {
    response.writeHead(200, {
      'Content-Type': 'text/html',
      'Content-Security-Policy': "script-src 'self'; connect-src *",
    })
    response.end('<!doctype html><title>test</title><script type="module" src="/start.js"></script>')
  } else if (request.url === '/start.js') {
    response.writeHead(200, { 'Content-Type': 'text/javascript' })
    response.end("import * as kiln from '/index.js'; globalThis.kiln = kiln")
  } else if (/^\/[a-z0-9/-]+\.js$/.test(request.url ?? '')) {
    response.writeHead(200, { 'Content-Type': 'text/javascript' })
    response.end(readFileSync(dist + (request.url ?? '').slice(1)))
  } else response.writeHead(404).end()
}

const open_ = { 'Access-Control-Allow-Origin': '*' }

function answer(request: IncomingMessage, response: ServerResponse): void {
  const allow = {
    ...open_,
    'Access-Control-Allow-Headers': 'authorization, range',
    'Access-Control-Allow-Methods': 'GET',
  }
  if (request.method === 'OPTIONS') response.writeHead(204, allow).end()
  else if (request.url === '/exposed') {
    sendRange(request, response, file, {
      ...open_,
      'Access-Control-Expose-Headers': 'Content-Range, ETag',
      ETag: '"1"',
    })
  } else if (request.url === '/moved') response.writeHead(302, { ...open_, Location: `${store.origin}/exposed` }).end()
  else if (request.url === '/secret' && request.headers.authorization !== 'Bearer x')
    response.writeHead(401, open_).end()
  else if (request.url === '/no-head' && request.method === 'HEAD') response.writeHead(403, open_).end()
  else if (request.url === '/no-cors') sendRange(request, response, file)
  else if (request.headers.range === undefined) {
    response
      .writeHead(200, { ...open_, 'Content-Length': file.length })
      .end(request.method === 'HEAD' ? undefined : file)
  } else sendRange(request, response, file, open_)
}

beforeAll(async () => {
  if (!installed) return
  site = await serve(page_)
  store = await serve(answer)
  data = await serve(answer)
  browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  page = await browser.newPage()
  await page.goto(site.origin)
  await page.waitForFunction('globalThis.kiln !== undefined')
})
afterAll(async () => {
  await browser?.close()
  for (const server of installed ? [site, store, data] : []) await server[Symbol.asyncDispose]()
})

/** Opens a URL in the page, loads a tensor, and gives what came of it. */
async function load(url: string, options = '{}'): Promise<unknown> {
  return page.evaluate(`(async () => {
    try {
      const model = await kiln.open(kiln.urlSource(${JSON.stringify(url)}, { retryDelay: 1, ...${options} }))
      const t = await model.load('t777')
      return [model.metadata.get('where'), t.borrow('f32')[63], model.length]
    } catch (error) {
      return [error.code ?? String(error), error.detail]
    }
  })()`)
}

const right = ['browser', 777, 1000]

test.skipIf(!installed)('another origin, with and without its headers to be seen', async () => {
  expect(await load(`${data.origin}/exposed`)).toEqual(right)
  expect(await load(`${data.origin}/hidden`)).toEqual(right)
  expect(await load(`${data.origin}/no-head`)).toEqual(right)
  const [code, detail] = (await load(`${data.origin}/no-cors`, '{ retries: 0 }')) as string[]
  expect(code).toBe('EOF')
  expect(detail).toContain('CORS')
})

test.skipIf(!installed)('headers of the caller', async () => {
  expect(await load(`${data.origin}/secret`, "{ headers: { Authorization: 'Bearer x' } }")).toEqual(right)
  expect(((await load(`${data.origin}/secret`)) as string[])[0]).toBe('EOF')
})

test.skipIf(!installed)('a redirect to another origin: followed without headers, refused with them', async () => {
  expect(await load(`${data.origin}/moved`)).toEqual(right)
  const before = store.seen.length
  const [code, detail] = (await load(`${data.origin}/moved`, "{ headers: { Authorization: 'Bearer x' } }")) as string[]
  expect(code).toBe('FRAME')
  expect(detail).toContain("doesn't say where")
  expect(store.seen.length).toBe(before)
})

test.skipIf(!installed)('a File, an abort, and closing', async () => {
  const result = await page.evaluate(`(async () => {
    const bytes = kiln.encodeDirectory([kiln.tensor('t', 'f32', [2], Float32Array.of(1, 2))])
    const model = await kiln.open(new File([bytes], 'picked.kiln'))
    const t = await model.load('t')
    const reason = await kiln.open(new Blob([bytes]), { signal: AbortSignal.abort('no') }).catch((e) => e)
    await model.close()
    return [model.source.label, [...t.borrow('f32')], reason]
  })()`)
  expect(result).toEqual(['picked.kiln', [1, 2], 'no'])
})
