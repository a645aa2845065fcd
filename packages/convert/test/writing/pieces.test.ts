import { writeGguf, writeNpy, writeNpz, writeSafetensors, writeSafetensorsShards } from 'kiln-convert'
import type { ForeignTensor, WritableModel } from 'kiln-convert'
import { bytesSink, writeModel, type ByteSink, type BytesSink } from 'kiln-format'
import { expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'

const WRITERS: readonly (readonly [string, (model: WritableModel, sink: ByteSink) => Promise<unknown>])[] = [
  ['safetensors', writeSafetensors],
  ['safetensors shards', (model, sink) => writeSafetensorsShards(model, () => Promise.resolve(sink), { shardSize: 1e6 })],
  ['GGUF', writeGguf],
  ['NPY', (model, sink) => writeNpy(model.tensors[0]!, sink)],
  ['NPZ', writeNpz],
  ['Kiln', (model, sink) => writeModel(sink, model)],
  ['NPZ, deflated', (model, sink) => writeNpz(model, sink, { deflate: true })],
]

/** A tensor of four bytes whose chunks() gives this. */
const giving = (chunks: () => unknown): WritableModel => ({
  tensors: [{ name: 'w', dtype: 'i8', shape: [4], byteLength: 4, chunks: chunks as ForeignTensor['chunks'] }],
})
const written = async (write: (sink: BytesSink) => Promise<unknown>): Promise<Uint8Array> => {
  const sink = bytesSink()
  await write(sink)
  return sink.bytes()
}
const BYTES = Uint8Array.of(1, 2, 3, 4)

test.each(WRITERS)('%s: pieces may be of any view or buffer, and are counted in bytes', async (_, write) => {
  const expected = await written((sink) => write(giving(() => [BYTES]), sink))
  const pieces: readonly unknown[][] = [
    [BYTES.buffer], [new Uint16Array(BYTES.buffer)], [new DataView(Uint8Array.of(0, ...BYTES).buffer, 1)],
    [new Uint8Array(0), BYTES, new Uint8Array(0)], [new Int8Array(BYTES.buffer, 0, 1), new Uint8ClampedArray(BYTES.buffer, 1)],
  ]
  for (const given of pieces) expect(await written((sink) => write(giving(() => given), sink))).toEqual(expected)
  for (const wide of [new Uint16Array(4), new Float64Array(1)]) {
    const fault = await faultOf(written((sink) => write(giving(() => [wide]), sink)))
    expect([fault.code, fault.detail]).toEqual(['TYPE', expect.stringMatching(/^(tensor "w" has 4 bytes and|4 bytes are needed, the tensor) gave more$/)])
  }
})

test.each(WRITERS)('%s: what is no piece, and no list of pieces, is TYPE', async (_, write) => {
  for (const given of [null, undefined, 'abcd', 4, [1, 2, 3, 4], { length: 4 }]) {
    const fault = await faultOf(written((sink) => write(giving(() => [given]), sink)))
    expect([fault.code, fault.detail]).toEqual(['TYPE', expect.stringMatching(/^tensor "w": its chunks\(\) gives what is no bytes; give Uint8Arrays$|^bytes expected/)])
  }
  for (const given of [undefined, null, 4, {}, Promise.resolve([BYTES])]) {
    const fault = await faultOf(written((sink) => write(giving(() => given), sink)))
    expect([fault.code, fault.detail]).toEqual(['TYPE', expect.stringMatching(/^tensor "w": its chunks\(\) gives no iterable of bytes$|^chunks\(\) gives bytes piece by piece/)])
  }
})

test.each(WRITERS)('%s: the first error is passed on, whatever comes of dropping what was written', async (_, write) => {
  const disk = new Error('the disk is full')
  const failure = new Error('it can not be dropped')
  const aborts: readonly (() => unknown)[] = [() => Promise.reject(failure), () => { throw failure }, () => undefined]
  for (const abort of aborts) {
    const dropped: unknown[] = []
    const sink: ByteSink = {
      write: () => Promise.reject(disk),
      close: () => Promise.resolve(),
      abort(reason) {
        dropped.push(reason)
        return abort() as Promise<void>
      },
    }
    await expect(write(giving(() => [BYTES]), sink)).rejects.toBe(disk)
    expect(dropped).toEqual([disk])
  }
})
