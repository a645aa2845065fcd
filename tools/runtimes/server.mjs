import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { text } from 'node:stream/consumers'
import { caseFiles, modules, root } from './paths.mjs'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.json': 'application/json',
}

const strict = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
const startsWorkers = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'"

/**
 * The built files as a site on loopback. An import map would be an inline script, which the policy forbids: the names
 * of the packages become addresses on the way. Nothing else of a file is changed.
 */
export async function serve() {
  const waiting = new Map()
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      void text(request).then((told) => {
        waiting.get(request.url)?.(JSON.parse(told))
        response.writeHead(204).end()
      })
      return
    }
    answer(new URL(request.url, 'http://localhost').pathname).then(
      ({ body, type, policy }) =>
        response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    /** What a page or Worker tells under this number. */
    outcome: (id) => new Promise((resolve) => waiting.set(`/outcome/${id}`, resolve)),
    close: () => server.close(),
  }
}

async function answer(pathname) {
  if (pathname === '/found.json')
    return { body: JSON.stringify({ modules, caseFiles }), type: types['.json'], policy: strict }
  const path = normalize(pathname)
  const type = types[extname(path)]
  if (type === undefined || !/^\/(packages|tools\/runtimes|spec)\//.test(path)) throw new Error('not of this site')
  const contents = await readFile(join(root, path), 'utf8')
  const policy = path.endsWith('launcher.html') || path.endsWith('launcher.mjs') ? startsWorkers : strict
  return { body: path.endsWith('.js') ? withAddresses(contents) : contents, type, policy }
}

function withAddresses(contents) {
  return contents.replace(/(\bfrom\s*|\bimport\s*)'(kiln-format[^']*)'/g, (whole, before, name) => {
    const path = modules[name]
    if (path === undefined) throw new Error(`${name} is no entry`)
    return `${before}'/${path}'`
  })
}
