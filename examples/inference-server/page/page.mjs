import { tensor } from 'kiln-format'
import { detect } from '../shared/client.mjs'
import * as sounds from '../shared/sounds.mjs'

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'))
const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'))
const output = /** @type {HTMLOutputElement} */ (document.querySelector('output'))
let id = 0

form.addEventListener('submit', (event) => {
  event.preventDefault()
  ask(new FormData(form)).catch((error) => {
    output.value = error.message
  })
})

/** @param {FormData} asked */
async function ask(asked) {
  const samples = await soundOf(asked)
  const audio = [tensor('audio', 'f32', [samples.length], samples)]
  const request = { audio, id: ++id, model: 'silero_vad_v5', temperature: Number(asked.get('temperature')) }
  const start = performance.now()
  for await (const answer of detect('/detect', [request])) {
    const passed = (performance.now() - start).toFixed(0)
    draw(answer.speech)
    const greatest = Math.max(...answer.speech).toFixed(3)
    output.value = `request ${answer.id}: ${answer.speech.length} windows, speech at most ${greatest}, ${passed} ms`
  }
}

/** @param {FormData} asked */
async function soundOf(asked) {
  const file = asked.get('file')
  if (file instanceof File && file.size > 0) {
    const context = new OfflineAudioContext(1, 1, sounds.RATE)
    return (await context.decodeAudioData(await file.arrayBuffer())).getChannelData(0)
  }
  const make = { voice: sounds.voice, hum: sounds.hum, silence: sounds.silence }
  return make[/** @type {keyof typeof make} */ (asked.get('sound'))](sounds.RATE / 2)
}

/** @param {Float32Array} speech */
function draw(speech) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  const { width, height } = canvas
  context.clearRect(0, 0, width, height)
  context.fillStyle = '#336'
  speech.forEach((likely, i) => {
    const left = (i * width) / speech.length
    context.fillRect(left, height * (1 - likely), width / speech.length - 1, height * likely)
  })
}
