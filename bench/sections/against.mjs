// Time of each peer as a multiple of Kiln's, writing and reading.
import { measure } from '../lib/measure.mjs'
import { ratio, table, time } from '../lib/report.mjs'
import { contendersOf } from '../lib/workloads.mjs'

export function against(workload, { rounds }) {
  const { made } = contendersOf(workload)
  // Calls that take milliseconds need as many calls as others until V8 has done with them.
  const timing = { rounds, secondsPerBatch: workload.slow ? 0.05 : 0.02, warmUp: workload.slow ? 0.5 : 0.1 }
  const encode = measure(made.map(({ name, codec, input }) => ({ name, run: () => codec.encode(input) })), timing)
  const decode = measure(made.map(({ name, codec, bytes }) => ({ name, run: () => codec.decode(bytes) })), timing)
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
