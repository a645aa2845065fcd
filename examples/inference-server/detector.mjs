import { fileURLToPath } from 'node:url'
import { env, InferenceSession, Tensor } from 'onnxruntime-web'

// Threads need memory that is shared, and gain nothing for a model of this size.
env.wasm.numThreads = 1

const WINDOW = 512
const STATE = [2, 1, 128]

/** The voice-activity model that the package @ricky0123/vad-web ships, as ONNX. */
export class Detector {
  static model = 'silero_vad_v5'
  #session

  /** @param {InferenceSession} session */
  constructor(session) {
    this.#session = session
  }

  static async load() {
    const file = import.meta.resolve(`@ricky0123/vad-web/dist/${Detector.model}.onnx`)
    return new Detector(await InferenceSession.create(fileURLToPath(file)))
  }

  /**
   * How likely each window of 512 samples is speech. A last one that isn't full is left out.
   *
   * @param {Float32Array} samples 16,000 a second
   * @param {number} temperature
   */
  async speech(samples, temperature) {
    const likely = new Float32Array(Math.floor(samples.length / WINDOW))
    const rate = new Tensor('int64', [16_000n], [])
    let state = new Tensor('float32', new Float32Array(256), STATE)
    for (let i = 0; i < likely.length; i++) {
      const input = new Tensor('float32', samples.subarray(i * WINDOW, (i + 1) * WINDOW), [1, WINDOW])
      const { output, stateN } = await this.#session.run({ input, state, sr: rate })
      state = /** @type {typeof state} */ (stateN)
      likely[i] = soften(Number(output?.data[0]), temperature)
    }
    return likely
  }
}

/**
 * Divides the log of the odds by the temperature.
 *
 * @param {number} likely
 * @param {number} temperature
 */
function soften(likely, temperature) {
  return temperature === 1 ? likely : 1 / (1 + Math.exp(Math.log((1 - likely) / likely) / temperature))
}
