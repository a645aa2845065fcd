import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a test server has got. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly range: string | undefined
  readonly headers: IncomingMessage['headers']
}

export interface TestServer extends AsyncDisposable {
  readonly origin: string
  /** All requests so far, in order. */
  readonly seen: Seen[]
}

export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** Starts a server on the loopback; `count` is 1 for the first request. */
export async function serve(handler: Handler, host = '127.0.0.1'): Promise<TestServer> {
  const seen: Seen[] = []
  const server: Server = createServer((request, response) => {
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      range: request.headers.range,
      headers: request.headers,
    })
    response.on('error', () => undefined)
    handler(request, response, seen.length)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** First and last byte of a `bytes=a-b`, the last cut to the size. */
export function rangeOf(request: IncomingMessage, size: number): { start: number; end: number } {
  const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (match === null) throw new Error(`no plain range: ${request.headers.range}`)
  return { start: Number(match[1]), end: Math.min(Number(match[2]), size - 1) }
}

/** Answers a request for a range as a good server does, with more headers. */
export function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): void {
  const { start, end } = rangeOf(request, bytes.length)
  const body = bytes.subarray(start, end + 1)
  response.writeHead(206, {
    'Content-Range': `bytes ${start}-${end}/${bytes.length}`,
    'Content-Length': body.length,
    ...headers,
  })
  response.end(body)
}

/** Bytes that differ from place to place. */
export function pattern(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 131 + Math.floor(i / 256)) % 256)
}
