import { sniff } from 'kiln-convert'
import { expect, test } from 'vitest'
import { concat, hex, utf8 } from '../support/bytes.js'
import { fixturesOf, hasFixtures } from '../support/fixtures.js'
import { safetensors } from '../support/safetensors.js'

const zip = (member: string): Uint8Array => {
  const head = new Uint8Array(30)
  head.set(hex('504b0304'))
  head[26] = member.length
  return concat(head, utf8(member))
}

test.each<[string, Uint8Array, string, string?]>([
  ['nothing', hex(''), 'empty'],
  ['a Kiln directory', utf8('KILT\x02'), 'kiln-directory'],
  ['a Kiln frame', utf8('KILF\x01'), 'kiln-frame'],
  ['a safetensors header', safetensors('{}'), 'safetensors'],
  ['a safetensors header after white space', safetensors(' \n{}'), 'safetensors'],
  ['a safetensors header whose length begins like a pickle', safetensors('{}' + ' '.repeat(0x280 - 2)), 'safetensors'],
  ['GGUF', utf8('GGUF\x03'), 'gguf'],
  ['NPY', hex('934e554d50590100'), 'npy'],
  ['a zip of NPY files', zip('arr_0.npy'), 'npz'],
  ['a zip named .npz', zip('readme'), 'npz', 'a.NPZ'],
  ['an empty zip', hex('504b0506'), 'zip'],
  ['a zip', zip('readme'), 'zip'],
  ['a checkpoint of PyTorch by its member', zip('archive/data.pkl'), 'pytorch-zip', 'x.npz'],
  ['a checkpoint of PyTorch by its name', zip('x'), 'pytorch-zip', 'model.pt'],
  ['a pickle', hex('80027d71002e'), 'pickle'],
  ['a pickle of protocol 5', hex('800595'), 'pickle'],
  ['HDF5', hex('894844460d0a1a0a'), 'hdf5'],
  ['TensorFlow Lite', utf8('\x1c\0\0\0TFL3'), 'tflite'],
  ['GGML', hex('6c6d6767'), 'ggml'],
  ['gzip', hex('1f8b0800'), 'gzip'],
  ['zstd', hex('28b52ffd'), 'zstd'],
  ['tar', concat(new Uint8Array(257), utf8('ustar')), 'tar'],
  ['an index', utf8('{"metadata":{},"weight_map":{"a":"b"}}'), 'safetensors-index'],
  ['an index by its name', utf8('{"metadata":{'), 'safetensors-index', 'm.safetensors.index.json'],
  ['a TensorFlow.js model', utf8('{"format":"x","weightsManifest":[]}'), 'tfjs'],
  ['a weights manifest', utf8('[{"paths":["a"],"weights":[]}]'), 'tfjs'],
  ['a weights manifest by its name', utf8('[]'), 'tfjs', 'my-weights_manifest.json'],
  ['JSON', utf8('\ufeff {"a":1}'), 'json'],
  ['a Git LFS pointer', utf8('version https://git-lfs.github.com/spec/v1\n'), 'git-lfs-pointer'],
  ['HTML', utf8('\n<!DOCTYPE html>'), 'html'],
  ['XML', utf8('<?xml version="1.0"?><Error/>'), 'xml'],
  ['protobuf text', utf8('ir_version: 8\ngraph {'), 'protobuf-text'],
  ['text', utf8('Hello, Wörld'), 'text'],
  ['text that is cut inside a character', utf8('Hällo 🙂').subarray(0, 10), 'text'],
  ['bytes over 0x7f that are no text', hex('ffffffffffffff'), 'unknown'],
  ['an ONNX model', hex('0808 120a 6261636b656e642d7465 3a00'), 'onnx'],
  ['a tensor of ONNX', hex('0803 1001 4a0c'), 'tensorproto'],
  ['zeros', new Uint8Array(100), 'unknown'],
  ['a number field 0', hex('0001'), 'unknown'],
])('%s is %s', (_, bytes, kind, name) => {
  expect(sniff(bytes, name).name).toBe(kind)
})

test('any few bytes give a kind', () => {
  const kinds = new Set<string>()
  for (let a = 0; a < 256; a++) {
    for (let b = 0; b < 256; b++) kinds.add(typeof sniff(Uint8Array.of(a, b, a, b)).advice)
  }
  expect([...kinds]).toEqual(['string'])
})

test.skipIf(!hasFixtures).each([
  ['safetensors', /^(safetensors|safetensors-index)$/], ['gguf', /^gguf$/], ['npy', /^npy$/], ['npz', /^npz$/], ['onnx', /^onnx$/], ['onnx-tensorproto', /^tensorproto$/],
] as const)('every well-formed fixture of %s is told by its first 4,096 bytes alone', (folder, kind) => {
  for (const { file, bytes, expect: wanted } of fixturesOf(folder)) {
    if (wanted !== undefined) expect([file, sniff(bytes.subarray(0, 4096)).name]).toEqual([file, expect.stringMatching(kind)])
  }
})
