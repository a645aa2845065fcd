import { k } from 'kiln-format'

/** A small message: what a sensor says. */
export const Reading = k.struct({ number: k.u32, sensor: k.string, value: k.f64 })

/** A large message. The tensors stand first, so that their payloads are aligned in the frame. */
export const Batch = k.struct({ samples: k.tensors, number: k.u32 })

/** What the server says when the client has sent all. */
export const Receipt = k.struct({ readings: k.u32, batches: k.u32, sum: k.f64 })

/** Elements of the one tensor of a batch: 1 MiB of f32. */
export const SAMPLES = 2 ** 18

/**
 * The value of a reading, which a receiver can compute too.
 *
 * @param {number} number
 */
export const valueOf = (number) => number / 8

/**
 * A batch has its number in every 4,096th sample, so that a piece of another batch is noticed.
 *
 * @param {Float32Array} samples
 * @param {number} number
 */
export function mark(samples, number) {
  for (let i = 0; i < samples.length; i += 4096) samples[i] = number
}

/**
 * @param {Float32Array} samples
 * @param {number} number
 */
export function isMarked(samples, number) {
  for (let i = 0; i < samples.length; i += 4096) if (samples[i] !== number) return false
  return samples.length === SAMPLES
}
