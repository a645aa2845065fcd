import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * The same bytes without frames: what sockets of this platform carry. Gives seconds.
 *
 * @param {number} bytes
 * @param {number} piece bytes of a write
 */
export async function rawCopy(bytes, piece) {
  let received = 0
  const server = createServer((socket) => socket.on('data', (chunk) => (received += chunk.length)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const chunk = new Uint8Array(piece)
  const start = performance.now()
  for (let left = bytes; left > 0; left -= piece) {
    await new Promise((resolve) => socket.write(left < piece ? chunk.subarray(0, left) : chunk, resolve))
  }
  socket.end()
  await once(socket, 'close')
  const seconds = (performance.now() - start) / 1000
  server.close()
  if (received !== bytes) throw new Error(`${received} of ${bytes} bytes arrived`)
  return seconds
}
