import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { decodeFrame, KilnError } from 'kiln-format'
import { randomNumbers, shuffled } from '../support/random.mjs'
import { Index } from './messages.mjs'
import { openAt } from './place.mjs'

const READER = fileURLToPath(new URL('reader.mjs', import.meta.url))

/**
 * @typedef {import('./reader.mjs').Batch} Batch
 * @typedef {import('./reader.mjs').Task} Task
 * @typedef {{ from: number, to: number }} Shards from the first to before the last
 * @typedef {{ seed: number, shards?: Shards, mix?: number, threads?: number, ahead?: number }} Options
 */

/**
 * A dataset's samples in an order that the seed shuffles, in batches, the same however many threads read. Blocks are
 * shuffled, and the samples of `mix` blocks are mixed into one batch: so a batch takes `mix` reads, and not one a sample.
 * Up to `ahead` batches are read while the one before is used. Leaving the loop ends the threads.
 *
 * @param {string} place a folder, or a URL
 * @param {Options} options
 * @returns {AsyncGenerator<Batch, void>}
 */
export async function* batches(place, { seed, shards, mix = 8, threads = 2, ahead = 4 }) {
  const tasks = tasksOf(await readIndex(place), seed, shards, mix)
  const pool = Array.from({ length: threads }, () => new Thread(place))
  try {
    /** @type {Promise<Batch>[]} */
    const coming = []
    for (const task of tasks) {
      const thread = /** @type {Thread} */ (pool[task.number % threads])
      const batch = thread.ask(task)
      // Whoever awaits it hears of a failure, which until then is nobody's.
      batch.catch(() => {})
      coming.push(batch)
      if (coming.length > ahead) yield /** @type {Promise<Batch>} */ (coming.shift())
    }
    yield* coming
  } finally {
    await Promise.all(pool.map((thread) => thread.end()))
  }
}

/** @param {string} place */
async function readIndex(place) {
  const source = await openAt(place, 'index.kiln')
  try {
    return decodeFrame(await source.read(0, source.size), Index).value
  } finally {
    await source.close?.()
  }
}

/**
 * @param {import('kiln-format').Infer<typeof Index>} index
 * @param {number} seed
 * @param {Shards | undefined} shards
 * @param {number} mix
 */
function tasksOf(index, seed, shards, mix) {
  const random = randomNumbers(seed)
  const blocks = index.shards.slice(shards?.from, shards?.to).flatMap(({ file, samples, offsets }) =>
    Array.from(offsets.subarray(1), (end, i) => ({
      file, start: Number(offsets[i]), end, samples: Math.min(index.block, samples - i * index.block),
    })),
  )
  const order = shuffled(blocks, random)
  return Array.from({ length: Math.ceil(order.length / mix) }, (_, number) => ({
    number, seed: Math.floor(random() * 2 ** 31), blocks: order.slice(number * mix, (number + 1) * mix),
  }))
}

/** A thread that runs reader.mjs, and what it was asked for. */
class Thread {
  #worker
  /** @type {Map<number, { resolve: (batch: Batch) => void, reject: (error: unknown) => void }>} */
  #asked = new Map()

  /** @param {string} place */
  constructor(place) {
    this.#worker = new Worker(READER, { workerData: { place } })
    this.#worker.on('message', ({ number, batch, error, kiln }) => {
      const asked = this.#asked.get(number)
      this.#asked.delete(number)
      if (batch !== undefined) asked?.resolve(batch)
      else asked?.reject(kiln === undefined ? error : new KilnError(kiln.code, kiln.detail, kiln.offset))
    })
    this.#worker.on('error', (error) => this.#asked.forEach(({ reject }) => reject(error)))
  }

  /**
   * @param {Task} task
   * @returns {Promise<Batch>}
   */
  ask(task) {
    return new Promise((resolve, reject) => {
      this.#asked.set(task.number, { resolve, reject })
      this.#worker.postMessage(task)
    })
  }

  end() {
    return this.#worker.terminate()
  }
}
