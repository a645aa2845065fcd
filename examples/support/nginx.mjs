import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** nginx, if it is installed. */
export const NGINX = process.env['KILN_NGINX'] ?? ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path))

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/**
 * Serves the files of a folder to this machine alone.
 *
 * @param {string} folder
 * @param {{ rate?: string }} [options] bytes a second that one request gets, such as `512k`; 0 is all there are
 */
export async function startNginx(folder, { rate = '0' } = {}) {
  if (NGINX === undefined) throw new Error('nginx is not installed; its path can be given as KILN_NGINX')
  const own = await mkdtemp(join(tmpdir(), 'kiln-nginx-'))
  const port = await freePort()
  await writeFile(join(own, 'nginx.conf'), configuration(own, folder, port, rate))
  const args = ['-e', join(own, 'error.log'), '-c', join(own, 'nginx.conf'), '-p', own]
  const child = spawn(NGINX, args, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await ended
    await rm(own, { recursive: true, force: true })
  }
  const origin = `http://127.0.0.1:${port}`
  for (let i = 0; !(await fetch(origin).then(() => true, () => false)); i++) {
    if (i === 600 || child.exitCode !== null) {
      const log = await readFile(join(own, 'error.log'), 'utf8').catch(() => 'no log')
      await stop()
      throw new Error(`nginx did not start: ${log}`)
    }
    await wait(50)
  }
  return {
    origin,
    /** The files that were asked for so far, the statuses, and the ranges, `-` for none. */
    requests: async () =>
      (await readFile(join(own, 'access.log'), 'utf8')).trimEnd().split('\n').map((line) => {
        const [path = '', status, range = ''] = line.split(' ')
        return { path, status: Number(status), range }
      }).filter(({ path }) => path !== '/'),
    stop,
  }
}

/**
 * @param {string} own
 * @param {string} folder
 * @param {number} port
 * @param {string} rate
 */
function configuration(own, folder, port, rate) {
  return `
    daemon off;
    master_process off;
    pid "${own}/nginx.pid";
    events {}
    http {
      log_format asked '$request_uri $status $http_range';
      access_log "${own}/access.log" asked;
      client_body_temp_path "${own}/a"; proxy_temp_path "${own}/b"; fastcgi_temp_path "${own}/c";
      uwsgi_temp_path "${own}/d"; scgi_temp_path "${own}/e";
      default_type application/octet-stream;
      server {
        listen 127.0.0.1:${port};
        root "${folder}";
        limit_rate ${rate};
      }
    }`
}
