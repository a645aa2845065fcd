import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeDirectory, tensor } from 'kiln-format'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf, root } from './documents.js'

// The page of Start, in a browser, as somebody would try it in a clone: beside the built packages, from any server of files.
const path = process.env['KILN_CHROMIUM'] ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((at) => existsSync(at))
if (path === undefined) console.warn('Chromium is not installed: the page of docs/start.md is not tried')
const html = blocksOf('docs/start.md').find(({ language }) => language === 'html')!.text

let server: Server
let browser: Browser | undefined

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/page.html') response.writeHead(200, { 'Content-Type': 'text/html' }).end(html)
    else if (/^\/packages\/kiln\/dist\/[a-z0-9/-]+\.js$/.test(pathname) && existsSync(root + pathname.slice(1))) {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(root + pathname.slice(1)))
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  if (path !== undefined) browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  server.close()
})

test.skipIf(path === undefined)('it shows the tensors of a file that was picked', async () => {
  const page = await browser!.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`)
  const file = encodeDirectory([tensor('<b>w</b>', 'bf16', [2, 3], new Uint16Array(6)), tensor('bias', 'f32', [], [1])])
  await page.setInputFiles('#file', { name: 'model.kiln', mimeType: 'application/octet-stream', buffer: Buffer.from(file) })
  await page.waitForSelector('#tensors li')
  expect(await page.locator('#tensors li').allTextContents()).toEqual(['<b>w</b> bf16 [2, 3]', 'bias f32 []'])
  expect(faults).toEqual([])
})
