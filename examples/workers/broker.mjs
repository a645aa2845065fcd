import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../support/nginx.mjs'

const PROGRAM = process.env['KILN_NATS_SERVER'] ??
  ['/usr/bin/nats-server', '/usr/sbin/nats-server', '/usr/local/bin/nats-server'].find((path) => existsSync(path)) ??
  'nats-server'

/**
 * A NATS server with JetStream, whose streams lie in a folder.
 *
 * @param {string} folder
 */
export async function startBroker(folder) {
  const port = await freePort()
  let child = await run(port, folder)
  return {
    url: `nats://127.0.0.1:${port}`,
    stop: () => end(child, 'SIGTERM'),
    /** Ends it as a fault would, without time to put anything in order. */
    kill: () => end(child, 'SIGKILL'),
    /** Starts it again, with what lies in the folder, where its clients look for it. */
    async restart() {
      child = await run(port, folder)
    },
  }
}

/**
 * @param {number} port
 * @param {string} folder
 */
async function run(port, folder) {
  const child = spawn(PROGRAM, ['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', folder], { stdio: 'ignore' })
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${PROGRAM} ended with ${code}`)))
  const answers = (async () => {
    while (!(await listens(port))) await wait(50)
  })()
  await Promise.race([answers, failed])
  failed.catch(() => {})
  return child
}

/** @param {number} port */
function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => socket.destroy())
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(socket.bytesRead > 0))
  })
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
