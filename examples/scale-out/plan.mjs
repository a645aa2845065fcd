import { createHash } from 'node:crypto'

/**
 * @typedef {{ file: string, size: number, cuts: ArrayLike<number> }} Shard `cuts` are places where a frame begins, in
 *   order and within the file; 0 and `size` are understood. The finer they are, the better the balance.
 * @typedef {{ file: string, start: number, end: number }} Range bytes of a file, `end` not among them
 * @typedef {{ seed?: string, gone?: Iterable<string> }} PlanOptions
 */

/**
 * Who reads what. The shards, in an order that the seed shuffles, are one long line of bytes, cut into as many pieces
 * of the same length as there are workers; each cut goes to the nearest place where a frame begins. What a worker that
 * is gone would have read is cut in the same way among those that are left, who keep what they had.
 *
 * The same for the same arguments, in whatever order the shards, the workers and those gone are given: so every worker
 * computes it by itself, and none has to be told.
 *
 * @param {Iterable<Shard>} shards
 * @param {Iterable<string>} workers all that the epoch began with, those gone too
 * @param {PlanOptions} [options]
 * @returns {Map<string, Range[]>} for each worker that is left, in the order in which it had better read
 */
export function planReading(shards, workers, { seed = '', gone = [] } = {}) {
  const roster = distinct(workers, 'worker').sort(byText)
  const left = staying(roster, new Set(gone))
  const line = lineOf(shards, seed)

  const pieces = cutEvenly(line, 0, line.length, roster.length)
  /** @type {Map<string, Range[]>} */
  const plan = new Map(left.map((worker) => [worker, []]))
  roster.forEach((worker, i) => {
    const { from, to } = /** @type {Piece} */ (pieces[i])
    const own = plan.get(worker)
    if (own !== undefined) own.unshift(...rangesOf(line, from, to))
    else {
      // Those after it in the roster come first, so that not always the same ones get what rounding leaves.
      const heirs = [...roster.slice(i), ...roster.slice(0, i)].filter((other) => plan.has(other))
      cutEvenly(line, from, to, heirs.length).forEach((part, j) => {
        plan.get(/** @type {string} */ (heirs[j]))?.push(...rangesOf(line, part.from, part.to))
      })
    }
  })
  return plan
}

/**
 * @typedef {{ from: number, to: number }} Piece of the line
 * @typedef {{ shards: Shard[], starts: number[], length: number }} Line `starts` is where each shard begins in it
 */

/**
 * @param {Iterable<Shard>} given
 * @param {string} seed
 * @returns {Line}
 */
function lineOf(given, seed) {
  const all = [...given]
  distinct(all.map(({ file }) => file), 'shard')
  const keyed = all.map((shard) => {
    const key = createHash('sha256').update(`${seed}\0${shard.file}`).digest('hex')
    return { shard, key }
  })
  const shards = keyed.sort((a, b) => byText(a.key, b.key)).map(({ shard }) => shard)
  /** @type {number[]} */
  const starts = []
  let length = 0
  for (const shard of shards) {
    const { size } = shard
    checkCuts(shard)
    starts.push(length)
    length += size
  }
  // Past this, sums of sizes are no longer exact: 8 PiB.
  if (!Number.isSafeInteger(length)) throw new RangeError(`${length} bytes are too many for one plan`)
  return { shards, starts, length }
}

/**
 * Cuts that go back would have bytes read twice.
 *
 * @param {Shard} shard
 */
function checkCuts({ file, size, cuts }) {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${file}: ${size} is no size`)
  let last = 0
  for (let i = 0; i < cuts.length; i++) {
    const cut = /** @type {number} */ (cuts[i])
    if (!(cut >= last && cut <= size)) {
      throw new RangeError(`${file}: cut ${i} is ${cut}, after ${last}, of ${size} bytes`)
    }
    last = cut
  }
}

/**
 * @param {Line} line
 * @param {number} from
 * @param {number} to
 * @param {number} count
 * @returns {Piece[]}
 */
function cutEvenly(line, from, to, count) {
  // Divided before it is multiplied, as the product of bytes and workers may not be exact.
  const cuts = Array.from({ length: count + 1 }, (_, i) =>
    i === count ? to : i === 0 ? from : nearestCut(line, from + Math.round((to - from) * (i / count))),
  )
  return cuts.slice(1).map((end, i) => ({ from: /** @type {number} */ (cuts[i]), to: end }))
}

/**
 * The place nearest to this one where a frame begins.
 *
 * @param {Line} line
 * @param {number} at
 */
function nearestCut({ shards, starts }, at) {
  if (shards.length === 0) return at
  const i = lastNotOver(starts, at)
  const { size, cuts } = /** @type {Shard} */ (shards[i])
  const start = /** @type {number} */ (starts[i])
  const j = lastNotOver(cuts, at - start)
  const before = cuts[j] ?? 0
  const after = cuts[j + 1] ?? size
  return start + (at - start - before <= after - (at - start) ? before : after)
}

/**
 * @param {Line} line
 * @param {number} from
 * @param {number} to
 */
function rangesOf({ shards, starts }, from, to) {
  /** @type {Range[]} */
  const ranges = []
  for (let i = Math.max(lastNotOver(starts, from), 0); i < shards.length; i++) {
    const { file, size } = /** @type {Shard} */ (shards[i])
    const first = /** @type {number} */ (starts[i])
    if (first >= to) break
    const start = Math.max(from - first, 0)
    const end = Math.min(to - first, size)
    if (start < end) ranges.push({ file, start, end })
  }
  return ranges
}

/**
 * The index of the last that isn't over a number, -1 if all are: of numbers in order, by halving.
 *
 * @param {ArrayLike<number>} numbers
 * @param {number} bound
 */
function lastNotOver(numbers, bound) {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (/** @type {number} */ (numbers[middle]) <= bound) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * @param {string[]} roster
 * @param {Set<string>} gone
 */
function staying(roster, gone) {
  const left = roster.filter((worker) => !gone.delete(worker))
  if (gone.size > 0) throw new RangeError(`${[...gone].join(', ')} can't be gone: not among the workers`)
  if (left.length === 0) throw new RangeError('no worker is left to read anything')
  return left
}

/**
 * @param {Iterable<string>} given
 * @param {string} what
 */
function distinct(given, what) {
  const names = [...given]
  const seen = new Set()
  for (const name of names) {
    if (seen.has(name)) throw new RangeError(`the ${what} ${name} is there twice`)
    seen.add(name)
  }
  return names
}

/**
 * By code units, which is the same everywhere; a locale's order isn't.
 *
 * @param {string} a
 * @param {string} b
 */
function byText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}
