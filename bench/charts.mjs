// Draws docs/performance/*.svg and writes docs/performance.md from bench/results/node-*.json: `npm run bench:page`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as vega from 'vega'
import { compile } from 'vega-lite'
import { ratio, table, time } from './lib/report.mjs'
import { goals } from './lib/goals.mjs'

const results = readdirSync(new URL('results/', import.meta.url))
  .filter((name) => /^node-\d+\.json$/.test(name))
  .sort()
  .map((name) => JSON.parse(readFileSync(new URL(`results/${name}`, import.meta.url), 'utf8')))
if (results.length === 0) {
  console.error('no results yet: npm run bench')
  process.exit(1)
}
const docs = new URL('../docs/performance/', import.meta.url)
mkdirSync(docs, { recursive: true })

const config = {
  background: 'white', font: 'system-ui, sans-serif', axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: 'normal', grid: true, gridColor: '#eee' },
  view: { stroke: null }, title: { fontSize: 14, anchor: 'start' },
}

async function draw(name, spec) {
  const svg = await new vega.View(vega.parse(compile({ ...spec, config }).spec), { renderer: 'none' }).toSVG()
  writeFileSync(new URL(`${name}.svg`, docs), `${svg}\n`)
}

const major = (result) => `Node ${result.node.slice(1).split('.')[0]}`

/** Bars of how many times Kiln's time each peer takes, writing and reading. */
async function bars(id, what) {
  const rows = results.flatMap((result) =>
    (result.against?.[id] ?? []).flatMap((row) => [
      { peer: row.name, way: 'encode', ratio: row.encode.ratio, node: major(result) },
      { peer: row.name, way: 'decode', ratio: row.decode.ratio, node: major(result) },
    ]),
  )
  if (rows.length === 0) return false
  const order = results[0].against[id].map(({ name }) => name)
  await draw(`against-${id.toLowerCase().replace(/\W+/g, '-')}`, {
    title: `${what}: time, as a multiple of generated Kiln code`,
    data: { values: rows.map((row) => ({ ...row, ratio: Math.max(row.ratio, 0.05) })) },
    facet: { column: { field: 'way', sort: ['encode', 'decode'], title: null } },
    spec: {
      width: 300,
      height: { step: 20 },
      mark: { type: 'point', filled: true, size: 70 },
      encoding: {
        y: { field: 'peer', type: 'nominal', sort: order, title: null, axis: { labelLimit: 240 } },
        x: { field: 'ratio', type: 'quantitative', scale: { type: 'log' }, title: 'times Kiln (log)', axis: { format: '~s' } },
        color: { field: 'node', type: 'nominal', title: null, scale: { range: ['#1b6ca8', '#d1495b', '#66a182'] } },
        shape: { field: 'node', type: 'nominal', title: null },
      },
    },
  })
  return true
}

/** Time against size, both logarithmic: a straight line of slope one is linear. */
async function lines(name, title, unit) {
  const last = results.at(-1)
  const rows = last.growth[name].flatMap(({ size, times }) => Object.entries(times).map(([way, seconds]) => ({ size, way, microseconds: seconds * 1e6 })))
  await draw(`growth-${name}`, {
    title: `${title} (${major(last)})`,
    width: 420,
    height: 280,
    data: { values: rows },
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'size', type: 'quantitative', scale: { type: 'log' }, title: unit, axis: { format: '~s' } },
      y: { field: 'microseconds', type: 'quantitative', scale: { type: 'log' }, title: 'µs (log)', axis: { format: '~s' } },
      color: { field: 'way', type: 'nominal', title: null },
    },
  })
}

const WORKLOADS = [
  ['W1 768', 'An embedding of 768 f32'], ['W1 1M', 'An embedding of 1,000,000 f32'], ['W2', 'A record of 12 strings'],
  ['W2u', 'The same record, a third of its text not ASCII'], ['W3', '10,000 records'], ['W3u', '10,000 records, a third of their text not ASCII'],
  ['W4', 'An inference request with two tensors, 196 KB'], ['W5', 'A directory of 1,000 tensors'],
]

const page = []
const say = (...lines) => page.push(...lines, '')
say('# Performance', '<!-- Written by bench/charts.mjs: npm run bench, then npm run bench:page -->')
say(
  'Every number here is a ratio of medians within one run, rounds interleaved, each workload in a process of its own, results compared before anything is timed. Times are for scale alone: ' +
    'the machines that such runs happen on drift by half within a minute, and a ratio holds to about ±20 %.',
)
for (const result of results) say(`- ${result.node}, ${result.cpus} × ${result.cpu}, ${result.rounds} rounds`)
say('Repeat it: `npm run bench` measures, `npm run bench:page` draws this page from what was measured.')
say('## Beside its peers')
for (const [id, what] of WORKLOADS) {
  if (!(await bars(id, what))) continue
  say(`### ${what}`, `![${what}: time of each peer as a multiple of Kiln's](./performance/against-${id.toLowerCase().replace(/\W+/g, '-')}.svg)`)
  const rows = results[0].against[id].map((row, i) => [
    row.name, row.bytes,
    ...results.flatMap((result) => [ratio(result.against[id][i].encode.ratio), ratio(result.against[id][i].decode.ratio)]),
  ])
  say(table(['', 'bytes', ...results.flatMap((result) => [`encode, ${major(result)}`, `decode, ${major(result)}`])], rows))
}
say('## Beside a copy of the same bytes')
for (const [id, what] of WORKLOADS) {
  const shown = results.filter((result) => result.limits?.[id] !== undefined)
  if (shown.length === 0) continue
  say(`### ${what}, ${shown[0].limits[id].bytes} bytes`)
  say(table(
    ['', ...shown.flatMap((result) => [`time, ${major(result)}`, '× memcpy'])],
    shown[0].limits[id].rows.map((row, i) => [row.name, ...shown.flatMap((result) => [time(result.limits[id].rows[i].seconds), ratio(result.limits[id].rows[i].ratio)])]),
  ))
}
if (results.some(({ frames }) => frames !== undefined)) {
  say('## Frames in a stream')
  for (const [name, part] of Object.entries(results.at(-1).frames)) {
    say(`### ${name}`)
    say(table(['chunks of', 'a frame', 'MB/s', '× one copy'], part.rows.map((row) => [row.chunk, time(row.perFrame), (row.bytesPerSecond / 1e6).toFixed(0), ratio(row.ratio)])))
  }
}
if (results.at(-1).growth !== undefined) {
  say('## Cost against size')
  for (const [name, title, unit] of [
    ['floats', 'Floats of an embedding', 'floats'], ['records', 'Records', 'records'], ['tensors', 'Tensors of a directory', 'tensors'],
  ]) {
    await lines(name, title, unit)
    say(`![${title}: time against size](./performance/growth-${name}.svg)`)
  }
}
const allocation = results.find((result) => result.allocation !== undefined)
if (allocation !== undefined) {
  say('## Bytes allocated a message', 'In steady state, without the collector between; up to 32 bytes are the measurement itself and count as 0.')
  say(table(['', 'bytes'], allocation.allocation.map((row) => [row.name, row.bytes])))
}
say('## Goals', 'What an excellent implementation was expected to reach, and what was measured. What is met and what is missed are both told.')
say(table(['workload', 'goal', ...results.map((result) => major(result))], goals(results)))
say('## Where a goal is missed', readFileSync(new URL('what-limits.md', import.meta.url), 'utf8').trimEnd())
writeFileSync(new URL('../docs/performance.md', import.meta.url), `${page.join('\n').trimEnd()}\n`)
console.log(`written: docs/performance.md, ${readdirSync(docs).length} charts`)
