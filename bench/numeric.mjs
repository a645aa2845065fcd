// Throughput of the bulk conversions of kiln-format/numeric, as a ratio to a plain f32 copy (`target.set(source)`)
// of the same element count. Run after a build: node bench/numeric.mjs [ELEMENTS] [ROUNDS] [FILTER]
//
// Every result is checked before anything is timed. Rounds are interleaved, each contender once a round, and the
// median of its ratios to that round's copy is what counts: the machine's speed drifts, a ratio within a round less.

import { parseArgs } from 'node:util'
import { dtypes } from '../packages/kiln/dist/index.js'
import {
  codeOf, dequantize, dequantizesGgml, narrow, numberOf, numbersOf, quantize, Statistics, widen,
} from '../packages/kiln/dist/numeric/index.js'

const { positionals, values: flags } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
const elements = Math.ceil(Number(positionals[0] ?? 2 ** 22) / 4096) * 4096
const rounds = Number(positionals[1] ?? 21)
const filter = positionals[2] ?? ''

/** Pseudo-random 32-bit words, the same in every run. */
function words(count, seed = 1) {
  const out = new Uint32Array(count)
  let state = seed
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    out[i] = state ^ (state >>> 15)
  }
  return out
}

function randomBytes(count, seed) {
  return new Uint8Array(words(Math.ceil(count / 4), seed).buffer, 0, count)
}

const same = (a, b) => Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))

function assertSame(name, got, want, at) {
  if (!same(got, want)) throw new Error(`${name}: element ${at} is ${got}, not ${want}`)
}

/** Places to be checked one by one: the first and last ones, and some between. */
const edges = [0, 1, 2, 3, 4, 5, 6, 7, 8, elements - 2, elements - 1]
const places = [...new Set([...edges, ...words(500, 7)].map((word) => word % elements))]

const source = Float32Array.from(words(elements, 3), (word) => (word / 2 ** 31 - 1) * 4)
const floats = new Float32Array(elements)
const doubles = new Float64Array(elements)
const sourceDoubles = Float64Array.from(source)

function payload(dtype) {
  const { blockElements, blockBits } = dtypes.find(({ name }) => name === dtype)
  return { dtype, shape: [elements], bytes: randomBytes(((elements / blockElements) * blockBits) / 8, 5) }
}

const contenders = []
const add = (name, goal, check, run) => {
  if (name.includes(filter)) contenders.push({ name, goal, check, run, ratios: [], times: [] })
}

const goals = { f16: 1 / 4, bf16: 1 / 4, e2m1: 1 / 4, i4: 1 / 4, u4: 1 / 4 }
for (const dtype of [
  'f16', 'bf16', 'f8e4m3', 'f8e5m2', 'f8e4m3fnuz', 'f8e5m2fnuz', 'e8m0', 'u8', 'i8', 'e3m2', 'e2m3', 'e2m1', 'i4', 'u4',
  'i2', 'u2', 'u1', 'i16', 'u16', 'bool', 'f32',
]) {
  const tensor = payload(dtype)
  if (dtype === 'bool') tensor.bytes.forEach((byte, i) => { tensor.bytes[i] = byte & 1 })
  const bits = dtypes.find(({ name }) => name === dtype).blockBits
  const access = numbersOf(tensor)
  const check = (array) => () => {
    widen(tensor, array)
    for (const at of places) assertSame(`widen ${dtype}`, array[at], access.at(at), at)
  }
  const goal = goals[dtype] ?? (bits === 8 ? 1 / 3 : undefined)
  add(`widen ${dtype} to f32`, goal, check(floats), () => widen(tensor, floats))
  if (['f16', 'bf16', 'f8e4m3', 'e2m1'].includes(dtype)) {
    add(`widen ${dtype} to f64`, undefined, check(doubles), () => widen(tensor, doubles))
  }
}

for (const dtype of ['f16', 'bf16', 'f8e4m3', 'f8e5m2', 'e2m1', 'e3m2', 'i8', 'i4']) {
  for (const [from, values] of [['f32', source], ['f64', sourceDoubles]]) {
    const bits = dtypes.find(({ name }) => name === dtype).blockBits
    const target = new Uint8Array((elements * bits) / 8)
    const options = { mode: 'saturate', target }
    const check = () => {
      narrow(values, dtype, options)
      const access = numbersOf({ dtype, shape: [elements], bytes: target })
      for (const at of places) {
        const code = codeOf(dtype, values[at], { mode: 'saturate' })
        assertSame(`narrow ${dtype}`, access.at(at), numberOf(dtype, code), at)
      }
    }
    add(`narrow ${from} to ${dtype}`, undefined, check, () => narrow(values, dtype, options))
  }
}

for (const format of ['mxfp4', 'mxfp8e4m3', 'nvfp4', 'int8:128', 'int4:32']) {
  const shape = [elements / 4096, 4096]
  const set = quantize('w', shape, source, format)
  const tensor = {
    dtype: set[0].dtype, shape, bytes: set[0].data, axis: set[0].axis, groupSize: set[0].groupSize,
    scale: { dtype: set[1].dtype, shape: set[1].shape, bytes: set[1].data },
    outer: set[2] && { dtype: 'f32', shape: [1], bytes: set[2].data },
  }
  const elementAt = numbersOf(tensor)
  const scaleAt = numbersOf(tensor.scale)
  const outer = tensor.outer && numbersOf(tensor.outer).at(0)
  const check = () => {
    dequantize(tensor, floats)
    for (const at of places) {
      const group = Math.floor(at / 4096) * set[1].shape[1] + Math.floor((at % 4096) / tensor.groupSize)
      const scaled = Math.fround(elementAt.at(at) * scaleAt.at(group))
      assertSame(`dequantize ${format}`, floats[at], outer === undefined ? scaled : Math.fround(scaled * outer), at)
    }
  }
  add(`dequantize ${format}`, undefined, check, () => dequantize(tensor, floats))
  const checkQuantize = () => {
    check()
    for (const at of places) {
      if (Math.abs(floats[at] - source[at]) <= 1.01) continue
      throw new Error(`quantize ${format}: ${source[at]} became ${floats[at]}`)
    }
  }
  add(`quantize f32 to ${format}`, undefined, checkQuantize, () => quantize('w', shape, source, format))
}

for (const { name } of dtypes) {
  if (!dequantizesGgml(name)) continue
  const tensor = payload(name)
  const access = numbersOf(tensor)
  const check = () => {
    dequantize(tensor, floats)
    for (const at of places) assertSame(name, floats[at], access.at(at), at)
  }
  add(`dequantize ${name}`, undefined, check, () => dequantize(tensor, floats))
}

add('statistics of f32', undefined, () => {
  const statistics = new Statistics()
  statistics.add(source)
  const { count, max } = statistics.summary()
  if (count !== elements || max !== source.reduce((most, value) => Math.max(most, value))) throw new Error('statistics')
}, () => new Statistics().add(source))

for (const { check } of contenders) check()

const copied = new Float32Array(elements)
const time = (run) => {
  const start = performance.now()
  run()
  return performance.now() - start
}
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const copies = []
for (let round = -2; round < rounds; round++) {
  for (const contender of contenders) {
    // A copy right before and right after: what it is compared with ran under the same load.
    const before = time(() => copied.set(source))
    const own = time(contender.run)
    const after = time(() => copied.set(source))
    if (round < 0) continue // warming up
    copies.push(before, after)
    contender.times.push(own)
    contender.ratios.push((before + after) / 2 / own)
  }
}

const rows = contenders.map(({ name, goal, ratios, times }) => ({
  name,
  ratio: Number(median(ratios).toFixed(3)),
  goal: goal === undefined ? undefined : Number(goal.toFixed(3)),
  nsPerElement: Number(((median(times) * 1e6) / elements).toFixed(3)),
}))
if (flags.json) {
  console.log(JSON.stringify({ node: process.version, elements, rounds, rows }, undefined, 2))
} else {
  console.log(`Node ${process.version}, ${elements} elements, ${rounds} rounds; an f32 copy takes ` +
    `${((median(copies) * 1e6) / elements).toFixed(3)} ns an element`)
  console.log(`${'conversion'.padEnd(30)} ${'ratio'.padStart(7)} ${'goal'.padStart(7)} ${'ns'.padStart(8)}`)
  for (const { name, ratio, goal, nsPerElement } of rows) {
    const mark = goal === undefined ? '' : ratio >= goal ? '  reached' : '  MISSED'
    const goalText = goal === undefined ? '' : goal.toFixed(3)
    const columns = [ratio.toFixed(3).padStart(7), goalText.padStart(7), nsPerElement.toFixed(3).padStart(8)]
    console.log(`${name.padEnd(30)} ${columns.join(' ')}${mark}`)
  }
}
