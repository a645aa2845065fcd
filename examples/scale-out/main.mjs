// node main.mjs [SHARDS [WORKERS]]: who reads what of a dataset of 10,000 shards, 1,000 workers unless told otherwise.
import { encodeFrame } from 'kiln-format'
import { Index } from './index.mjs'
import { balanceOf, movedBytes } from './measure.mjs'
import { planReading } from './plan.mjs'
import { madeUpShards } from './sizes.mjs'

const shards = madeUpShards(Number(process.argv[2] ?? 10_000))
const workers = Array.from({ length: Number(process.argv[3] ?? 1000) }, (_, i) => `worker-${i}`)
const total = shards.reduce((sum, { size }) => sum + size, 0)
const entries = shards.map((shard) => ({ ...shard, sha256: new Uint8Array(32), frames: 0 }))
const index = encodeFrame(Index, { schema: 'struct{input:tensors,label:u16,}', shards: entries }, { checksum: true })
const tebibytes = (total / 2 ** 40).toFixed(2)
console.log(`${shards.length} shards, ${tebibytes} TiB; their index takes ${(index.length / 1e6).toFixed(1)} MB`)

const start = performance.now()
const all = planReading(shards, workers)
console.log(`a plan for ${workers.length} workers in ${(performance.now() - start).toFixed(0)} ms\n`)
console.log('gone   least   most   of the mean   requests a worker   moved')
for (const count of [0, 1, 2, 10, 100].filter((gone) => gone < workers.length)) {
  const gone = workers.slice(0, count)
  const before = planReading(shards, workers, { gone: gone.slice(1) })
  const plan = planReading(shards, workers, { gone })
  const { least, most, requests } = balanceOf(plan)
  const moved = count === 0 ? '' : `${((movedBytes(before, plan) / total) * 100).toFixed(3)} % by the last that went`
  const ranges = requests.toFixed(1).padStart(24)
  console.log(`${String(count).padStart(4)} ${percent(least)} ${percent(most)} ${ranges}          ${moved}`)
}
if (workers.length <= 1000) console.log(`\n${workers[1]} asks for`, all.get(workers[1] ?? '')?.slice(0, 3), '…')

/** @param {number} ratio */
function percent(ratio) {
  return `${(ratio * 100).toFixed(2)}%`.padStart(7)
}
