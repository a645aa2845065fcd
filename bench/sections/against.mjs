// Time of each peer as a multiple of Kiln's, writing and reading.
import { measure } from '../lib/measure.mjs'
import { ratio, table, time } from '../lib/report.mjs'
import { contendersOf } from '../lib/workloads.mjs'

export function against(workload, { rounds }) {
  const { made } = contendersOf(workload)
  const secondsPerBatch = workload.slow ? 0.05 : 0.02
  const encode = measure(made.map(({ name, codec, input }) => ({ name, run: () => codec.encode(input) })), { rounds, secondsPerBatch })
  const decode = measure(made.map(({ name, codec, bytes }) => ({ name, run: () => codec.decode(bytes) })), { rounds, secondsPerBatch })
  const rows = made.map(({ name, bytes }, i) => ({ name, bytes: bytes.length, encode: encode[i], decode: decode[i] }))
  console.log(`${workload.id}: ${workload.what}\n`)
  console.log(table(
    ['', 'bytes', 'encode', '× Kiln', 'decode', '× Kiln'],
    rows.map((row) => [
      row.name, row.bytes, time(row.encode.seconds), ratio(row.encode.ratio), time(row.decode.seconds), ratio(row.decode.ratio),
    ]),
  ))
  console.log()
  return rows
}
