import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ByteSource } from 'kiln-format'
import type { PageFile } from './page-files.js'
import { parseRange } from './range.js'

const LOOPBACK = '127.0.0.1'
/** Bytes that are read and sent at a time. */
const PIECE = 2 ** 20

/** What the page may do; as in the page itself, and no other page may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "worker-src 'self'",
  "connect-src 'self' https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types kiln-worker',
].join('; ')

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

export interface ViewServer {
  /** The page with the file in it. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the page and one file, by ranges, to this machine alone. A random part of the path keeps other users and pages
 * out, who can't guess it; the Host header must name this server, so that no other site's name can lead here; and
 * nothing is said that would let a page of another origin read an answer.
 */
export async function startServer(
  files: ReadonlyMap<string, PageFile>,
  source: ByteSource,
  name: string,
  port: number,
): Promise<ViewServer> {
  const token = randomBytes(24).toString('base64url')
  const shown = { source, etag: `"${randomBytes(12).toString('hex')}"` }
  const path = `file/${encodeURIComponent(name)}`
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnHost(request.headers.host, server)) return refuse(response, 403)
    const { pathname } = new URL(request.url ?? '/', `http://${LOOPBACK}`)
    const prefix = `/${token}/`
    if (!pathname.startsWith(prefix)) return refuse(response, 404)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405)
    const wanted = pathname.slice(prefix.length)
    if (wanted === path) return sendRange(request, response, shown)
    const file = files.get(wanted === '' ? 'index.html' : wanted)
    if (file === undefined) return refuse(response, 404)
    response.writeHead(200, { ...HEADERS, 'Content-Type': file.type, 'Content-Length': file.bytes.length })
    response.end(request.method === 'HEAD' ? undefined : file.bytes)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${LOOPBACK}:${address.port}/${token}/#url=${encodeURIComponent(path).replaceAll('%2F', '/')}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isOwnHost(host: string | undefined, server: Server): boolean {
  const { port } = server.address() as AddressInfo
  return host === `${LOOPBACK}:${port}` || host === `localhost:${port}`
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...HEADERS, 'Content-Length': 0 })
  response.end()
}

async function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  { source, etag }: { readonly source: ByteSource; readonly etag: string },
): Promise<void> {
  const { size } = source
  const range = parseRange(request.headers.range, size)
  const common = { ...HEADERS, 'Accept-Ranges': 'bytes', ETag: etag, 'Content-Type': 'application/octet-stream' }
  if (range === 'beyond') {
    response.writeHead(416, { ...common, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 })
    response.end()
    return
  }
  const { offset, length } = range === 'all' ? { offset: 0, length: size } : range
  const partly = range === 'all' ? {} : { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${size}` }
  response.writeHead(range === 'all' ? 200 : 206, { ...common, ...partly, 'Content-Length': length })
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  const abort = new AbortController()
  response.on('close', () => abort.abort())
  const step = Math.max(PIECE, source.readSize ?? 0)
  for (let done = 0; done < length && !abort.signal.aborted; done += step) {
    const piece = await source.read(offset + done, Math.min(step, length - done), { signal: abort.signal })
    if (!response.write(piece)) await drained(response, abort.signal)
  }
  response.end()
}

/** When the browser has taken what was written, or has gone. */
async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return
  await new Promise<void>((resolve) => {
    response.once('drain', resolve)
    gone.addEventListener('abort', () => resolve(), { once: true })
  })
}
