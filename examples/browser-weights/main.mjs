// node main.mjs: makes a model file, serves it and a page that looks at it, until Ctrl+C.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openOnnx } from 'kiln-convert'
import { writeModel } from 'kiln-format'
import { fileSink, openFile } from 'kiln-format/node'
import { LIBRARY, serve } from '../support/serve.mjs'

const folder = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))

// The weights of a voice-activity model, as a Kiln model file. Any other may lie there.
await mkdir(folder('.tmp/'), { recursive: true })
const source = await openFile(new URL(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_legacy.onnx')))
const size = await writeModel(await fileSink(folder('.tmp/model.kiln')), await openOnnx(source))
await source.close()

const server = await serve({
  port: Number(process.env['PORT'] ?? 8080),
  folders: { '/': folder('page/'), '/files/': folder('.tmp/'), '/kiln-format/': LIBRARY },
})
console.log(`A model of ${size.toLocaleString('en')} bytes, looked at layer by layer: ${server.origin}`)
