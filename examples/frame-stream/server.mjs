import { once } from 'node:events'
import { createServer } from 'node:net'
import { encodeFrame, readFrames } from 'kiln-format'
import { Batch, isMarked, Reading, Receipt, valueOf } from './messages.mjs'

/**
 * @typedef {import('kiln-format').Infer<typeof Receipt>} Counts
 * @typedef {{
 *   limits?: Partial<import('kiln-format').Limits>,
 *   onFrame?: (number: number) => void | Promise<void>,
 *   onFault?: (error: unknown) => void,
 * }} ServerOptions
 */

/**
 * Reads frames of two kinds from a socket until the client has sent all, and sees that none is lost, doubled, or out of
 * its order. What has not been read stays with the client: the loop asks for bytes when it is done with the frames
 * before, and TCP holds the sender back.
 *
 * @param {import('node:net').Socket} socket
 * @param {ServerOptions} options
 * @returns {Promise<Counts>}
 */
async function receive(socket, { limits = { body: 2 * 2 ** 20 }, onFrame }) {
  const counts = { readings: 0, batches: 0, sum: 0 }
  // Iterating a socket closes both of its directions at the end, unless it is told not to; the receipt is still to go.
  const chunks = socket.iterator({ destroyOnReturn: false })
  for await (const frame of readFrames(chunks, [Reading, Batch], { limits })) {
    const { number } = frame.value
    if (number !== counts.readings + counts.batches) {
      throw new Error(`frame ${number} came where ${counts.readings + counts.batches} was next`)
    }
    if (frame.is(Batch)) {
      counts.batches++
      if (!isMarked(frame.value.samples.get('samples').borrow('f32'), number)) throw new Error(`batch ${number} has other samples`)
    } else if (frame.is(Reading)) {
      counts.readings++
      if (frame.value.value !== valueOf(number)) throw new Error(`reading ${number} has another value`)
      counts.sum += frame.value.value
    }
    // Waiting costs a turn of the loop, so only where there is something to wait for.
    const waiting = onFrame?.(number)
    if (waiting !== undefined) await waiting
  }
  return counts
}

/**
 * A server on a free port of the loopback. Each client gets a receipt at its end; one that sends what it should not
 * is cut off.
 *
 * @param {ServerOptions} [options]
 */
export async function frameServer(options = {}) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    receive(socket, options).then(
      (counts) => socket.end(encodeFrame(Receipt, counts)),
      (error) => {
        socket.destroy()
        options.onFault?.(error)
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, close: () => new Promise((resolve) => server.close(resolve)) }
}
