// Cost against size: straight lines, no cliff. Time an element, from few to many.
import { encode, encodeDirectory, parseSchema, readDirectory, decode, tensor, view } from '../../packages/kiln/dist/index.js'
import { measure } from '../lib/measure.mjs'
import { table, time } from '../lib/report.mjs'
import { SCHEMAS } from '../peers/kiln.mjs'
import { embedding, records, tensors } from '../workloads/values.mjs'

const Embedding = parseSchema(SCHEMAS.embedding)
const Records = parseSchema(SCHEMAS.records)

function series(name, sizes, contenders, rounds) {
  const rows = sizes.map((size) => {
    const made = contenders(size)
    const measured = measure(made, { rounds, secondsPerBatch: 0.01, warmUp: 0.02 })
    return { size, times: Object.fromEntries(measured.map((row) => [row.name, row.seconds])) }
  })
  const names = Object.keys(rows[0].times)
  console.log(`Growth: ${name}\n`)
  console.log(table(['count', ...names, ...names.map((n) => `${n}, each`)], rows.map(({ size, times }) => [
    size, ...names.map((n) => time(times[n])), ...names.map((n) => time(times[n] / size)),
  ])))
  console.log()
  return rows
}

export function growth({ rounds }) {
  const powers = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i))
  return {
    floats: series('floats of an embedding', powers(1, 7), (n) => {
      const value = embedding(n)
      const bytes = encode(Embedding, value)
      return [
        { name: 'encode', run: () => encode(Embedding, value) },
        { name: 'decode', run: () => decode(Embedding, bytes) },
        { name: 'view', run: () => view(Embedding, bytes) },
      ]
    }, rounds),
    records: series('records', powers(0, 5), (n) => {
      const value = records(n)
      const bytes = encode(Records, value)
      return [{ name: 'encode', run: () => encode(Records, value) }, { name: 'decode', run: () => decode(Records, bytes) }]
    }, Math.min(rounds, 5)),
    tensors: series('tensors of a directory', powers(0, 5), (n) => {
      const inputs = tensors(n).map((t) => tensor(t.name, t.dtype, t.shape, t.data))
      const bytes = encodeDirectory(inputs)
      return [
        { name: 'encode', run: () => encodeDirectory(inputs) },
        { name: 'open', run: () => readDirectory(bytes) },
        { name: 'open and get one', run: () => readDirectory(bytes).get(inputs[n >> 1].name) },
      ]
    }, Math.min(rounds, 5)),
  }
}
