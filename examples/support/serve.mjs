import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

/** The built library, for pages: `<script type="importmap">` of a page names it, so that it is `kiln-format` there too. */
export const LIBRARY = fileURLToPath(new URL('../../packages/kiln/dist/', import.meta.url))

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
])

/** @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} Handler */

/**
 * Serves folders by what their addresses begin with, files by ranges, and handlers by method and path, to this machine
 * alone. Pages run under a policy without inline code, eval, or anything of other origins.
 *
 * @param {{ folders: Record<string, string>, handlers?: Record<string, Handler>, port?: number }} options
 */
export async function serve({ folders, handlers = {}, port = 0 }) {
  /** @type {{ path: string, range: string | undefined }[]} */
  const requests = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      // That the other side went away is its own affair; anything else is a fault of ours.
      if (!['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(error.code)) console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })

  /** @type {Handler} */
  async function answer(request, response) {
    const asked = `http://localhost${request.url}`
    if (!URL.canParse(asked)) return void response.writeHead(400).end()
    const path = new URL(asked).pathname
    // Browsers ask for it by themselves.
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    const { range } = request.headers
    requests.push({ path, range })
    const handler = handlers[`${request.method} ${path}`]
    return handler === undefined ? sendFile(fileAt(folders, path), range, response) : handler(request, response)
  }

  // A client that was busy for longer than this would send its next request into a connection that is closed.
  server.keepAliveTimeout = 60_000
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined)))
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    origin: `http://127.0.0.1:${address.port}`,
    /** What was asked for so far. */
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

/**
 * @param {string | undefined} file
 * @param {string | undefined} range
 * @param {import('node:http').ServerResponse} response
 */
async function sendFile(file, range, response) {
  const size = file === undefined ? undefined : await sizeOf(file)
  if (file === undefined || size === undefined) return void response.writeHead(404).end()
  response.setHeader('Content-Type', TYPES.get(extname(file)) ?? 'application/octet-stream')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  if (file.endsWith('.html')) response.setHeader('Content-Security-Policy', policyFor(await readFile(file, 'utf8')))
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (first === undefined) {
    response.writeHead(200, { 'Content-Length': size, 'Accept-Ranges': 'bytes' })
    return pipeline(createReadStream(file), response)
  }
  const start = Number(first)
  const end = Math.min(Number(last), size - 1)
  if (start > end) return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end()
  response.writeHead(206, { 'Content-Length': end - start + 1, 'Content-Range': `bytes ${start}-${end}/${size}` })
  return pipeline(createReadStream(file, { start, end }), response)
}

/**
 * The file of an address. `URL` has taken every `..` out of it; what is written as `%2f` or `%2e` stays so, and finds nothing.
 *
 * @param {Record<string, string>} folders
 * @param {string} path
 */
function fileAt(folders, path) {
  const prefix = Object.keys(folders).filter((start) => path.startsWith(start)).sort((a, b) => b.length - a.length)[0]
  if (prefix === undefined) return undefined
  const rest = path.slice(prefix.length)
  return join(folders[prefix] ?? '', rest === '' ? 'index.html' : rest)
}

/** @param {string} file */
async function sizeOf(file) {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() === true ? found.size : undefined
}

/**
 * Import maps have to stand in the page, so theirs is the one inline script, and allowed by its hash.
 *
 * @param {string} html
 */
function policyFor(html) {
  const map = /<script type="importmap">([^<]*)<\/script>/.exec(html)?.[1]
  const hash = map === undefined ? '' : ` 'sha256-${createHash('sha256').update(map).digest('base64')}'`
  return [
    "default-src 'none'", `script-src 'self'${hash}`, "style-src 'self'", "img-src 'self'", "connect-src 'self'",
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
  ].join('; ')
}
