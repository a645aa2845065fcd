import { expect, test } from 'vitest'
import { bytesSink, bytesSource, type BytesSink, type ByteSource } from 'kiln-format'
import * as convert from 'kiln-convert'
import {
  folderOf, fromKiln, lossesOf, openForeign, openForeignFolder, openGguf, openGgufSet, openNpy, openNpz, openOnnx, openSafetensors,
  openSafetensorsSet, openTensorProto, openTfjs, plainName, plainPath, sniff, sniffSource, writeGguf, writeGgufSet, writeNpy, writeNpz,
  writeSafetensors, writeSafetensorsShards,
} from 'kiln-convert'
import { expectedOf, outcomesOf, type Row } from '../../kiln/test/misuse/outcomes.js'

const header = '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
const bytes = Uint8Array.from([header.length, 0, 0, 0, 0, 0, 0, 0, ...new TextEncoder().encode(header), ...new Uint8Array(8)])
const source = (of: Uint8Array = bytes): ByteSource => bytesSource(of, 'model.safetensors')
const model = await openSafetensors(source())
const tensor = model.tensors[0]!

async function written(write: (sink: BytesSink) => Promise<unknown>): Promise<Uint8Array> {
  const sink = bytesSink()
  await write(sink)
  return sink.bytes()
}
const npy = await written((sink) => writeNpy(tensor, sink))
const npz = await written((sink) => writeNpz(model, sink))
const gguf = await written((sink) => writeGguf(model, sink))
const folder = folderOf([['model.safetensors', source()], ['model.gguf', source(gguf)]])

const OPTIONS = { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }
const CAPS = { taken: 'undefined object bare array Date Map promise' }

const ROWS: readonly Row[] = [
  ['openSafetensors: source', (x) => openSafetensors(x), 'TYPE', { EOF: 'bytes' }],
  ['openSafetensors: options', (x) => openSafetensors(source(), x), 'TYPE', OPTIONS],
  ['openSafetensors: limits', (x) => openSafetensors(source(), { limits: x }), 'TYPE', CAPS],
  ['openSafetensors: signal', (x) => openSafetensors(source(), { signal: x }), 'TYPE', { taken: 'undefined' }],
  ['openNpy: source', (x) => openNpy(x), 'TYPE', { EOF: 'bytes' }],
  ['openNpy: options', (x) => openNpy(source(npy), x), 'TYPE', OPTIONS],
  ['openNpy: limits', (x) => openNpy(source(npy), { limits: x }), 'TYPE', CAPS],
  ['openNpz: source', (x) => openNpz(x), 'TYPE', { EOF: 'bytes' }],
  ['openNpz: options', (x) => openNpz(source(npz), x), 'TYPE', OPTIONS],
  ['openNpz: limits', (x) => openNpz(source(npz), { limits: x }), 'TYPE', CAPS],
  ['openGguf: source', (x) => openGguf(x), 'TYPE', { EOF: 'bytes' }],
  ['openGguf: options', (x) => openGguf(source(gguf), x), 'TYPE', OPTIONS],
  ['openGguf: limits', (x) => openGguf(source(gguf), { limits: x }), 'TYPE', CAPS],
  ['openGgufSet: folder', (x) => openGgufSet(x, 'model.gguf'), 'TYPE'],
  ['openGgufSet: name', (x) => openGgufSet(folder, x), 'TYPE', { EOF: 'text' }],
  ['openGgufSet: options', (x) => openGgufSet(folder, 'model.gguf', x), 'TYPE', OPTIONS],
  ['openSafetensorsSet: folder', (x) => openSafetensorsSet(x), 'TYPE'],
  ['openSafetensorsSet: name', (x) => openSafetensorsSet(folder, x), 'TYPE', { taken: 'undefined', EOF: 'text' }],
  ['openSafetensorsSet: options', (x) => openSafetensorsSet(folder, undefined, x), 'TYPE', OPTIONS],
  ['openOnnx: source', (x) => openOnnx(x), 'TYPE', { FRAME: 'bytes' }],
  ['openOnnx: folder', (x) => openOnnx(source(), x), 'TYPE', { FRAME: 'undefined' }],
  ['openTensorProto: source', (x) => openTensorProto(x), 'TYPE', { FRAME: 'bytes' }],
  ['openTensorProto: folder', (x) => openTensorProto(source(), x), 'TYPE', { FRAME: 'undefined' }],
  ['openTfjs: source', (x) => openTfjs(x, folder), 'TYPE', { FRAME: 'bytes' }],
  ['openTfjs: folder', (x) => openTfjs(source(), x), 'TYPE'],
  ['openForeign: source', (x) => openForeign(x), 'TYPE', { FRAME: 'bytes' }],
  ['openForeign: options', (x) => openForeign(source(), x), 'TYPE', OPTIONS],
  ['openForeignFolder: folder', (x) => openForeignFolder(x), 'TYPE'],
  ['openForeignFolder: options', (x) => openForeignFolder(folder, x), 'TYPE', OPTIONS],
  ['sniffSource: source', (x) => sniffSource(x), 'TYPE', { taken: 'bytes' }],
  ['sniff: head', (x) => sniff(x), 'TYPE', { taken: 'bytes' }],
  ['sniff: name', (x) => sniff(bytes, x), 'TYPE', { taken: 'undefined empty text' }],
  ['folderOf: files', (x) => folderOf(x), 'TYPE', { taken: 'array' }],
  ['folderOf: a source', (x) => folderOf([['a', x]]), 'TYPE', { taken: 'bytes' }],
  ['a folder: open', (x) => folder.open(x), 'TYPE', { EOF: 'text' }],
  ['plainName', (x) => plainName(x), 'TYPE', { taken: 'text' }],
  ['plainPath', (x) => plainPath(x), 'TYPE', { taken: 'text' }],
  ['writeSafetensors: model', (x) => writeSafetensors(x, bytesSink()), 'TYPE'],
  ['writeSafetensors: sink', (x) => writeSafetensors(model, x), 'TYPE'],
  ['writeSafetensors: options', (x) => writeSafetensors(model, bytesSink(), x), 'TYPE', OPTIONS],
  ['writeSafetensors: a tensor', (x) => writeSafetensors({ tensors: [x] }, bytesSink()), 'TYPE'],
  ['writeSafetensors: metadata', (x) => writeSafetensors({ tensors: [], metadata: x }, bytesSink()), 'TYPE', { taken: 'undefined' }],
  ['writeSafetensorsShards: model', (x) => writeSafetensorsShards(x, async () => bytesSink(), { shardSize: 99 }), 'TYPE'],
  ['writeSafetensorsShards: open', (x) => writeSafetensorsShards({ tensors: [] }, x, { shardSize: 99 }), 'TYPE'],
  ['writeSafetensorsShards: options', (x) => writeSafetensorsShards({ tensors: [] }, async () => bytesSink(), x), 'TYPE'],
  ['writeGguf: model', (x) => writeGguf(x, bytesSink()), 'TYPE'],
  ['writeGguf: sink', (x) => writeGguf(model, x), 'TYPE'],
  ['writeGguf: options', (x) => writeGguf(model, bytesSink(), x), 'TYPE', OPTIONS],
  ['writeGgufSet: model', (x) => writeGgufSet(x, async () => bytesSink(), { shardSize: 999 }), 'TYPE'],
  ['writeGgufSet: open', (x) => writeGgufSet({ tensors: [] }, x, { shardSize: 999 }), 'TYPE'],
  ['writeGgufSet: options', (x) => writeGgufSet({ tensors: [] }, async () => bytesSink(), x), 'TYPE'],
  ['writeNpy: tensor', (x) => writeNpy(x, bytesSink()), 'TYPE'],
  ['writeNpy: sink', (x) => writeNpy(tensor, x), 'TYPE'],
  ['writeNpy: options', (x) => writeNpy(tensor, bytesSink(), x), 'TYPE', OPTIONS],
  ['writeNpz: model', (x) => writeNpz(x, bytesSink()), 'TYPE'],
  ['writeNpz: sink', (x) => writeNpz(model, x), 'TYPE'],
  ['writeNpz: options', (x) => writeNpz(model, bytesSink(), x), 'TYPE', OPTIONS],
  ['fromKiln', (x) => fromKiln(x), 'TYPE', { taken: 'array' }],
  ['lossesOf: model', (x) => lossesOf(x, 'npz'), 'TYPE'],
  ['lossesOf: format', (x) => lossesOf(model, x), 'TYPE'],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}

test('each function that can be imported is misused in some row', () => {
  const functions = Object.entries(convert).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  expect(functions.filter((name) => !ROWS.some(([argument]) => argument.split(':')[0] === name))).toEqual([])
})

test('bytes and a Blob are as good as a source', async () => {
  for (const given of [bytes, new Blob([bytes])]) {
    expect((await openSafetensors(given as never)).tensors.map(({ name }) => name)).toEqual(['w'])
    expect((await openForeign(given as never)).format).toBe('safetensors')
  }
})
