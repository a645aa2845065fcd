import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { encodeFrame, isKilnError, k } from 'kiln-format'
import { expect, test } from 'vitest'
import { FrameClient } from './client.mjs'
import { Batch, Reading } from './messages.mjs'
import { frameServer } from './server.mjs'

const run = promisify(execFile)
const MIB = 2 ** 20

test('20,000 small frames and 200 of 1 MiB arrive once, in order, and memory stays flat', { timeout: 300_000 }, async () => {
  const load = fileURLToPath(new URL('load.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [load, '20000', '200', '--json'])
  const { whole, rows } = JSON.parse(stdout) as { whole: boolean; rows: { bytes: number; first: number; second: number }[] }
  expect(whole).toBe(true)
  expect(rows.map(({ bytes }) => bytes)).toEqual([20_000 * 56, 200 * (MIB + 32 + 64 + 192 + 4)].map((n) => expect.closeTo(n, -4) as number))
  // A megabyte is dropped by each large frame; were they kept, the second half alone would add 100 MiB.
  expect(rows[1]!.second - rows[1]!.first).toBeLessThan(50)
})

test('kinds may alternate, and the receipt counts them', async () => {
  const seen: number[] = []
  const server = await frameServer({ onFrame: (number) => void seen.push(number) })
  const client = await FrameClient.connect(server.port)
  for (let i = 0; i < 5; i++) {
    await client.sendReadings(3)
    await client.sendBatches(1)
  }
  // Numbers 0-2, 4-6, 8-10, 12-14 and 16-18, an eighth each.
  expect(await client.finish()).toEqual({ readings: 15, batches: 5, sum: (3 + 15 + 27 + 39 + 51) / 8 })
  expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => i))
  await server.close()
})

test('a server that is busy holds the client back, and nothing piles up on either side', async () => {
  let goOn = (): void => undefined
  const gate = new Promise<void>((resolve) => (goOn = resolve))
  let received = 0
  const server = await frameServer({
    onFrame: async () => {
      received++
      await gate
    },
  })
  const client = await FrameClient.connect(server.port)
  const sending = client.sendBatches(100)
  // Until as many turns have gone by without a frame as a hundred frames would take many times over.
  for (let still = 0, before = -1; still < 40; await new Promise((resolve) => setTimeout(resolve, 10))) {
    still = client.sent === before && received === 1 ? still + 1 : 0
    before = client.sent
  }
  // What is under way is one frame here, and what the system's own buffers take, some MiB.
  expect(client.sent).toBeLessThan(50)
  expect(client.socket.writableLength).toBeLessThan(2 * MIB)
  goOn()
  await sending
  expect(await client.finish()).toEqual({ readings: 0, batches: 100, sum: 0 })
  await server.close()
})

test.each([
  ['a frame out of its order', encodeFrame(Reading, { number: 7, sensor: '', value: 0 }), 'frame 7 came where 0 was next'],
  ['other contents', encodeFrame(Reading, { number: 0, sensor: '', value: 1 }), 'another value'],
  ['another schema', encodeFrame(k.u8, 1), 'FRAME'],
  ['no frame', new Uint8Array(40), 'FRAME'],
  ['a body over the cap', encodeFrame(k.bytes, new Uint8Array(0)).fill(0xff, 24, 30), 'FRAME'],
  ['a frame that is cut', encodeFrame(Batch, { number: 0, samples: [] }).subarray(0, 50), 'EOF'],
])('%s ends the connection, and the server goes on', async (_, bytes, told) => {
  const faults: unknown[] = []
  const server = await frameServer({ onFault: (error) => faults.push(error) })
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  socket.resume().end(bytes)
  await once(socket, 'close')
  expect(faults.map((error) => (isKilnError(error) ? error.code : (error as Error).message))).toEqual([expect.stringContaining(told)])
  const client = await FrameClient.connect(server.port)
  await client.sendReadings(1)
  expect(await client.finish()).toEqual({ readings: 1, batches: 0, sum: 0 })
  await server.close()
})
