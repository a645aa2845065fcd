import * as tf from '@tensorflow/tfjs'
import { SIDE } from './messages.mjs'

const PIXELS = SIDE * SIDE

/** A small network that tells digits. It begins the same each time. */
export function makeModel() {
  const seeded = (/** @type {number} */ seed) => tf.initializers.glorotUniform({ seed })
  const model = tf.sequential({
    layers: [
      tf.layers.dense({ inputShape: [PIXELS], units: 64, activation: 'relu', kernelInitializer: seeded(1) }),
      tf.layers.dense({ units: 10, activation: 'softmax', kernelInitializer: seeded(2) }),
    ],
  })
  model.compile({ optimizer: tf.train.adam(0.006), loss: 'sparseCategoricalCrossentropy', metrics: ['accuracy'] })
  return model
}

/**
 * Learns from batches as they come, in steps of 32 samples. Returns the mean loss.
 *
 * @param {tf.Sequential} model
 * @param {AsyncIterable<import('./reader.mjs').Batch>} batches
 */
export async function learn(model, batches) {
  let sum = 0
  let steps = 0
  for await (const { features, labels, count } of batches) {
    for (let i = 0; i < count; i += 32) {
      const end = Math.min(i + 32, count)
      const x = tf.tensor2d(features.subarray(i * PIXELS, end * PIXELS), [end - i, PIXELS])
      const y = tf.tensor2d(labels.subarray(i, end), [end - i, 1])
      const [loss = NaN] = /** @type {number[]} */ (await model.trainOnBatch(x, y))
      tf.dispose([x, y])
      sum += loss
      steps++
    }
  }
  return sum / steps
}

/**
 * What a model takes samples for.
 *
 * @param {tf.Sequential} model
 * @param {import('./reader.mjs').Batch} batch
 */
export function guess(model, { features, count }) {
  return tf.tidy(() => {
    const likely = /** @type {tf.Tensor} */ (model.predict(tf.tensor2d(features, [count, PIXELS])))
    return likely.argMax(1).dataSync()
  })
}

/**
 * How many of all samples it takes for what they are.
 *
 * @param {tf.Sequential} model
 * @param {AsyncIterable<import('./reader.mjs').Batch>} batches
 */
export async function accuracy(model, batches) {
  let right = 0
  let all = 0
  for await (const batch of batches) {
    const guesses = guess(model, batch)
    right += batch.labels.reduce((sum, label, i) => sum + (label === guesses[i] ? 1 : 0), 0)
    all += batch.count
  }
  return right / all
}
