import { expect, test } from 'vitest'
import {
  blobSource, type ByteSource, bytesSource, checkRange, encodeDirectory, encodeFrame, type FetchLike, framesOf,
  modelSchema, open, openDirectory, readDirectory, readRange, sourceOf, tensor, urlSource, verifySource,
} from 'kiln-format'
import { expectedOf, outcomesOf, type Row } from './outcomes.js'

const block = encodeDirectory([tensor('w', 'f32', [2], [1, 2], { checksum: true })])
const model = encodeFrame(modelSchema, { tensors: readDirectory(block), metadata: { a: 'b' } }, { schema: true })
const source = (): ByteSource => bytesSource(model)
const fetch: FetchLike = async () => new Response(model, { status: 200 })
const isObject = (x: unknown): boolean => x === undefined || (typeof x === 'object' && x !== null)

const ROWS: readonly Row[] = [
  ['sourceOf', (x) => sourceOf(x), 'TYPE', { taken: 'bytes' }],
  ['a source: size', (x) => sourceOf({ ...source(), size: x }), 'TYPE', { taken: 'zero' }],
  ['a source: label', (x) => sourceOf({ ...source(), label: x }), 'TYPE', { taken: 'empty text' }],
  ['a source: read', (x) => sourceOf({ ...source(), read: x }), 'TYPE', { taken: 'function' }],
  ['a source: what it gives', (x) => open({ ...source(), read: async () => x }), 'TYPE', { EOF: 'bytes' }],
  ['bytesSource: bytes', (x) => bytesSource(x), 'TYPE', { taken: 'bytes' }],
  ['bytesSource: offset', (x) => bytesSource(model).read(x, 1), 'TYPE', { taken: 'zero' }],
  ['bytesSource: length', (x) => bytesSource(model).read(0, x), 'TYPE', { taken: 'zero' }],
  ['bytesSource: options', (x) => bytesSource(model).read(0, 1, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['bytesSource: signal', (x) => bytesSource(model).read(0, 1, { signal: x }), 'TYPE', { taken: 'undefined' }],
  ['blobSource: blob', (x) => blobSource(x), 'TYPE'],
  ['blobSource: offset', (x) => blobSource(new Blob([model])).read(x, 1), 'TYPE', { taken: 'zero' }],
  ['blobSource: options', (x) => blobSource(new Blob([model])).read(0, 1, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['checkRange: source', (x) => checkRange(x, 0, 1), 'TYPE', { taken: 'Map' }],
  ['checkRange: offset', (x) => checkRange(source(), x, 1), 'TYPE', { taken: 'zero' }],
  ['checkRange: length', (x) => checkRange(source(), 0, x), 'TYPE', { taken: 'zero' }],
  ['framesOf: what a source gives', (x) => framesOf({ ...source(), read: async () => x }), 'TYPE', { EOF: 'bytes' }],
  ['verifySource: what a source gives', (x) => verifySource({ ...source(), read: async () => x }), 'TYPE', { EOF: 'bytes' }],
  ['readRange: source', (x) => readRange(x, 0, 1), 'TYPE'],
  ['readRange: what a source gives', (x) => readRange({ ...source(), read: async () => x }, 0, 4), 'TYPE', { EOF: 'bytes' }],
  ['readRange: offset', (x) => readRange(source(), x, 1), 'TYPE', { taken: 'zero' }],
  ['readRange: length', (x) => readRange(source(), 0, x), 'TYPE', { taken: 'zero' }],
  ['readRange: options', (x) => readRange(source(), 0, 1, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['urlSource: url', (x) => urlSource(x, { fetch, retries: 0 }), 'TYPE'],
  ['urlSource: options', (x) => urlSource('http://host/', isObject(x) ? { fetch } : x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['urlSource: headers', (x) => urlSource('http://host/', { fetch, headers: x }), 'TYPE', { taken: 'undefined object bare array Date promise' }],
  ['urlSource: credentials', (x) => urlSource('http://host/', { fetch, credentials: x }), 'TYPE', { taken: 'undefined' }],
  ['urlSource: fetch', (x) => urlSource('http://host/', { fetch: x ?? null as never, retries: 0 }), 'TYPE'],
  ['urlSource: retries', (x) => urlSource('http://host/', { fetch, retries: x }), 'TYPE', { taken: 'undefined zero' }],
  ['urlSource: signal', (x) => urlSource('http://host/', { fetch, signal: x }), 'TYPE', { taken: 'undefined' }],
  ['urlSource: offset', async (x) => (await urlSource('http://host/', { fetch })).read(x, 1), 'TYPE', { taken: 'zero' }],
  ['open: source', (x) => open(x), 'TYPE', { EOF: 'bytes' }],
  ['open: options', (x) => open(model, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['open: verify', (x) => open(model, { verify: x }), 'TYPE', { taken: 'undefined true' }],
  ['open: cache', (x) => open(model, { cache: x }), 'TYPE', { taken: 'undefined zero Infinity' }],
  ['open: keepOpen', (x) => open(model, { keepOpen: x }), 'TYPE', { taken: 'undefined true' }],
  ['open: fieldsLimit', (x) => open(model, { fieldsLimit: x }), 'TYPE', { taken: 'undefined Infinity', LIMIT: 'zero' }],
  ['open: limits', (x) => open(model, { limits: x }), 'TYPE', { taken: 'undefined object bare array Date Map promise' }],
  ['open: schemas', (x) => open(model, { schemas: x }), 'SCHEMA', { taken: 'undefined', FRAME: 'array' }],
  ['open: signal', (x) => open(model, { signal: x }), 'TYPE', { taken: 'undefined' }],
  ['openDirectory: source', (x) => openDirectory(x), 'TYPE', { EOF: 'bytes' }],
  ['openDirectory: options', (x) => openDirectory(block, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['a model: at', async (x) => (await open(model)).at(x), 'TYPE', { taken: 'zero' }],
  ['a model: get', async (x) => (await open(model)).get(x), 'TYPE'],
  ['a model: has', async (x) => (await open(model)).has(x), 'taken'],
  ['a model: load', async (x) => (await open(model)).load(x), 'TYPE', { taken: 'zero' }],
  ['a model: load options', async (x) => (await open(model)).load('w', x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map promise' }],
  ['a model: load into', async (x) => (await open(model)).load('w', new Float32Array(2), x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['a model: verify a load', async (x) => (await open(model)).load('w', { verify: x }), 'TYPE', { taken: 'undefined true' }],
  ['a model: slice', async (x) => (await open(model)).slice(x, 0, 1), 'TYPE', { taken: 'zero' }],
  ['a model: slice from', async (x) => (await open(model)).slice('w', x, 2), 'TYPE', { taken: 'zero' }],
  ['a model: slice to', async (x) => (await open(model)).slice('w', 0, x), 'TYPE', { taken: 'zero' }],
  ['a model: slice options', async (x) => (await open(model)).slice('w', 0, 1, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['a model: chunks', async (x) => (await open(model)).chunks(x), 'TYPE', { taken: 'zero' }],
  ['a model: chunks options', async (x) => (await open(model)).chunks('w', x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['a model: loadAll', async (x) => (await open(model)).loadAll(x), 'TYPE', { taken: 'undefined array bytes' }],
  ['a model: loadAll options', async (x) => (await open(model)).loadAll(['w'], x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['a model: loadAll concurrency', async (x) => (await open(model)).loadAll(['w'], { concurrency: x }), 'TYPE', { taken: 'undefined Infinity' }],
  ['framesOf: source', (x) => framesOf(x), 'TYPE', { EOF: 'bytes' }],
  ['framesOf: schemas', (x) => framesOf(model, x), 'SCHEMA', { taken: 'undefined', FRAME: 'array' }],
  ['framesOf: options', (x) => framesOf(model, undefined, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['framesOf: from', (x) => framesOf(model, undefined, { from: x }), 'TYPE', { taken: 'undefined zero' }],
  ['verifySource: source', (x) => verifySource(x), 'TYPE', { EOF: 'bytes' }],
  ['verifySource: options', (x) => verifySource(model, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['verifySource: onProgress', (x) => verifySource(model, { onProgress: x }), 'TYPE', { taken: 'undefined function' }],
  ['verifySource: fieldsLimit', (x) => verifySource(model, { fieldsLimit: x }), 'TYPE', { taken: 'undefined Infinity', LIMIT: 'zero' }],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}
