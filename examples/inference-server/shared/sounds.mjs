export const RATE = 16_000

/**
 * Something like "ah": a buzz at a voice's pitch through the three resonances of that vowel, twice a second.
 *
 * @param {number} samples
 */
export function voice(samples) {
  const sound = new Float32Array(samples)
  const resonances = [[730, 90], [1090, 110], [2440, 170]].map(([hertz = 0, width = 0]) => resonance(hertz, width))
  let phase = 0
  for (let i = 0; i < samples; i++) {
    const second = i / RATE
    phase += (140 + 20 * Math.sin(5 * second)) / RATE
    const pulse = phase >= 1 ? 1 : 0
    phase -= pulse
    const loudness = Math.max(0, Math.sin(4 * Math.PI * second))
    sound[i] = 0.6 * loudness * resonances.reduce((value, resonate) => resonate(value), pulse)
  }
  return sound
}

/** @param {number} samples */
export function hum(samples) {
  return Float32Array.from({ length: samples }, (_, i) => 0.3 * Math.sin((2 * Math.PI * 100 * i) / RATE))
}

/** @param {number} samples */
export function silence(samples) {
  return new Float32Array(samples)
}

/**
 * @param {number} hertz
 * @param {number} width
 */
function resonance(hertz, width) {
  const radius = Math.exp((-Math.PI * width) / RATE)
  const turn = 2 * radius * Math.cos((2 * Math.PI * hertz) / RATE)
  let before = 0
  let last = 0
  return (/** @type {number} */ value) => {
    const next = value * (1 - turn + radius * radius) + turn * last - radius * radius * before
    before = last
    last = next
    return next
  }
}
