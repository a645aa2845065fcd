// Frames in a stream: 10,000 small records and 100 of 1 MiB, through the reader of chunks.
import { encodeFrame, k, parseSchema, readFrames, tensor } from '../../packages/kiln/dist/index.js'
import { ratio, table, time } from '../lib/report.mjs'
import { SCHEMAS } from '../peers/kiln.mjs'
import { record } from '../workloads/values.mjs'

const Record = parseSchema(SCHEMAS.record)
const Blob = k.struct({ batch: k.tensors })

async function timed(run) {
  const start = process.hrtime.bigint()
  await run()
  return Number(process.hrtime.bigint() - start) / 1e9
}

export async function frames({ rounds }) {
  const small = Array.from({ length: 10_000 }, (_, i) => encodeFrame(Record, record(i)))
  const payload = new Uint8Array(2 ** 20)
  const large = Array.from({ length: 100 }, () => encodeFrame(Blob, { batch: [tensor('x', 'u8', [2 ** 20], payload)] }))
  const results = {}
  for (const [name, schema, list] of [['10,000 records', Record, small], ['100 frames of 1 MiB', Blob, large]]) {
    const whole = Buffer.concat(list)
    const chunked = (size) => Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size))
    const rows = []
    for (const size of [1024, 65_536, 2 ** 20]) {
      const chunks = chunked(size)
      const run = async () => {
        let seen = 0
        for await (const frame of readFrames(chunks, schema)) seen += frame.byteLength
        if (seen !== whole.length) throw new Error(`${seen} of ${whole.length} bytes`)
      }
      const copy = async () => {
        const target = new Uint8Array(whole.length)
        let at = 0
        for (const chunk of chunks) {
          target.set(chunk, at)
          at += chunk.length
        }
      }
      const ratios = []
      const times = []
      for (let round = 0; round < Math.max(3, Math.ceil(rounds / 2)); round++) {
        const base = await timed(copy)
        const took = await timed(run)
        ratios.push(took / base)
        times.push(took)
      }
      const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1]
      rows.push({ chunk: size, seconds: middle(times), ratio: middle(ratios), bytesPerSecond: whole.length / middle(times), perFrame: middle(times) / list.length })
    }
    results[name] = { bytes: whole.length, frames: list.length, rows }
    console.log(`W6: ${name} in a stream, ${whole.length} bytes\n`)
    console.log(table(['chunks of', 'time', 'a frame', 'MB/s', '× one copy'], rows.map((row) => [
      row.chunk, time(row.seconds), time(row.perFrame), (row.bytesPerSecond / 1e6).toFixed(0), ratio(row.ratio),
    ])))
    console.log()
  }
  return results
}
