// The goals, each as a function of what was measured: [workload, goal, measured].
import { ratio } from './report.mjs'

const GENERATED = 'Kiln, generated'
const OWN = (name) => name.startsWith('Kiln')

/** The best of some peers: how many times Kiln's time it takes. */
function best(result, id, way, among = () => true) {
  const rows = result.against?.[id]?.filter(({ name }) => !OWN(name) && among(name))
  return rows?.length ? rows.reduce((a, b) => (a[way].ratio <= b[way].ratio ? a : b)) : undefined
}

const peer = (name) => (other) => other.startsWith(name)
const limit = (result, id, name) => result.limits?.[id]?.rows.find((row) => row.name === name)

const ROWS = [
  ['W1 768 encode', '≥ 3 × best peer', (r) => at('encode', r, 'W1 768'), 3],
  ['W1 1M encode', '≥ 1.2 × best peer', (r) => at('encode', r, 'W1 1M'), 1.2],
  ['W1 768 view', '≥ 2.5 × best peer', (r) => at('decode', r, 'W1 768'), 2.5],
  ['W1 1M view', '≥ 2.5 × best peer', (r) => at('decode', r, 'W1 1M'), 2.5],
  ['W2 encode', '≥ 1.4 × best peer', (r) => at('encode', r, 'W2'), 1.4],
  ['W2 encode', '≥ 2 × msgpackr', (r) => at('encode', r, 'W2', peer('msgpackr')), 2],
  ['W2 encode', '≥ 3 × JSON', (r) => at('encode', r, 'W2', peer('JSON')), 3],
  ['W2 decode', '≥ 1.4 × best peer', (r) => at('decode', r, 'W2'), 1.4],
  ['W2 decode', '≥ 3 × JSON', (r) => at('decode', r, 'W2', peer('JSON')), 3],
  ['W3 encode', '≥ 1.3 × best peer', (r) => at('encode', r, 'W3'), 1.3],
  ['W3 encode', '≥ 2.3 × JSON', (r) => at('encode', r, 'W3', peer('JSON')), 2.3],
  ['W3 decode', '≥ 1.2 × best peer', (r) => at('decode', r, 'W3'), 1.2],
  ['W3 decode', '≥ 1.6 × JSON', (r) => at('decode', r, 'W3', peer('JSON')), 1.6],
  ['W4 encode', '≥ 1 × best peer', (r) => at('encode', r, 'W4'), 1],
  ['W4 view', '≥ 1.5 × msgpackr', (r) => at('decode', r, 'W4', peer('msgpackr')), 1.5],
  ['W5 encode', '≥ 1.5 × best peer', (r) => at('encode', r, 'W5'), 1.5],
  ['W5 encode', '≥ 4 × safetensors', (r) => at('encode', r, 'W5', peer('safetensors')), 4],
  ['W1 768 encode, one writer', '≥ 3 × best peer', (r) => reused(r, 'W1 768'), 3],
  ['W2 encode, one writer', '≥ 1.4 × best peer', (r) => reused(r, 'W2'), 1.4],
  ['W3 encode, one writer', '≥ 1.3 × best peer', (r) => reused(r, 'W3'), 1.3],
  ['W4 encode, one writer', '≥ 5 × msgpackr', (r) => reused(r, 'W4', peer('msgpackr')), 5],
  ['W5 encode, one writer', '≥ 2.2 × best peer', (r) => reused(r, 'W5'), 2.2],
  ['W5 open, get one', '≥ 18 × safetensors', (r) => open(r, peer('safetensors')), 18],
  ['W5 open, get one', '≥ 3 × best peer', (r) => open(r), 3],
  ['W1 768 encodeInto', '≤ 1.8 × memcpy', (r) => memcpy(r, 'W1 768', 'encodeInto'), -1.8],
  ['W1 1M encodeInto', '≤ 1.05 × memcpy', (r) => memcpy(r, 'W1 1M', 'encodeInto'), -1.05],
  ['W2 encode', '≤ 22 × memcpy', (r) => memcpy(r, 'W2', 'encode'), -22],
  ['W2 decode', '≤ 35 × memcpy', (r) => memcpy(r, 'W2', 'decode'), -35],
  ['W3 encode', '≤ 55 × memcpy', (r) => memcpy(r, 'W3', 'encode'), -55],
  ['W3 decode', '≤ 75 × memcpy', (r) => memcpy(r, 'W3', 'decode'), -75],
  ['W3 iterate', '≤ 60 × memcpy', (r) => memcpy(r, 'W3', 'iterate'), -60],
  ['W3 project id, score', '≤ 5 × memcpy', (r) => memcpy(r, 'W3', 'project id, score'), -5],
  ['W4 encodeInto', '≤ 1.6 × memcpy', (r) => memcpy(r, 'W4', 'encodeInto'), -1.6],
  ['W4 encodeParts', '≤ 0.2 × memcpy', (r) => memcpy(r, 'W4', 'encodeParts'), -0.2],
  ['W5 open, get one', '≤ 12 × memcpy', (r) => limit(r, 'W5', 'readDirectory, get one')?.ratio, -12],
  ['W5 Map of views', '≤ 50 × memcpy', (r) => limit(r, 'W5', 'Map of all views')?.ratio, -50],
  ['W5 encodeInto', '≤ 14 × memcpy', (r) => memcpy(r, 'W5', 'encodeInto'), -14],
  ['dynamic engine, W2 encode', '≤ 1.3 × generated', (r) => dynamic(r, 'W2', 'encode'), -1.3],
  ['dynamic engine, W2 decode', '≤ 1.3 × generated', (r) => dynamic(r, 'W2', 'decode'), -1.3],
  ['dynamic engine, W3 encode', '≤ 1.3 × generated', (r) => dynamic(r, 'W3', 'encode'), -1.3],
  ['dynamic engine, W3 decode', '≤ 1.3 × generated', (r) => dynamic(r, 'W3', 'decode'), -1.3],
]

function at(way, result, id, among) {
  return best(result, id, way, among)?.[way].ratio
}

/** How many times the time of a writer whose memory is taken again the best of some peers takes. */
function reused(result, id, among) {
  const own = result.against?.[id]?.find(({ name }) => name === `${GENERATED}, one writer`)
  const other = best(result, id, 'encode', among)
  return own === undefined || other === undefined ? undefined : other.encode.ratio / own.encode.ratio
}

function open(result, among) {
  const bestPeer = best(result, 'W5', 'decode', among)
  const own = limit(result, 'W5', 'readDirectory, get one')
  return bestPeer === undefined || own === undefined ? undefined : bestPeer.decode.seconds / own.seconds
}

const memcpy = (result, id, what) => (limit(result, id, `${GENERATED}: ${what}`) ?? limit(result, id, `Kiln, dynamic: ${what}`))?.ratio

function dynamic(result, id, way) {
  return result.against?.[id]?.find(({ name }) => name === 'Kiln, dynamic')?.[way].ratio
}

/** Rows of the table of goals: a goal above zero is a least, below zero a most. */
export function goals(results) {
  return ROWS.map(([workload, goal, measured, bound]) => [
    workload, goal,
    ...results.map((result) => {
      const value = measured(result)
      if (value === undefined) return '–'
      const met = bound > 0 ? value >= bound : value <= -bound
      return `${ratio(value)} ${met ? '✓' : '✗'}`
    }),
  ])
}
