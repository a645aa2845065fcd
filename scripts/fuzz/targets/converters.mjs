import {
  folderOf, openForeign, openGguf, openNpy, openNpz, openOnnx, openSafetensors, openSafetensorsSet, openTensorProto, openTfjs, writeGguf, writeNpz,
  writeSafetensors,
} from 'kiln-convert'
import { bytesSink, bytesSource, isKilnError } from 'kiln-format'
import { fixtures } from '../seeds.mjs'

const text = (value) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

/** A model read to its end; payloads are as long as announced, and in sum at most `most` bytes. */
async function readAll(model, most) {
  let total = 0
  for (const tensor of model.tensors) {
    let length = 0
    for await (const piece of tensor.chunks()) length += piece.length
    if (length !== tensor.byteLength) throw new Error(`${tensor.name} has ${length} bytes, ${tensor.byteLength} were announced`)
    total += length
  }
  if (total > most) throw new Error(`${total} bytes of payload came out, ${most} are bound`)
  await model.close()
}

/** What a model holds, in the order of its names, for comparing it with what is read again. */
async function contents(model) {
  const rows = []
  for (const tensor of model.tensors) {
    const pieces = []
    for await (const piece of tensor.chunks()) pieces.push(Buffer.from(piece))
    rows.push(JSON.stringify([tensor.name, tensor.dtype, tensor.shape, Buffer.concat(pieces).toString('hex')]))
  }
  return rows.sort().join('\n')
}

/** What was read is written, and read again as the same; a format may lack what another has, and then refuses by a KilnError. */
async function rewritten(model, write, reopen) {
  const sink = bytesSink()
  try {
    await write(model, sink)
  } catch (error) {
    if (isKilnError(error)) return
    throw error
  }
  const again = await reopen(bytesSource(sink.bytes()))
  if ((await contents(again)) !== (await contents(model))) throw new Error('what was written is read otherwise')
}

function safetensorsFile(header, payload) {
  const json = Buffer.from(text(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return new Uint8Array(Buffer.concat([length, json, payload]))
}

const jsonWords = ['{', '}', '[', ']', ',', ':', '"', '0', '-1', '1e9', '18446744073709551616', 'null', 'true', '"__proto__"', '\\u0000', '\\ud800', '[['.repeat(40)]
const small = { a: { dtype: 'F32', shape: [2], data_offsets: [0, 8] } }

const safetensors = {
  name: 'safetensors',
  words: [...jsonWords, '"dtype":"F4"', '"data_offsets":[0,8]', '"shape":[]', '"__metadata__":{}'],
  seeds: () => [safetensorsFile(small, new Uint8Array(8)), ...fixtures('safetensors')],
  async run(bytes) {
    const model = await openSafetensors(bytesSource(bytes))
    await readAll(model, bytes.length)
    await rewritten(await openSafetensors(bytesSource(bytes)), writeSafetensors, (source) => openSafetensors(source))
  },
}

const safetensorsIndex = {
  name: 'safetensors index',
  words: [...jsonWords, '"weight_map":', '"../x"', '"m-00001-of-00002.safetensors"'],
  seeds: () => [text({ metadata: { total_size: 16 }, weight_map: { a: 'm-00001-of-00002.safetensors', b: 'm-00002-of-00002.safetensors' } })],
  async run(bytes) {
    const file = (name) => safetensorsFile({ [name]: small.a }, new Uint8Array(8))
    const folder = folderOf([
      ['m-00001-of-00002.safetensors', bytesSource(file('a'))],
      ['m-00002-of-00002.safetensors', bytesSource(file('b'))],
      ['m.safetensors.index.json', bytesSource(bytes)],
    ])
    await readAll(await openSafetensorsSet(folder, 'm.safetensors.index.json'), 16)
  },
}

const gguf = {
  name: 'GGUF',
  words: ['GGUF', 'general.alignment', 'split.count', 'general.architecture'],
  seeds: () => fixtures('gguf'),
  async run(bytes) {
    const options = { version1: true, alone: true }
    await readAll(await openGguf(bytesSource(bytes), options), bytes.length)
    await rewritten(await openGguf(bytesSource(bytes), options), writeGguf, (source) => openGguf(source, { alone: true }))
  },
}

const npy = {
  name: 'NPY',
  words: ['NUMPY', "'descr': '<f4'", "'fortran_order': True", "'shape': (2, 3)", '(', ')', 'L', "'|O'", "[('a', '<f4')]", '4294967296'],
  seeds: () => fixtures('npy'),
  async run(bytes) {
    // Memory is asked for in steps of the payload, which the shape may announce but the file has to hold.
    await readAll(await openNpy(bytesSource(bytes)), bytes.length)
  },
}

const npz = {
  name: 'NPZ',
  words: ['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', '../x.npy', '.npy'],
  seeds: () => fixtures('npz'),
  async run(bytes) {
    // Deflate makes at most 1,032 bytes of one.
    await readAll(await openNpz(bytesSource(bytes)), 1100 * bytes.length)
    await rewritten(await openNpz(bytesSource(bytes)), writeNpz, (source) => openNpz(source))
  },
}

const folder = () => folderOf([['w.bin', bytesSource(new Uint8Array(64))], ['data.bin', bytesSource(new Uint8Array(64))]])

// Tensors may share external data; an entry of a packed list is a byte that becomes up to eight.
const onnxBound = (bytes) => 64 * bytes.length + 64

const onnx = {
  name: 'ONNX',
  words: ['location', 'w.bin', 'offset', 'length', '../x', '\x0a\x00', '\x3a\x02'],
  seeds: () => fixtures('onnx'),
  async run(bytes) {
    await readAll(await openOnnx(bytesSource(bytes), folder(), { subgraphs: bytes.length % 2 === 0 }), onnxBound(bytes))
  },
}

const tensorProto = {
  name: 'ONNX tensor',
  words: ['location', 'w.bin', 'offset', 'length'],
  seeds: () => fixtures('onnx-tensorproto'),
  async run(bytes) {
    await readAll(await openTensorProto(bytesSource(bytes), folder()), onnxBound(bytes))
  },
}

const tfjs = {
  name: 'TensorFlow.js',
  words: [...jsonWords, '"quantization":', '"dtype":"uint8"', '"paths":["w.bin"]', '"../w.bin"'],
  seeds: () => [
    text({ weightsManifest: [{ paths: ['w.bin'], weights: [{ name: 'a', dtype: 'float32', shape: [2, 8] }] }] }),
    text([{ paths: ['w.bin'], weights: [{ name: 'q', dtype: 'float32', shape: [64], quantization: { dtype: 'uint8', scale: 0.1, min: -1 } }] }]),
    text([{ paths: ['w.bin'], weights: [{ name: 's', dtype: 'string', shape: [16] }] }]),
  ],
  async run(bytes) {
    await readAll(await openTfjs(bytesSource(bytes), folder()), 128)
  },
}

const NAMES = ['', 'x.safetensors', 'x-00001-of-00002.safetensors', 'x-00001-of-00002.gguf', 'x.npz', 'x.onnx', 'x.pb', 'x.npy']

const any = {
  name: 'any format',
  words: ['GGUF', 'PK\x03\x04', 'NUMPY', 'KILF', '{"'],
  seeds: () => ['safetensors', 'gguf', 'npy', 'npz', 'onnx', 'onnx-tensorproto'].flatMap((name) => fixtures(name, 3000)),
  async run(bytes) {
    const model = await openForeign(bytesSource(bytes), { name: NAMES[bytes.length % NAMES.length], folder: folder(), alone: bytes.length % 3 === 0 })
    await readAll(model, 1100 * bytes.length + 64)
  },
}

export const converters = [safetensors, safetensorsIndex, gguf, npy, npz, onnx, tensorProto, tfjs, any]
