import { fromKiln } from 'kiln-convert'
import { Difference, Statistics, streamNarrowed, streamQuantized, streamValues } from 'kiln-format/numeric'

// Biases, and filters of a few taps, weigh little and matter much: they stay as they are.
const LEAST = 256
const GROUP = 32

/**
 * The tensors of a model with its layers quantized, each made from its file when it is written: elements, scales and,
 * where the format has them, outer scales.
 *
 * @param {import('kiln-convert').ForeignModel} model
 * @param {import('kiln-format/numeric').QuantizationName} format
 */
export function quantized(model, format) {
  return model.tensors.flatMap((layer) => {
    if (!isLayer(layer)) return [layer]
    // Scales are shared along the last dimension that fills a group: that of a convolution's inputs, as a rule.
    const axis = Math.max(layer.shape.findLastIndex((length) => length >= GROUP), 0)
    return streamQuantized(layer.name, plain(layer), (options) => layer.chunks(options), format, { axis })
  })
}

/**
 * What a tensor is, without links, which safetensors files don't have.
 *
 * @param {import('kiln-convert').ForeignTensor} tensor
 */
function plain({ dtype, shape }) {
  return { dtype, shape }
}

/** @param {import('kiln-convert').ForeignTensor} tensor */
function isLayer({ dtype, shape }) {
  return dtype === 'f32' && shape.length > 1 && shape.reduce((product, length) => product * length, 1) >= LEAST
}

/**
 * The way back: elements times their scales as f32, all else as it is.
 *
 * @param {import('kiln-format').LazyModel} model
 * @returns {Promise<import('kiln-convert').ForeignTensor[]>}
 */
export async function dequantized(model) {
  const scales = new Set([...model].flatMap(({ scale, outer }) => [scale?.name, outer?.name]))
  const layers = [...model].filter(({ name }) => !scales.has(name))
  return (await Promise.all(layers.map(asFloats))).flat()
}

/** @param {import('kiln-format').LazyTensor} layer */
async function asFloats(layer) {
  if (layer.scheme === 0) return fromKiln([layer])
  // Scales are small, so they are held; elements come in pieces.
  const [scale, outer] = await Promise.all([layer.scale?.load(), layer.outer?.load()])
  const { name, dtype, shape, elements, scheme, axis, groupSize } = layer
  const linked = { dtype, shape, scheme, axis, groupSize, scale, outer }
  /** @type {import('kiln-convert').ForeignTensor['chunks']} */
  const chunks = (options) => streamNarrowed(linked, layer.chunks(options), 'f32', { mode: 'saturate' })
  return [{ name, dtype: /** @type {const} */ ('f32'), shape, byteLength: elements * 4, chunks }]
}

/**
 * How far each layer of a model is from that of another, beside the standard deviation of its weights.
 *
 * @param {import('kiln-convert').ForeignModel} before
 * @param {import('kiln-convert').ForeignModel} after
 */
export async function errorsOf(before, after) {
  const rows = []
  for (const layer of before.tensors) {
    const other = after.tensors.find(({ name }) => name === layer.name)
    if (other === undefined) throw new Error(`${layer.name} is missing`)
    // In pieces again. Blocks have 8,192 values however a payload is cut, so those of two tensors go together.
    const difference = new Difference()
    const statistics = new Statistics('f32')
    const others = streamValues(plain(other), other.chunks())
    for await (const block of streamValues(plain(layer), layer.chunks())) {
      statistics.add(block)
      difference.add(block, (await others.next()).value ?? new Float32Array(0))
    }
    const { count, differing, maximum, mean } = difference.summary()
    rows.push({ name: layer.name, count, differing, maximum, mean, deviation: statistics.summary().std ?? 0 })
  }
  return rows
}
