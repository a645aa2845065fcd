import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Serves the built page as a static host does, and files under /files/ by ranges, for tests and pictures. A file is
 * `{ size, read(offset, length) }`. Requests for files are noted.
 *
 * @param {string} folder the built page
 * @param {Map<string, { size: number, read(offset: number, length: number): Promise<Uint8Array> }>} files
 * @param {{ ranges?: boolean }} [options] `ranges: false` answers with the whole file, as servers do that know none
 */
export async function serve(folder, files, options = {}) {
  /** @type {{ name: string, range: string | undefined }[]} */
  const requests = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      response.writeHead(500)
      response.end(String(error))
    })
  })

  async function answer(request, response) {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
    if (path.startsWith('/files/')) return sendFile(request, response, path.slice('/files/'.length))
    const wanted = normalize(join(folder, path === '/' ? 'index.html' : path))
    if (!wanted.startsWith(folder + sep)) return void response.writeHead(404).end()
    const bytes = await readFile(wanted).catch(() => undefined)
    if (bytes === undefined) return void response.writeHead(404).end()
    response.writeHead(200, {
      'Content-Type': TYPES[extname(wanted)] ?? 'application/octet-stream',
      'Content-Length': bytes.length,
    })
    response.end(bytes)
  }

  async function sendFile(request, response, name) {
    const { range } = request.headers
    requests.push({ name, range })
    const file = files.get(name)
    if (file === undefined) return void response.writeHead(404).end()
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (options.ranges === false || first === undefined) {
      response.writeHead(200, { 'Content-Length': file.size, ETag: '"1"' })
      return void response.end(await file.read(0, file.size))
    }
    const offset = Number(first)
    const length = Math.min(Number(last) + 1, file.size) - offset
    if (length <= 0) return void response.writeHead(416, { 'Content-Range': `bytes */${file.size}` }).end()
    response.writeHead(206, {
      'Content-Length': length,
      'Content-Range': `bytes ${offset}-${offset + length - 1}/${file.size}`,
      ETag: '"1"',
    })
    response.end(await file.read(offset, length))
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined))
        server.closeAllConnections()
      }),
  }
}

/** Bytes in memory as a file to serve. */
export function fileOf(bytes) {
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) }
}
