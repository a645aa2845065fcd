// Programs that tests run beside Node: a browser for the page, a web server for range requests. On Debian as
// root, as in CI, they are installed from Debian's packages; elsewhere tests find what is there, and say visibly
// what was not run. `KILN_SKIP_SYSTEM_PACKAGES=1` leaves the system alone.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const WANTED = [
  { packageName: 'chromium', programs: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'], env: 'KILN_CHROMIUM' },
  { packageName: 'nginx-light', programs: ['/usr/sbin/nginx', '/usr/bin/nginx'], env: 'KILN_NGINX' },
  { packageName: 'nats-server', programs: ['/usr/bin/nats-server', '/usr/sbin/nats-server', '/usr/local/bin/nats-server'], env: 'KILN_NATS_SERVER' },
]

const missing = WANTED.filter(({ programs, env }) => process.env[env] === undefined && !programs.some((path) => existsSync(path)))
if (missing.length > 0) install(missing.map(({ packageName }) => packageName))

function install(names) {
  const debianAsRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (!debianAsRoot || process.env.KILN_SKIP_SYSTEM_PACKAGES === '1') {
    console.log(`not installed here: ${names.join(', ')}; the tests that need them will say that they were not run`)
    return
  }
  console.log(`installing from Debian's packages: ${names.join(', ')}`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update', '-q'], ['install', '-y', '-q', '--no-install-recommends', ...names]]) {
    const run = spawnSync('apt-get', args, { env: environment, encoding: 'utf8' })
    if (run.status === 0) continue
    console.error(run.stdout.split('\n').slice(-5).join('\n') + run.stderr)
    console.error(`apt-get ${args.join(' ')} failed; install ${names.join(', ')} by hand, or set KILN_SKIP_SYSTEM_PACKAGES=1`)
    process.exitCode = 1
    return
  }
}
