import { expect, test } from 'vitest'
import { type BytesSink, bytesSink, writeDirectory, writeModel } from 'kiln-format'
import { expectedOf, outcomesOf, type Row } from './outcomes.js'

const streamed = { name: 'w', dtype: 'f32', shape: [2], chunks: () => [new Uint8Array(8)] } as const

async function written(): Promise<BytesSink> {
  const sink = bytesSink()
  await sink.write(new Uint8Array(4))
  return sink
}

const ROWS: readonly Row[] = [
  ['bytesSink: write', (x) => bytesSink().write(x), 'TYPE', { taken: 'bytes' }],
  ['bytesSink: write options', (x) => bytesSink().write(new Uint8Array(1), x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['bytesSink: patch offset', async (x) => (await written()).patch(x, new Uint8Array(1)), 'TYPE', { taken: 'zero' }],
  ['bytesSink: patch', async (x) => (await written()).patch(0, x), 'TYPE', { taken: 'bytes' }],
  ['bytesSink: patch options', async (x) => (await written()).patch(0, new Uint8Array(1), x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['writeDirectory: sink', (x) => writeDirectory(x, []), 'TYPE'],
  ['writeDirectory: sink.write', (x) => writeDirectory({ ...bytesSink(), write: x }, []), 'TYPE', { taken: 'function' }],
  ['writeDirectory: tensors', (x) => writeDirectory(bytesSink(), x), 'TYPE', { taken: 'array' }],
  ['writeDirectory: a tensor', (x) => writeDirectory(bytesSink(), [x]), 'TYPE'],
  ['writeDirectory: what chunks gives', (x) => writeDirectory(bytesSink(), [{ ...streamed, chunks: () => x }]), 'TYPE'],
  ['writeDirectory: a chunk', (x) => writeDirectory(bytesSink(), [{ ...streamed, chunks: () => [x] }]), 'TYPE'],
  ['writeDirectory: byteLength', (x) => writeDirectory(bytesSink(), [{ ...streamed, byteLength: x }]), 'TYPE', { taken: 'undefined' }],
  ['writeDirectory: options', (x) => writeDirectory(bytesSink(), [], x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['writeDirectory: alignment', (x) => writeDirectory(bytesSink(), [], { alignment: x }), 'TYPE', { taken: 'undefined' }],
  ['writeDirectory: checksums', (x) => writeDirectory(bytesSink(), [], { checksums: x }), 'TYPE', { taken: 'undefined true' }],
  ['writeDirectory: onProgress', (x) => writeDirectory(bytesSink(), [], { onProgress: x }), 'TYPE', { taken: 'undefined function' }],
  ['writeDirectory: signal', (x) => writeDirectory(bytesSink(), [], { signal: x }), 'TYPE', { taken: 'undefined' }],
  ['writeModel: sink', (x) => writeModel(x, { tensors: [] }), 'TYPE'],
  ['writeModel: model', (x) => writeModel(bytesSink(), x), 'TYPE'],
  ['writeModel: tensors', (x) => writeModel(bytesSink(), { tensors: x }), 'TYPE', { taken: 'array' }],
  ['writeModel: metadata', (x) => writeModel(bytesSink(), { tensors: [], metadata: x }), 'TYPE', { taken: 'undefined null object bare' }],
  ['writeModel: a text of metadata', (x) => writeModel(bytesSink(), { tensors: [], metadata: { a: x } }), 'TYPE', { taken: 'empty text' }],
  ['writeModel: options', (x) => writeModel(bytesSink(), { tensors: [] }, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['writeModel: checksum', (x) => writeModel(bytesSink(), { tensors: [] }, { checksum: x }), 'TYPE', { taken: 'undefined true' }],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}
