import { pipeline } from 'node:stream/promises'
import { encodeFrame, isKilnError, KilnError, readFrames } from 'kiln-format'
import { Detector } from './detector.mjs'
import { Answer, Fault, Request } from './shared/messages.mjs'

// A minute of audio in f32 is 3.8 MB.
const limits = { body: 4 * 2 ** 20 }

/**
 * Frames in, frames out: each request is answered as soon as it has arrived, while later ones are still on their way.
 *
 * @param {Detector} detector
 * @returns {import('../support/serve.mjs').Handler}
 */
export function frameService(detector) {
  return async (request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' })
    await pipeline(answers(detector, request), response)
  }
}

/**
 * @param {Detector} detector
 * @param {AsyncIterable<Uint8Array>} body
 */
async function* answers(detector, body) {
  try {
    for await (const { value } of readFrames(body, Request, { limits })) {
      try {
        // The tensor lies in the received bytes, where the model reads it.
        const samples = value.audio.get('audio').borrow('f32')
        const { speech, milliseconds } = await run(detector, value.model, samples, value.temperature)
        yield encodeFrame(Answer, { speech, id: value.id, model: value.model, milliseconds })
      } catch (error) {
        yield faultFrame(error, value.id)
      }
    }
  } catch (error) {
    yield faultFrame(error, undefined)
  }
}

/**
 * Errors of the format say what is wrong with the request. Any other is ours.
 *
 * @param {unknown} error
 * @param {bigint | undefined} id
 */
function faultFrame(error, id) {
  if (!isKilnError(error)) throw error
  return encodeFrame(Fault, { id, code: error.code, message: error.message })
}

/**
 * The same service as JSON, for comparison: the audio is base64 in it.
 *
 * @param {Detector} detector
 * @returns {import('../support/serve.mjs').Handler}
 */
export function jsonService(detector) {
  return async (request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { audio, id, model, temperature } = JSON.parse(Buffer.concat(chunks).toString())
    const bytes = Buffer.from(audio, 'base64')
    // Buffers share a pool, so their bytes may lie askew for floats: this copies them.
    const samples = new Float32Array(new Uint8Array(bytes).buffer)
    const { speech, milliseconds } = await run(detector, model, samples, temperature)
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ speech: [...speech], id, model, milliseconds }))
  }
}

/**
 * @param {Detector} detector
 * @param {string} model
 * @param {Float32Array} samples
 * @param {number} temperature
 */
async function run(detector, model, samples, temperature) {
  if (model !== Detector.model) throw new KilnError('TYPE', `there is no model ${model} here, only ${Detector.model}`)
  if (!(temperature > 0)) throw new KilnError('TYPE', `a temperature is over 0, got ${temperature}`)
  const start = performance.now()
  const speech = await detector.speech(samples, temperature)
  return { speech, milliseconds: performance.now() - start }
}
