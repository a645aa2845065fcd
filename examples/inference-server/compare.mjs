import { encodeFrame, tensor } from 'kiln-format'
import { detect } from './shared/client.mjs'
import { Answer, Request } from './shared/messages.mjs'

/**
 * @typedef {{ speech: Float32Array, milliseconds: number, sent: number, received: number }} Reply
 * @typedef {{ name: string, sent: number, received: number, model: number, rest: number }} Row times in milliseconds
 */

/**
 * Asks for the same by frames and by JSON, turn by turn, and gives the medians. Throws if one answer has other numbers
 * than the first.
 *
 * @param {string} origin
 * @param {Float32Array} samples
 * @param {number} rounds
 * @returns {Promise<Row[]>}
 */
export async function compare(origin, samples, rounds) {
  const ways = [
    { name: 'Kiln frames', ask: askByFrames },
    { name: 'JSON, base64', ask: askByJson },
  ]
  const { speech } = await askByFrames(origin, samples)
  /** @type {Map<string, (Reply & { rest: number })[]>} */
  const replies = new Map(ways.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, ask } of ways) {
      const start = performance.now()
      const reply = await ask(origin, samples)
      const rest = performance.now() - start - reply.milliseconds
      if (reply.speech.some((likely, i) => likely !== speech[i])) throw new Error(`${name} gave other numbers`)
      replies.get(name)?.push({ ...reply, rest })
    }
  }
  return Array.from(replies, ([name, all]) => ({
    name,
    sent: all[0]?.sent ?? 0,
    received: all[0]?.received ?? 0,
    model: median(all.map(({ milliseconds }) => milliseconds)),
    rest: median(all.map(({ rest }) => rest)),
  }))
}

const asked = { id: 1, model: 'silero_vad_v5', temperature: 1 }

/**
 * @param {string} origin
 * @param {Float32Array} samples
 * @returns {Promise<Reply>}
 */
async function askByFrames(origin, samples) {
  const request = { ...asked, audio: [tensor('audio', 'f32', [samples.length], samples)] }
  for await (const answer of detect(`${origin}/detect`, [request])) {
    const sent = encodeFrame(Request, request).length
    return { ...answer, sent, received: encodeFrame(Answer, answer).length }
  }
  throw new Error('no answer')
}

/**
 * @param {string} origin
 * @param {Float32Array} samples
 * @returns {Promise<Reply>}
 */
async function askByJson(origin, samples) {
  const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64')
  const body = JSON.stringify({ ...asked, audio })
  const response = await fetch(`${origin}/detect.json`, { method: 'POST', body })
  const text = await response.text()
  const { speech, milliseconds } = JSON.parse(text)
  return { speech: Float32Array.from(speech), milliseconds, sent: body.length, received: text.length }
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
