import { folderOf, openTfjs } from 'kiln-convert'
import { KilnError, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { hex, utf8 } from '../support/bytes.js'
import { codeOf, faultOf } from '../support/fault.js'
import { memorySource, payload } from '../support/memory.js'
import { contents } from '../support/model.js'
import { source, type TestSource } from '../support/source.js'

const DATA = Uint8Array.from({ length: 64 }, (_, i) => i)

function folder(files: Readonly<Record<string, Uint8Array>>) {
  const opened: TestSource[] = []
  const open = (name: string): Promise<ByteSource> => {
    const bytes = Object.hasOwn(files, name) ? files[name] : undefined
    if (bytes === undefined) return Promise.reject(new KilnError('EOF', `no file ${name}`))
    opened.push(source(bytes, name))
    return Promise.resolve(opened.at(-1)!)
  }
  return { opened, open }
}

const manifest = (weights: readonly object[], paths: readonly string[] = ['w.bin']) => [{ paths, weights }]
const open = (json: unknown, files: Readonly<Record<string, Uint8Array>>) =>
  openTfjs(memorySource(utf8(typeof json === 'string' ? json : JSON.stringify(json))), folder(files))

test.each([
  ['float32', 'f32', 4], ['int32', 'i32', 4], ['bool', 'bool', 1], ['complex64', 'c64', 8], ['uint8', 'u8', 1], ['float16', 'f16', 2], ['uint16', 'u16', 2],
] as const)('a weight of %s is %s', async (name, dtype, width) => {
  const model = await open({ weightsManifest: manifest([{ name: 'w', dtype: name, shape: [2, 3] }]) }, { 'w.bin': DATA.subarray(0, 6 * width) })
  expect(await contents(model)).toEqual([['w', dtype, [2, 3], Buffer.from(DATA.subarray(0, 6 * width)).toString('hex')]])
  expect(model.metadata.size).toBe(0)
})

test('quantized weights stay as they are stored, and the metadata says how to read them', async () => {
  const weights = [
    { name: 'a', dtype: 'float32', shape: [3], quantization: { dtype: 'uint8', scale: 0.1, min: -1.5, original_dtype: 'float32' } },
    { name: 'b', dtype: 'float32', shape: [2], quantization: { dtype: 'uint16', scale: 1e-3, min: 0 } },
    { name: 'c', dtype: 'float32', shape: [], quantization: { dtype: 'float16' } },
    { name: 'd', dtype: 'int32', shape: [1] },
  ]
  const model = await open(manifest(weights), { 'w.bin': DATA.subarray(0, 3 + 4 + 2 + 4) })
  expect(await contents(model)).toEqual([
    ['a', 'u8', [3], '000102'], ['b', 'u16', [2], '03040506'], ['c', 'f16', [], '0708'], ['d', 'i32', [1], '090a0b0c'],
  ])
  expect([...model.metadata]).toEqual([
    ['tfjs.quantization.a', '{"dtype":"uint8","scale":0.1,"min":-1.5,"original_dtype":"float32"}'],
    ['tfjs.quantization.b', '{"original_dtype":"float32","dtype":"uint16","scale":0.001,"min":0}'],
    ['tfjs.quantization.c', '{"original_dtype":"float32","dtype":"float16"}'],
  ])
})

test('scale and minimum are kept in the digits in which they stand', async () => {
  const text = '[{"paths":["w.bin"],"weights":[{"name":"a","dtype":"float32","shape":[1],"quantization":{ "dtype":"uint8", "scale":1.50E-2,"min":-0.0 }}]}]'
  const model = await open(text, { 'w.bin': hex('01') })
  expect(model.metadata.get('tfjs.quantization.a')).toBe('{"original_dtype":"float32","dtype":"uint8", "scale":1.50E-2,"min":-0.0 }')
})

test('a group’s files are read as one, and weights may lie across them', async () => {
  const files = { 'a.bin': DATA.subarray(0, 3), 'b.bin': hex(''), 'sub/c.bin': DATA.subarray(3, 10) }
  const groups = [
    { paths: ['a.bin', 'b.bin', './sub/c.bin'], weights: [{ name: 'x', dtype: 'int32', shape: [2] }, { name: 'y', dtype: 'bool', shape: [2] }] },
    { paths: ['d.bin'], weights: [{ name: 'z', dtype: 'uint8', shape: [1] }] },
  ]
  const model = await open({ weightsManifest: groups }, { ...files, 'd.bin': hex('ff') })
  expect(await contents(model)).toEqual([['x', 'i32', [2], '0001020304050607'], ['y', 'bool', [2], '0809'], ['z', 'u8', [1], 'ff']])
})

test('what a model says of itself is kept; its graph is reported as left behind', async () => {
  const json = {
    format: 'graph-model', generatedBy: '2.1', convertedBy: null, userDefinedMetadata: { signature: [1] },
    modelTopology: { node: [] }, weightsManifest: manifest([{ name: 'w', dtype: 'uint8', shape: [1], group: 'g' }]),
  }
  const model = await open(json, { 'w.bin': hex('01') })
  expect([...model.metadata]).toEqual([
    ['tfjs.format', 'graph-model'], ['tfjs.generatedBy', '2.1'], ['tfjs.userDefinedMetadata', '{"signature":[1]}'], ['tfjs.group.w', '"g"'],
  ])
  expect(model.omitted).toEqual([{ name: 'modelTopology', reason: 'part of the computation: weights are taken over, it is not' }])
})

test('weights of strings are passed over by their own lengths and reported', async () => {
  const weights = [
    { name: 's', dtype: 'string', shape: [2] }, { name: 'w', dtype: 'uint8', shape: [1] }, { name: 'deep', dtype: 'bool', shape: [1, 1, 1, 1, 1, 1, 1, 1, 1] },
  ]
  const model = await open(manifest(weights), { 'w.bin': hex('02000000 6869 00000000 07 01') })
  expect(await contents(model)).toEqual([['w', 'u8', [1], '07']])
  expect(model.omitted).toEqual([
    { name: 's', reason: "a weight of strings, and Kiln's tensors are of numbers" }, { name: 'deep', reason: 'rank 9; a Kiln tensor has at most 8 dimensions' },
  ])
})

const u8 = (shape: readonly unknown[], name = 'w') => ({ name, dtype: 'uint8', shape })

test.each<[string, unknown, Readonly<Record<string, Uint8Array>>, string, string]>([
  ['a missing file', manifest([u8([1])], ['w.bin', 'x.bin']), { 'w.bin': hex('01') }, 'EOF', 'not in the folder: "x.bin"'],
  ['a short file', manifest([u8([2])]), { 'w.bin': hex('01') }, 'EOF', 'weight "w": uint8 of shape [2] from byte 0 of "w.bin", which has 1 bytes'],
  ['bytes over', manifest([u8([1])]), { 'w.bin': hex('0102') }, 'TRAILING', '1 bytes follow the last weight'],
  ['two weights of one name', manifest([u8([1]), u8([0])]), { 'w.bin': hex('01') }, 'TYPE', 'two weights are named "w"'],
  ['an unknown dtype', manifest([{ name: 'w', dtype: 'int4', shape: [1] }]), { 'w.bin': hex('01') }, 'TYPE', 'dtype "int4" is not known'],
  ['an unknown quantization', manifest([{ ...u8([1]), quantization: { dtype: 'int8' } }]), { 'w.bin': hex('01') }, 'TYPE', 'not "int8"'],
  ['a quantization without scale', manifest([{ ...u8([1]), quantization: { dtype: 'uint8', min: 0 } }]), { 'w.bin': hex('01') }, 'TYPE', 'needs scale and min'],
  ['a scale that is text', manifest([{ ...u8([1]), quantization: { dtype: 'uint8', min: 0, scale: '1' } }]), { 'w.bin': hex('01') }, 'TYPE', 'scale must be a number'],
  ['a dimension of 2^53', manifest([u8([2 ** 53])]), { 'w.bin': hex('01') }, 'EOF', 'shape [9007199254740992]'],
  ['a dimension of 2^53 in an empty weight', '[{"paths":["w.bin"],"weights":[{"name":"w","dtype":"uint8","shape":[9007199254740993,0]}]}]', { 'w.bin': hex('') }, 'TYPE', 'a dimension of 9007199254740993'],
  ['a negative dimension', manifest([u8([-1])]), { 'w.bin': hex('01') }, 'TYPE', 'whole number'],
  ['strings past the end', manifest([{ name: 's', dtype: 'string', shape: [2] }]), { 'w.bin': hex('02000000 6869 01000000') }, 'EOF', 'string 1 of 1 bytes is past the end'],
  ['more strings than bytes', manifest([{ name: 's', dtype: 'string', shape: [2 ** 40] }]), { 'w.bin': hex('00000000') }, 'EOF', 'strings of shape'],
  ['no manifest', { format: 'x', modelTopology: {} }, {}, 'TYPE', 'no weightsManifest'],
  ['a weight without a name', manifest([{ dtype: 'uint8', shape: [] }]), {}, 'TYPE', 'has no name'],
  ['a group without paths', { weightsManifest: [{ weights: [] }] }, {}, 'TYPE', 'has no paths'],
  ['a key that stands twice', '{"weightsManifest":[],"weightsManifest":[]}', {}, 'TYPE', 'stands twice'],
])('%s is refused', async (_, json, files, code, words) => {
  const fault = await faultOf(open(json, files))
  expect(fault.detail).toContain(words)
  expect(fault.code).toBe(code)
})

test.each(['../w.bin', '/w.bin', 'C:w.bin', 'a\\w.bin', '', '.', 'a/../w.bin', 'https://example.org/w.bin'])('weights in %j are refused, and nothing is opened', async (path) => {
  const files = folder({ [path]: hex('01') })
  const fault = await faultOf(openTfjs(memorySource(utf8(JSON.stringify(manifest([u8([1])], [path])))), files))
  expect(fault.code).toBe('TYPE')
  expect(files.opened).toEqual([])
})

test('a shape of very many dimensions is judged in time that grows with its length', async () => {
  const dims = (dimension: string) => `[{"paths":["w.bin"],"weights":[{"name":"w","dtype":"uint8","shape":[${`${dimension},`.repeat(500_000)}1]}]}]`
  expect(await codeOf(open(dims('9007199254740991'), { 'w.bin': hex('01') }))).toBe('EOF')
  expect((await open(dims('1'), { 'w.bin': hex('01') })).omitted[0]?.reason).toBe('rank 500001; a Kiln tensor has at most 8 dimensions')
})

test('what was opened is closed: with the model, and at once if it is refused', async () => {
  const good = folder({ 'w.bin': hex('01') })
  const json = memorySource(utf8(JSON.stringify(manifest([u8([1])]))))
  const model = await openTfjs(json, good)
  expect(good.opened[0]?.closed).toBe(0)
  await model.close()
  expect(good.opened[0]?.closed).toBe(1)
  const bad = folder({ 'w.bin': hex('') })
  expect(await codeOf(openTfjs(json, bad))).toBe('EOF')
  expect(bad.opened[0]?.closed).toBe(1)
})

test('caps hold, and other files are called by their names', async () => {
  const json = utf8(JSON.stringify(manifest([u8([1])], ['w.bin', 'x.bin'])))
  const files = folderOf([])
  expect(await codeOf(openTfjs(memorySource(json), files, { limits: { json: 10 } }))).toBe('LIMIT')
  expect(await codeOf(openTfjs(memorySource(json), files, { limits: { files: 1 } }))).toBe('LIMIT')
  const fault = await faultOf(openTfjs(memorySource(utf8('<!doctype html>')), files))
  expect([fault.code, fault.detail]).toEqual(['FRAME', expect.stringContaining('this is an HTML page')])
})

test('a large weight over many files comes in pieces', async () => {
  const part = new Uint8Array(1_300_000).map((_, i) => i % 253)
  const names = ['a', 'b', 'c']
  const groups = manifest([u8([3 * part.length])], names)
  const model = await open({ weightsManifest: groups }, Object.fromEntries(names.map((name) => [name, part])))
  expect(Buffer.compare(await payload(model.tensors[0]!), Buffer.concat([part, part, part]))).toBe(0)
})

test('of two values under one key the first is kept, a quantization before all, and the other reported', async () => {
  const weights = [
    { name: 'b.c', dtype: 'uint8', shape: [1], a: 1 },
    { name: 'c', dtype: 'uint8', shape: [1], 'a.b': 2, group: 'g' },
    { name: 'q', dtype: 'float32', shape: [1], quantization: { dtype: 'uint8', scale: 1, min: 0, original_dtype: 'float32' } },
  ]
  const model = await open({ 'quantization.q': 'fact', 'group.c': 'fact', weightsManifest: manifest(weights) }, { 'w.bin': hex('010203') })
  expect([...model.metadata]).toEqual([
    ['tfjs.quantization.q', '{"dtype":"uint8","scale":1,"min":0,"original_dtype":"float32"}'], ['tfjs.group.c', 'fact'], ['tfjs.a.b.c', '1'],
  ])
  expect(model.omitted).toEqual([
    { name: 'tfjs.quantization.q', reason: 'a further value of this key, "fact"' },
    { name: 'tfjs.a.b.c', reason: 'a further value of this key, "2"' },
    { name: 'tfjs.group.c', reason: 'a further value of this key, "\\"g\\""' },
  ])
})

test.each([
  ['in an object inside', '{"dtype":"uint8","scale":1,"min":0,"x":{"original_dtype":"int32"}}', '{"original_dtype":"float32","dtype":"uint8","scale":1,"min":0,"x":{"original_dtype":"int32"}}'],
  ['in a text', '{"dtype":"uint8","scale":1,"min":0,"x":["original_dtype",":"]}', '{"original_dtype":"float32","dtype":"uint8","scale":1,"min":0,"x":["original_dtype",":"]}'],
  ['with an escape', '{"dtype":"uint8","scale":1,"min":0,"original\\u005fdtype":"int32"}', '{"dtype":"uint8","scale":1,"min":0,"original\\u005fdtype":"int32"}'],
])('the original dtype counts as given where it is a key of its own: %s', async (_, quantization, expected) => {
  const text = `[{"paths":["w.bin"],"weights":[{"name":"a","dtype":"float32","shape":[1],"quantization":${quantization}}]}]`
  const model = await open(text, { 'w.bin': hex('01') })
  expect([...model.metadata]).toEqual([['tfjs.quantization.a', expected]])
})

test('a byte order mark may stand before the JSON', async () => {
  const model = await open(`\ufeff${JSON.stringify(manifest([{ name: 'w', dtype: 'uint8', shape: [1] }]))}`, { 'w.bin': hex('01') })
  expect(await contents(model)).toEqual([['w', 'u8', [1], '01']])
  expect(await codeOf(open('\ufeff\ufeff[]', {}))).toBe('FRAME')
})
