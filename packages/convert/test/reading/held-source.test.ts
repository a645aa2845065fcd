import { folderOf, openGguf, openNpy, openNpz, openOnnx, openSafetensors, openSafetensorsSet, openTfjs, sniffSource, writeGguf, writeNpz } from 'kiln-convert'
import type { ForeignModel } from 'kiln-convert'
import { bytesSink, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { buildNpy, headerOf } from '../npy/build.js'
import { concat, utf8 } from '../support/bytes.js'
import { faultOf } from '../support/fault.js'
import { memoryTensor } from '../support/memory.js'
import { field, initializer, modelProto, tensorProto } from '../support/protobuf.js'
import { safetensors } from '../support/safetensors.js'

/** A source that gives another count of bytes than it was asked for, once that is switched on. */
function liar(bytes: Uint8Array, count: (length: number) => number): ByteSource & { lying: boolean } {
  return {
    size: bytes.length,
    label: 'liar',
    lying: false,
    read(offset, length) {
      const gives = this.lying ? count(length) : length
      return Promise.resolve(concat(bytes.subarray(offset, offset + gives), new Uint8Array(Math.max(0, offset + gives - bytes.length))))
    },
  }
}

const written = async (write: (sink: ReturnType<typeof bytesSink>) => Promise<unknown>): Promise<Uint8Array> => {
  const sink = bytesSink()
  await write(sink)
  return sink.bytes()
}
const w = memoryTensor('w', 'u8', [4], Uint8Array.of(1, 2, 3, 4))
const tfjs = utf8('[{"paths":["w.bin"],"weights":[{"name":"s","dtype":"string","shape":[1]},{"name":"w","dtype":"uint8","shape":[1]}]}]')

const FILES: readonly (readonly [what: string, bytes: Uint8Array, open: (source: ByteSource) => Promise<ForeignModel>])[] = [
  ['safetensors', safetensors('{"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}', Uint8Array.of(1, 2, 3, 4)), (source) => openSafetensors(source)],
  ['a shard of a folder', safetensors('{"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}', Uint8Array.of(1, 2, 3, 4)), (source) => openSafetensorsSet({ open: () => Promise.resolve(source) }, 'a.safetensors')],
  ['GGUF', await written((sink) => writeGguf({ tensors: [{ ...w, dtype: 'i8' }] }, sink)), (source) => openGguf(source)],
  ['NPY', buildNpy(headerOf('|u1', [4]), Uint8Array.of(1, 2, 3, 4)), (source) => openNpy(source)],
  ['NPY, big-endian', buildNpy(headerOf('>u2', [2]), Uint8Array.of(1, 2, 3, 4)), (source) => openNpy(source)],
  ['NPY in Fortran order', buildNpy(headerOf('|u1', [2, 2], true), Uint8Array.of(1, 2, 3, 4)), (source) => openNpy(source)],
  ['NPZ, stored', await written((sink) => writeNpz({ tensors: [w] }, sink)), (source) => openNpz(source)],
  ['NPZ, deflated', await written((sink) => writeNpz({ tensors: [w] }, sink, { deflate: true })), (source) => openNpz(source)],
  ['ONNX, raw', modelProto(initializer(tensorProto([4], 2, 'w', field(9, Uint8Array.of(1, 2, 3, 4))))), (source) => openOnnx(source)],
  ['ONNX, entries', modelProto(initializer(tensorProto([4], 2, 'w', field(5, Uint8Array.of(1, 2, 3, 4))))), (source) => openOnnx(source)],
  ['TensorFlow.js', tfjs, (source) => openTfjs(source, folderOf([['w.bin', liar(Uint8Array.of(0, 0, 0, 0, 9), (n) => n)]]))],
  ['weights of TensorFlow.js', Uint8Array.of(1, 0, 0, 0, 65, 9), (source) => openTfjs(liar(tfjs, (n) => n), { open: () => Promise.resolve(source) })],
]

const COUNTS: readonly (readonly [what: string, count: (length: number) => number])[] = [
  ['nothing', () => 0],
  ['half', (length) => Math.floor(length / 2)],
  ['three bytes', () => 3],
  ['more', (length) => length + 4],
]

// A source that gives nothing was asked again for ever where a reader goes on until it has enough.
test.each(FILES)('%s: a source that breaks its promise is EOF, while opening and while reading', async (_, bytes, open) => {
  for (const [what, count] of COUNTS) {
    const first = liar(bytes, count)
    first.lying = true
    const opening = await faultOf(open(first))
    expect([what, opening.code, opening.detail]).toEqual([what, 'EOF', expect.stringMatching(/liar: \d+ bytes from byte \d+ on asked for, the source gave \d+$/)])
    const later = liar(bytes, count)
    const model = await open(later)
    later.lying = true
    const reading = async (): Promise<void> => {
      for await (const piece of model.tensors[0]!.chunks()) expect(piece.length).toBeGreaterThan(0)
    }
    // Of the JSON nothing is read later.
    if (bytes !== tfjs) expect([what, (await faultOf(reading())).code]).toEqual([what, 'EOF'])
  }
})

test('what a folder gives may be a Blob, and what is no source is TYPE', async () => {
  const bytes = safetensors('{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', Uint8Array.of(7))
  const given = (file: unknown) => openSafetensorsSet({ open: () => Promise.resolve(file as ByteSource) }, 'a.safetensors')
  expect((await given(new Blob([Uint8Array.from(bytes)]))).tensors.map(({ name }) => name)).toEqual(['w'])
  expect((await faultOf(given(undefined))).code).toBe('TYPE')
  expect((await faultOf(given('a.safetensors'))).code).toBe('TYPE')
})

test('a signal ends a read that the source never ends', async () => {
  const source: ByteSource = { size: 100, label: 'slow', read: () => new Promise(() => undefined) }
  const controller = new AbortController()
  const opening = sniffSource(source, undefined, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(opening).rejects.toThrow('enough')
})
