// Rounds are interleaved: every contender runs once a round, in an order that differs from round to round, and what
// counts is the median over rounds of its time divided by the reference's time in the same round. A shared machine
// drifts by half within a minute; the ratio within a round hardly does.

/**
 * Seconds of processor time that a batch of calls takes, per call, the collector's threads included: on a machine that
 * others use too, what passes on the clock is mostly theirs.
 */
function timeBatch(run, calls) {
  const start = process.cpuUsage()
  let kept
  for (let i = 0; i < calls; i++) kept = run(i)
  const { user, system } = process.cpuUsage(start)
  sink = kept
  return Math.max(user + system, 1) / calls / 1e6
}

// Results are kept, so that no call is optimised away.
let sink
export const lastResult = () => sink

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** How many calls take about `seconds`. */
function callsFor(run, seconds) {
  let calls = 1
  for (;;) {
    const took = timeBatch(run, calls) * calls
    if (took > seconds / 4) return Math.max(1, Math.round((calls * seconds) / took))
    calls *= 4
  }
}

/**
 * Times contenders `{ name, run }` against the one named `reference`. Gives for each `{ name, seconds, ratio, low, high }`:
 * the median time of a call, the median ratio to the reference, and the quartiles of the ratio.
 */
export function measure(contenders, { reference, rounds = 11, secondsPerBatch = 0.02, warmUp = 0.1 } = {}) {
  const state = contenders.map(({ name, run }) => {
    timeBatch(run, callsFor(run, warmUp))
    return { name, run, calls: callsFor(run, secondsPerBatch), times: [] }
  })
  for (let round = 0; round < rounds; round++) {
    const order = state.map((_, i) => state[(i * 7 + round * 3) % state.length] ?? state[i])
    for (const one of new Set([...order, ...state])) {
      // What the one before has left is collected on nobody's time: in a batch of few long calls it was up to half. The young
      // part of it: a whole collection also forgets what V8 learned of objects that are gone, and code is compiled anew.
      globalThis.gc?.({ type: 'minor' })
      one.times[round] = timeBatch(one.run, one.calls)
    }
  }
  const base = state.find(({ name }) => name === reference) ?? state[0]
  return state.map(({ name, times }) => {
    const ratios = times.map((time, round) => time / base.times[round]).sort((a, b) => a - b)
    return {
      name,
      seconds: median(times),
      ratio: median(ratios),
      low: ratios[Math.floor(ratios.length / 4)],
      high: ratios[Math.floor((ratios.length * 3) / 4)],
    }
  })
}

/** Bytes of heap that a call allocates in steady state, measured without a collection between; needs --expose-gc. */
export function allocatedBy(run, calls = 2000) {
  if (globalThis.gc === undefined) return undefined
  for (let i = 0; i < 20_000; i++) sink = run(i)
  const samples = []
  for (let round = 0; round < 7; round++) {
    globalThis.gc()
    const before = process.memoryUsage()
    for (let i = 0; i < calls; i++) sink = run(i)
    const after = process.memoryUsage()
    samples.push((after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / calls)
  }
  // A collection within a round makes it negative; the median of the others is what a call costs. 32 bytes a call and
  // less is the measurement itself.
  const steady = median(samples.filter((bytes) => bytes >= 0))
  return steady < 32 ? 0 : Math.round(steady)
}
