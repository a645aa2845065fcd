import { isKilnError } from 'kiln-format'
import { mutate } from './mutate.mjs'
import { Random } from './random.mjs'

/**
 * What came of a run.
 *
 * @typedef {object} Figures
 * @property {number} inputs
 * @property {number} read inputs that gave a value
 * @property {Map<string, number>} refused by code
 * @property {number} slowest processor time of one input, in milliseconds
 * @property {number} memory the most that heap and buffers grew over one input, what could be collected counted, in bytes
 * @property {{ bytes: Uint8Array, error: unknown } | undefined} finding the input that broke a reader; the run ends with it
 */

/**
 * Runs a target on its seeds and then on damaged ones, until `goOn` says no.
 *
 * @param {import('./targets.mjs').Target} target
 * @param {number} seed
 * @param {(inputs: number) => boolean} goOn
 * @returns {Promise<Figures>}
 */
export async function runTarget(target, seed, goOn) {
  const random = new Random(seed)
  const seeds = target.seeds()
  /** @type {Figures} */
  const figures = { inputs: 0, read: 0, refused: new Map(), slowest: 0, memory: 0, finding: undefined }
  while (goOn(figures.inputs) && figures.finding === undefined) {
    // Seeds as they are first. An empty list, where the fixtures are missing, leaves bytes without sense.
    const base = seeds.length === 0 ? random.bytes(random.int(200)) : seeds[figures.inputs < seeds.length ? figures.inputs : random.int(seeds.length)]
    const bytes = figures.inputs < seeds.length ? base : mutate(base, random, seeds.length === 0 ? [base] : seeds, target.words)
    await runInput(target, bytes, figures)
  }
  return figures
}

/**
 * @param {import('./targets.mjs').Target} target
 * @param {Uint8Array} bytes
 * @param {Figures} figures
 */
async function runInput(target, bytes, figures) {
  const given = bytes.slice()
  const memory = process.memoryUsage()
  const start = process.cpuUsage()
  figures.inputs++
  try {
    await target.run(bytes)
    figures.read++
  } catch (error) {
    if (isKilnError(error)) figures.refused.set(error.code, (figures.refused.get(error.code) ?? 0) + 1)
    else figures.finding = { bytes: given, error }
  }
  if (figures.finding === undefined && Buffer.compare(given, bytes) !== 0) {
    figures.finding = { bytes: given, error: new Error('a reader wrote into its input') }
  }
  const { user, system } = process.cpuUsage(start)
  figures.slowest = Math.max(figures.slowest, (user + system) / 1000)
  const after = process.memoryUsage()
  figures.memory = Math.max(figures.memory, after.heapUsed + after.arrayBuffers - memory.heapUsed - memory.arrayBuffers)
}
