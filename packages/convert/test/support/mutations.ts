import { isKilnError } from 'kiln-format'

/** A small generator of good enough numbers (xorshift32): the same seed gives the same run everywhere. */
export function generator(seed: number): (below: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.floor(((state >>> 0) / 2 ** 32) * below)
  }
}

const TELLING = [0x00, 0x01, 0x02, 0x04, 0x7f, 0x80, 0xfe, 0xff]

/**
 * A copy of `bytes` with one to four faults: bits and bytes changed, whole words set to what is at the edges,
 * ranges removed, doubled, or put in from elsewhere, the end cut off. Most are near the front, or near the end,
 * where heads and directories are.
 */
export function mutated(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let result: Uint8Array = bytes.slice()
  const faults = 1 + random(4)
  for (let i = 0; i < faults; i++) result = fault(result, random)
  return result
}

function place(length: number, random: (below: number) => number): number {
  if (length === 0) return 0
  const near = Math.min(length, 400)
  const which = random(4)
  if (which === 0) return random(length)
  return which === 1 ? length - 1 - random(near) : random(near)
}

function fault(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const at = place(bytes.length, random)
  const length = Math.min(bytes.length - at, 1 + random(16))
  switch (random(8)) {
    case 0:
      if (at < bytes.length) bytes[at]! ^= 1 << random(8)
      return bytes
    case 1:
      if (at < bytes.length) bytes[at] = random(256)
      return bytes
    case 2: {
      const value = TELLING[random(TELLING.length)]!
      bytes.fill(value, at, at + [1, 2, 4, 8][random(4)]!)
      return bytes
    }
    case 3: {
      // A number as heads have them, small or huge.
      const width = Math.min(bytes.length - at, [2, 4, 8][random(3)]!)
      let value = random(2) === 0 ? random(70_000) : random(2 ** 32)
      for (let i = 0; i < width; i++, value = Math.floor(value / 256)) bytes[at + i] = value % 256
      return bytes
    }
    case 4:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length))
    case 5:
      return joined(bytes.subarray(0, at + length), bytes.subarray(at))
    case 6: {
      const from = place(bytes.length, random)
      bytes.copyWithin(at, from, from + length)
      return bytes
    }
    default:
      return bytes.slice(0, at)
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a.length + b.length)
  result.set(a)
  result.set(b, a.length)
  return result
}

/** How many inputs a run has: 2,000, or as many as KILN_FUZZ_RUNS says. */
export const FUZZ_RUNS = Number(process.env['KILN_FUZZ_RUNS'] ?? 2000)

/** How a run of mutations ended. */
export interface FuzzResult {
  readonly runs: number
  readonly values: number
  readonly refused: ReadonlyMap<string, number>
  /** Milliseconds of processor time for the slowest input. */
  readonly slowest: number
  /** The most bytes that array buffers, and the heap, grew by over one input; what could have been collected counts. */
  readonly mostBuffers: number
  readonly mostHeap: number
}

/**
 * Runs `read` on mutations of the seeds. It has to end in a value or a KilnError: anything else is thrown,
 * with the seed that gives the input again. `read` itself sees to it that no memory is out of proportion.
 */
export async function fuzz(
  seeds: readonly Uint8Array[],
  read: (bytes: Uint8Array) => Promise<void>,
  mutate: typeof mutated = mutated,
): Promise<FuzzResult> {
  const refused = new Map<string, number>()
  let values = 0
  let slowest = 0
  let mostBuffers = 0
  let mostHeap = 0
  for (let run = 0; run < FUZZ_RUNS; run++) {
    const random = generator(run)
    const seed = seeds[run % seeds.length]!
    const bytes = mutate(seed, random)
    const before = process.memoryUsage()
    const start = process.cpuUsage()
    try {
      await read(bytes)
      values++
    } catch (error) {
      if (!isKilnError(error)) throw new Error(`run ${run} ended in another exception`, { cause: error })
      refused.set(error.code, (refused.get(error.code) ?? 0) + 1)
    }
    slowest = Math.max(slowest, process.cpuUsage(start).user / 1000)
    const after = process.memoryUsage()
    mostBuffers = Math.max(mostBuffers, after.arrayBuffers - before.arrayBuffers)
    mostHeap = Math.max(mostHeap, after.heapUsed - before.heapUsed)
  }
  return { runs: FUZZ_RUNS, values, refused, slowest, mostBuffers, mostHeap }
}

/** One line of a result, for who runs the long run by hand. */
export function fuzzLine(name: string, { runs, values, refused, slowest, mostBuffers, mostHeap }: FuzzResult): string {
  const codes = [...refused]
    .sort()
    .map(([code, count]) => `${code} ${count}`)
    .join(', ')
  return `${name}: ${runs} inputs, ${values} read, refused: ${codes}; slowest ${slowest.toFixed(1)} ms of processor time, most growth over one input: buffers ${mib(mostBuffers)}, heap ${mib(mostHeap)}`
}

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
