// node load.mjs [READINGS [BATCHES]]: frames through one socket, a million small ones and 10,000 of 1 MiB unless told
// otherwise. Prints what arrived, the memory of the process over the run, and the pace beside a raw copy of the bytes.
import { encodeFrame, tensor } from 'kiln-format'
import { FrameClient } from './client.mjs'
import { Batch, Reading, SAMPLES, valueOf } from './messages.mjs'
import { rawCopy } from './raw.mjs'
import { frameServer } from './server.mjs'

const readings = Number(process.argv[2] ?? 1_000_000)
const batches = Number(process.argv[3] ?? 10_000)
const MIB = 2 ** 20

/** Resident memory over a phase: the most in its first half and in its second, so that growth is seen. */
class Memory {
  first = 0
  second = 0
  /** @param {boolean} late */
  note(late) {
    const { rss } = process.memoryUsage()
    if (late) this.second = Math.max(this.second, rss)
    else this.first = Math.max(this.first, rss)
  }
}

/**
 * One kind of frames, sent in a hundred rounds.
 *
 * @param {string} name
 * @param {number} count
 * @param {number} frameBytes
 * @param {number} piece
 * @param {(count: number) => Promise<void>} send
 * @param {() => number} arrived
 */
async function phase(name, count, frameBytes, piece, send, arrived) {
  const memory = new Memory()
  const goal = arrived() + count
  const start = performance.now()
  for (let round = 0; round < 100; round++) {
    await send(Math.floor(((round + 1) * count) / 100) - Math.floor((round * count) / 100))
    memory.note(round >= 50)
  }
  while (arrived() < goal) await new Promise((resolve) => setImmediate(resolve))
  const seconds = (performance.now() - start) / 1000
  const raw = await rawCopy(count * frameBytes, piece)
  const pace = (count * frameBytes) / MIB / seconds
  return { name, count, bytes: count * frameBytes, seconds, pace, ratio: raw / seconds, first: memory.first / MIB, second: memory.second / MIB }
}

let arrived = 0
/** @type {unknown} */
let fault
const server = await frameServer({
  onFrame: () => void arrived++,
  onFault: (error) => {
    fault = error
  },
})
const client = await FrameClient.connect(server.port)
const small = encodeFrame(Reading, { number: 0, sensor: 'boiler 3', value: 0 }).length
const large = encodeFrame(Batch, { number: 0, samples: [tensor('samples', 'f32', [SAMPLES], new Float32Array(SAMPLES))] }).length
const rows = [
  await phase('small frames', readings, small, 64 * 1024, (count) => client.sendReadings(count), () => arrived),
  await phase('frames of 1 MiB', batches, large, large, (count) => client.sendBatches(count), () => arrived),
]
const receipt = await client.finish()
await server.close()
if (fault !== undefined) throw fault

// Sums of eighths are exact.
let sum = 0
for (let i = 0; i < readings; i++) sum += valueOf(i)
const whole = receipt.readings === readings && receipt.batches === batches && receipt.sum === sum
if (!whole) process.exitCode = 1
if (process.argv.includes('--json')) console.log(JSON.stringify({ whole, rows }))
else {
  console.log(whole ? 'every frame arrived once and in its order' : `not all arrived: ${JSON.stringify(receipt)}`)
  for (const { name, count, bytes, seconds, pace, ratio, first, second } of rows) {
    console.log(
      `${count.toLocaleString('en')} ${name}, ${(bytes / MIB).toFixed(0)} MiB in ${seconds.toFixed(1)} s: ${pace.toFixed(0)} MiB/s, ` +
        `${Math.round(count / seconds).toLocaleString('en')} frames/s, ${ratio.toFixed(2)} of a raw copy; ` +
        `resident ${first.toFixed(0)} MiB in the first half, ${second.toFixed(0)} MiB in the second`,
    )
  }
}
