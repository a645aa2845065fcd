// node main.mjs [SECONDS [ROUNDS]]: a model behind HTTP, a comparison with JSON, and a page that stays until Ctrl+C.
import { fileURLToPath } from 'node:url'
import { LIBRARY, serve } from '../support/serve.mjs'
import { compare } from './compare.mjs'
import { Detector } from './detector.mjs'
import { frameService, jsonService } from './service.mjs'
import { RATE, voice } from './shared/sounds.mjs'

const seconds = Number(process.argv[2] ?? 2)
const rounds = Number(process.argv[3] ?? 5)
const folder = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))

const detector = await Detector.load()
const server = await serve({
  port: Number(process.env['PORT'] ?? 8080),
  folders: { '/': folder('page/'), '/shared/': folder('shared/'), '/kiln-format/': LIBRARY },
  handlers: { 'POST /detect': frameService(detector), 'POST /detect.json': jsonService(detector) },
})

console.log(`${seconds} s of audio, medians of ${rounds} requests each; all answers are the same numbers, bit for bit`)
console.log('              request      answer   model    all else')
for (const { name, sent, received, model, rest } of await compare(server.origin, voice(seconds * RATE), rounds)) {
  const bytes = [sent, received].map((count) => `${count.toLocaleString('en')} B`.padStart(11)).join(' ')
  console.log(`${name.padEnd(12)} ${bytes} ${model.toFixed(0).padStart(4)} ms ${rest.toFixed(2).padStart(8)} ms`)
}
console.log(`\nThe page: ${server.origin}`)
