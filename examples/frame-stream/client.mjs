import { once } from 'node:events'
import { connect } from 'node:net'
import { encodeFrame, encodeFrameParts, readFrames, tensor } from 'kiln-format'
import { Batch, mark, Reading, Receipt, SAMPLES, valueOf } from './messages.mjs'

// Small frames go to the socket together: a call of the system for each would cost more than the frame.
const TOGETHER = 64 * 2 ** 10

/** One connection that sends frames, and waits whenever the other side has enough. */
export class FrameClient {
  #number = 0
  /** @type {Uint8Array[]} */
  #small = []
  #smallBytes = 0

  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.socket = socket
  }

  /** @param {number} port */
  static async connect(port) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    return new FrameClient(socket)
  }

  /** Frames that were given to the socket or are about to be. */
  get sent() {
    return this.#number
  }

  /** @param {number} count */
  async sendReadings(count) {
    for (let i = 0; i < count; i++) {
      const number = this.#number++
      const frame = encodeFrame(Reading, { number, sensor: 'boiler 3', value: valueOf(number) })
      this.#small.push(frame)
      this.#smallBytes += frame.length
      if (this.#smallBytes >= TOGETHER) await this.#flush()
    }
    await this.#flush()
  }

  /** @param {number} count */
  async sendBatches(count) {
    const samples = new Float32Array(SAMPLES).fill(0.5)
    for (let i = 0; i < count; i++) {
      const number = this.#number++
      mark(samples, number)
      // The payload is a part by reference; it is used again once the system has taken it.
      await this.#write(encodeFrameParts(Batch, { number, samples: [tensor('samples', 'f32', [SAMPLES], samples)] }))
    }
  }

  /** Says that all is sent, and gives the server's receipt. */
  async finish() {
    this.socket.end()
    for await (const { value } of readFrames(this.socket, Receipt)) return value
    throw new Error('the server gave no receipt')
  }

  async #flush() {
    const parts = this.#small
    this.#small = []
    this.#smallBytes = 0
    if (parts.length > 0) await this.#write([Buffer.concat(parts)])
  }

  /**
   * Resolves when the system has taken all parts, which it does as fast as the other side reads.
   *
   * @param {readonly Uint8Array[]} parts
   */
  #write(parts) {
    return /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        this.socket.cork()
        parts.forEach((part, i) => {
          this.socket.write(part, i < parts.length - 1 ? undefined : (error) => (error ? reject(error) : resolve()))
        })
        this.socket.uncork()
      })
    )
  }
}
