/** @typedef {Map<string, import('./plan.mjs').Range[]>} Plan */

/**
 * The least and the most that a worker reads beside the mean, and how many ranges it asks for on average.
 *
 * @param {Plan} plan
 */
export function balanceOf(plan) {
  const loads = Array.from(plan.values(), (ranges) => ranges.reduce((sum, { start, end }) => sum + end - start, 0))
  const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length
  const requests = Array.from(plan.values(), ({ length }) => length).reduce((sum, count) => sum + count, 0) / plan.size
  return { least: Math.min(...loads) / mean, most: Math.max(...loads) / mean, requests }
}

/**
 * Bytes that another worker reads after than before.
 *
 * @param {Plan} before
 * @param {Plan} after
 */
export function movedBytes(before, after) {
  const then = byFile(before)
  let moved = 0
  for (const [file, spans] of byFile(after)) {
    const old = then.get(file) ?? []
    let i = 0
    for (const { start, end, worker } of spans) {
      while ((old[i]?.end ?? Infinity) <= start) i++
      for (let j = i; (old[j]?.start ?? Infinity) < end; j++) {
        const span = /** @type {Span} */ (old[j])
        if (span.worker !== worker) moved += Math.min(end, span.end) - Math.max(start, span.start)
      }
    }
  }
  return moved
}

/**
 * @typedef {import('./plan.mjs').Range & { worker: string }} Span
 * @param {Plan} plan
 */
export function byFile(plan) {
  /** @type {Map<string, Span[]>} */
  const files = new Map()
  for (const [worker, ranges] of plan) {
    for (const range of ranges) {
      const spans = files.get(range.file) ?? []
      spans.push({ ...range, worker })
      files.set(range.file, spans)
    }
  }
  for (const spans of files.values()) spans.sort((a, b) => a.start - b.start)
  return files
}
