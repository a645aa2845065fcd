// node main.mjs: a safetensors file through MXFP4, NVFP4 and int8 and back, and what that costs.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openOnnx, openSafetensors, writeSafetensors } from 'kiln-convert'
import { open, writeModel } from 'kiln-format'
import { fileSink, openFile } from 'kiln-format/node'
import { dequantized, errorsOf, quantized } from './quantize.mjs'

const at = (/** @type {string} */ name) => fileURLToPath(new URL(`.tmp/${name}`, import.meta.url))
await mkdir(at(''), { recursive: true })

// The weights of a voice-activity model as safetensors; put any other file of floats there instead.
const onnx = await openFile(new URL(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_legacy.onnx')))
await writeSafetensors(await openOnnx(onnx), await fileSink(at('weights.safetensors')))
await onnx.close()

const source = await openFile(at('weights.safetensors'))
const original = await openSafetensors(source)
const bytes = (/** @type {number} */ count) => count.toLocaleString('en').padStart(9)
console.log(`weights.safetensors: ${bytes(source.size).trim()} bytes, ${original.tensors.length} tensors\n`)
console.log('format       bytes  mean error  of deviation  largest error')

/** @type {Awaited<ReturnType<typeof errorsOf>>} */
let layers = []
for (const format of /** @type {const} */ (['int8:128', 'nvfp4', 'mxfp4'])) {
  const name = format.replace(':', '-')
  const { metadata } = original
  const size = await writeModel(await fileSink(at(`${name}.kiln`)), { tensors: quantized(original, format), metadata })

  const model = await open(await openFile(at(`${name}.kiln`)))
  await writeSafetensors({ tensors: await dequantized(model), metadata }, await fileSink(at(`${name}.safetensors`)))
  await model.close()

  const back = await openFile(at(`${name}.safetensors`))
  layers = (await errorsOf(original, await openSafetensors(back))).filter(({ differing }) => differing > 0)
  await back.close()

  const count = sum(layers.map((layer) => layer.count))
  const mean = sum(layers.map((layer) => layer.mean * layer.count)) / count
  const relative = sum(layers.map((layer) => (layer.mean / layer.deviation) * layer.count)) / count
  console.log(`${format.padEnd(8)} ${bytes(size)} ${figures(mean, relative, Math.max(...layers.map((l) => l.maximum)))}`)
}
await source.close()

console.log('\nMXFP4, the layers that it hurts most')
console.log('elements     mean error  of deviation  largest error')
const hurt = layers.sort((a, b) => b.mean / b.deviation - a.mean / a.deviation).slice(0, 8)
for (const { name, count, mean, deviation, maximum } of hurt) {
  console.log(`${bytes(count)}    ${figures(mean, mean / deviation, maximum)}  ${name}`)
}

/**
 * @param {number} mean
 * @param {number} relative
 * @param {number} largest
 */
function figures(mean, relative, largest) {
  return `${mean.toFixed(5).padStart(11)} ${(relative * 100).toFixed(2).padStart(11)} % ${largest.toFixed(4).padStart(14)}`
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}
