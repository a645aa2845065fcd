// A thread that reads blocks, and gives their samples as arrays that the model takes. The arrays are handed over: their
// memory belongs to the other thread then, and isn't copied.
import { parentPort, workerData } from 'node:worker_threads'
import { isKilnError, iterateFrames } from 'kiln-format'
import { randomNumbers, shuffled } from '../support/random.mjs'
import { Sample, SIDE } from './messages.mjs'
import { openAt } from './place.mjs'

/**
 * @typedef {{ file: string, start: number, end: number, samples: number }} Block
 * @typedef {{ number: number, seed: number, blocks: Block[] }} Task
 * @typedef {{ features: Float32Array<ArrayBuffer>, labels: Float32Array<ArrayBuffer>, count: number }} Batch
 */

const PIXELS = SIDE * SIDE
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
/** @type {Map<string, Promise<import('kiln-format').ByteSource>>} */
const sources = new Map()

port.on('message', async (/** @type {Task} */ task) => {
  const { number } = task
  /** @type {Batch} */
  let batch
  try {
    batch = await read(task)
  } catch (error) {
    // Errors lose their class on the way.
    const kiln = isKilnError(error) ? { code: error.code, detail: error.detail, offset: error.offset } : undefined
    return port.postMessage({ number, error, kiln })
  }
  const memory = [batch.features.buffer, batch.labels.buffer]
  port.postMessage({ number, batch }, memory)
  // Were they copied, this thread would have them still. Ends the thread, and with it the loop.
  if (memory.some(({ byteLength }) => byteLength !== 0)) throw new Error('a batch was copied')
})

/**
 * The samples of some blocks, mixed.
 *
 * @param {Task} task
 * @returns {Promise<Batch>}
 */
async function read({ blocks, seed }) {
  const pieces = await Promise.all(blocks.map(async ({ file, start, end }) => (await open(file)).read(start, end - start)))
  const count = blocks.reduce((sum, { samples }) => sum + samples, 0)
  const places = shuffled(Array.from({ length: count }, (_, i) => i), randomNumbers(seed))
  const features = new Float32Array(count * PIXELS)
  const labels = new Float32Array(count)
  let next = 0
  for (const piece of pieces) {
    for (const { value } of iterateFrames(piece, Sample)) {
      const place = /** @type {number} */ (places[next++])
      const pixels = value.features.get('pixels').bytes
      for (let i = 0; i < PIXELS; i++) features[place * PIXELS + i] = /** @type {number} */ (pixels[i]) / 255
      labels[place] = value.label
    }
  }
  if (next !== count) throw new Error(`the index announced ${count} samples, the blocks have ${next}`)
  return { features, labels, count }
}

/** @param {string} file */
function open(file) {
  const source = sources.get(file) ?? openAt(workerData.place, file)
  sources.set(file, source)
  return source
}
