// What Kiln does, on a real model: npm run try
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeFrame, encodeFrame, isKilnError, k, readFrameHeader, tensor } from 'kiln-format'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const onnx = join(root, 'node_modules/@ricky0123/vad-web/dist/silero_vad_legacy.onnx')
const out = join(root, '.tmp', 'try')
const file = join(out, 'silero_vad.kiln')
const here = (path) => relative(process.cwd(), path) || path

mkdirSync(out, { recursive: true })
const kiln = (...args) => execFileSync(process.execPath, [join(root, 'packages/cli/bin/kiln.js'), ...args], { encoding: 'utf8' })

console.log('1. A voice-activity model from an npm package, as a Kiln model file')
console.log(`$ kiln convert -q silero_vad_legacy.onnx ${here(file)}`)
kiln('convert', '-q', onnx, file)
console.log(`   ${statSync(onnx).size} bytes of ONNX (graph and weights), ${statSync(file).size} bytes of Kiln (weights)`)

console.log(`\n2. $ kiln inspect ${here(file)}`)
const shown = kiln('inspect', file).trimEnd().split('\n').filter((line) => !/^ {2}|^(header|field|tensors {2}|metadata {2})/.test(line))
for (const line of shown.slice(1, 10)) console.log(`   ${line.slice(0, 110).trimEnd()}`)
console.log(`   … ${shown.length - 10} more`)

console.log('\n3. One tensor, borrowed: no number is copied')
const bytes = new Uint8Array(readFileSync(file))
const { tensors } = decodeFrame(bytes).value
const weight = tensors.get('model.feature_extractor.forward_basis_buffer')
const numbers = weight.borrow('f32')
if (numbers.buffer !== bytes.buffer) throw new Error('the tensor was copied')
const at = readFileSync(onnx).indexOf(weight.bytes)
if (at === -1) throw new Error('the ONNX file does not hold these bits')
console.log(`   ${weight.name}: ${weight.dtype} [${weight.shape.join(', ')}]`)
console.log(`   ${numbers.constructor.name} of ${numbers.length} over the file's own memory, from byte ${numbers.byteOffset}`)
console.log(`   its ${weight.byteLength} bytes are those at byte ${at} of the ONNX file, bit for bit`)

console.log('\n4. An inference request, through a frame and back')
const Request = k.struct({ prompt: k.tensors, id: k.i64, model: k.string, temperature: k.f32 })
const prompt = [
  tensor('input_ids', 'i64', [1, 4], new BigInt64Array([101n, 2023n, 2003n, 102n])),
  tensor('attention_mask', 'bool', [1, 4], new Uint8Array([1, 1, 1, 1])),
]
const frame = encodeFrame(Request, { prompt, id: 7n, model: 'demo', temperature: 0.5 }, { schema: true, checksum: true })
const { headerSize, schema } = readFrameHeader(frame)
const back = decodeFrame(frame, Request).value
const ids = back.prompt.get('input_ids').borrow('i64')
if (back.id !== 7n || back.model !== 'demo' || back.temperature !== 0.5 || ids.join() !== '101,2023,2003,102') throw new Error('it came back otherwise')
console.log(`   ${frame.length} bytes, ${headerSize} of them header; the schema is in it: ${schema.text}`)
console.log(`   id ${back.id}, model ${back.model}, temperature ${back.temperature}, input_ids [${ids.join(', ')}] (borrowed)`)
frame[frame.length - 1] ^= 1
try {
  decodeFrame(frame, Request)
} catch (error) {
  if (!isKilnError(error)) throw error
  console.log(`   with one bit flipped: ${error.message}`)
}
console.log(`\nAll of it held. The model file is ${here(file)}; rm -r ${here(out)} takes it away.`)
