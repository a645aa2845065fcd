// Kiln's own ways beside a copy of the same bytes: fresh memory, the caller's buffer, parts, views, iteration, projection,
// and a message moved to where its payloads are aligned.
import { DirectoryReader, readDirectory } from '../../packages/kiln/dist/index.js'
import { measure } from '../lib/measure.mjs'
import { ratio, table, time } from '../lib/report.mjs'
import { engines } from '../peers/kiln.mjs'

export function limits(workload, { rounds }) {
  const value = workload.value()
  const contenders = []
  let bytes
  for (const engine of engines) {
    const codec = engine.make(workload.kind)
    const input = codec.prepare(value)
    bytes ??= codec.encode(input)
    const target = new Uint8Array(bytes.length + 64)
    const add = (what, run) => contenders.push({ name: `${engine.name}: ${what}`, run })
    add('encode', () => codec.encode(input))
    add('encodeInto', () => codec.into(input, target))
    add('MessageWriter', () => codec.reused(input))
    add('encodeParts', () => codec.parts(input))
    add('view', () => codec.view(bytes))
    add('decode', () => codec.copy(bytes))
    if (workload.kind === 'request') {
      const shifted = new Uint8Array(bytes.length + 1).subarray(1)
      shifted.set(bytes)
      add('place', () => codec.place(shifted))
    }
    if (workload.kind === 'records') {
      if (codec.iterate !== undefined) add('iterate', () => codec.iterate(bytes))
      if (codec.projectOf === undefined) continue
      const numbers = codec.projectOf(['id', 'score'])
      add('project id, score', () => numbers(bytes))
      const some = codec.projectOf(['id', 'score', 'user'])
      add('project id, score, user', () => some(bytes))
    }
  }
  if (workload.kind === 'tensors') {
    const name = value[value.length >> 1].name
    const reader = new DirectoryReader()
    contenders.push({ name: 'readDirectory, get one', run: () => readDirectory(bytes).get(name).byteOffset })
    contenders.push({ name: 'DirectoryReader, get one', run: () => reader.read(bytes).get(name).byteOffset })
    contenders.push({ name: 'Map of all views', run: () => new Map([...readDirectory(bytes)].map((t) => [t.name, t.bytes])) })
  }
  const copy = new Uint8Array(bytes.length)
  contenders.unshift(
    { name: 'memcpy, preallocated', run: () => copy.set(bytes) },
    { name: 'memcpy, fresh', run: () => new Uint8Array(bytes) },
  )
  const rows = measure(contenders, { rounds, secondsPerBatch: workload.slow ? 0.05 : 0.02, warmUp: workload.slow ? 0.5 : 0.1 })
  console.log(`${workload.id}: ${workload.what}, ${bytes.length} bytes\n`)
  console.log(table(['', 'time', '× memcpy', '× fresh'], rows.map((row) => [
    row.name, time(row.seconds), ratio(row.ratio), ratio(row.ratio / rows[1].ratio),
  ])))
  console.log()
  return { bytes: bytes.length, rows }
}
