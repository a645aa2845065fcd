import { folderOf, openForeign, openForeignFolder, sniffSource } from 'kiln-convert'
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { concat, hex, utf8 } from '../support/bytes.js'
import { codeOf, faultOf } from '../support/fault.js'
import { hasFixtures } from '../support/fixtures.js'
import { memorySource } from '../support/memory.js'
import { contents } from '../support/model.js'
import { safetensors } from '../support/safetensors.js'
import { shared } from '../support/shared.js'

const one = safetensors({ w: { dtype: 'U8', shape: [1], data_offsets: [0, 1] } }, hex('07'))
const npy = concat(hex('934e554d50590100'), hex('7600'), utf8("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }".padEnd(117)), hex('0a07'))

function fixtureFolder(path: string) {
  const names = readdirSync(`${shared}/fixtures/${path}`).filter((name) => !/\.(expect|meta)\.json$/.test(name))
  return folderOf(names.map((name) => [name, memorySource(new Uint8Array(readFileSync(`${shared}/fixtures/${path}/${name}`)), name)]))
}

test('the content decides, whatever the name says', async () => {
  expect((await openForeign(memorySource(one), { name: 'x.gguf' })).format).toBe('safetensors')
  expect((await openForeign(memorySource(npy), { name: 'x.safetensors' })).format).toBe('npy')
  expect((await openForeign(memorySource(one))).format).toBe('safetensors')
})

test.each<[string, Uint8Array, string]>([
  ['a pickle', hex('80027d71002e'), 'a pickle can run code and is not read'],
  ['a checkpoint', concat(hex('504b0304'), new Uint8Array(22), hex('1000 0000'), utf8('archive/data.pkl')), 'convert it to safetensors where it came from'],
  ['HDF5', hex('894844460d0a1a0a'), 'convert it to safetensors or NPZ first'],
  ['TensorFlow Lite', utf8('\x1c\0\0\0TFL3'), 'convert it to ONNX or safetensors first'],
  ['gzip', hex('1f8b0800'), 'this is a gzip file; unpack it first'],
  ['zstd', hex('28b52ffd'), 'unpack it first'],
  ['a tar archive', concat(new Uint8Array(257), utf8('ustar')), 'unpack it first'],
  ['GGML', hex('6c6d6767'), 'convert it to GGUF'],
  ['a pointer', utf8('version https://git-lfs.github.com/spec/v1\n'), 'run `git lfs pull`'],
  ['JSON', utf8('{"a":1}'), 'this is a JSON text'],
  ['a Kiln directory', utf8('KILT\x02'), 'this is a Kiln directory; open it as Kiln'],
  ['a Kiln frame', utf8('KILF\x01'), 'this is a Kiln frame; open it as Kiln'],
  ['what is not known', hex('0000'), 'check that it is the right file, and whole'],
])('%s is FRAME, and what to do is said', async (_, bytes, words) => {
  const fault = await faultOf(openForeign(memorySource(bytes)))
  expect([fault.code, fault.detail]).toEqual(['FRAME', expect.stringContaining(words)])
})

test('nothing is EOF', async () => {
  expect(await faultOf(openForeign(memorySource(hex(''))))).toEqual({ code: 'EOF', detail: 'this is an empty file; fetch it again', offset: 0 })
})

test('a file whose content tells nothing is judged as what its name says', async () => {
  const bytes = hex('ffffffffffffffff00')
  expect(await codeOf(openForeign(memorySource(bytes), { name: 'm.safetensors' }))).toBe('LIMIT')
  expect(await codeOf(openForeign(memorySource(bytes, 'https://h/a/m.SAFETENSORS?x=1#y')))).toBe('LIMIT')
  expect((await faultOf(openForeign(memorySource(bytes), { name: 'm.npy' }))).detail).toContain('NPY')
  expect(await codeOf(openForeign(memorySource(bytes), { name: 'm.__proto__' }))).toBe('FRAME')
})

test('one file of a set is refused without its folder, unless it is meant', async () => {
  const name = 'm-00001-of-00002.safetensors'
  const fault = await faultOf(openForeign(memorySource(one), { name }))
  expect([fault.code, fault.detail]).toEqual(['TYPE', `"${name}" is one of the 2 files of a set: give its folder, or open it with the option alone`])
  expect((await openForeign(memorySource(one), { name, alone: true })).tensors).toHaveLength(1)
  expect(await codeOf(openForeign(memorySource(one), { name, folder: folderOf([[name, memorySource(one)]]) }))).toBe('EOF')
})

test.each(['{"metadata":{},"weight_map":{}}', '{"weightsManifest":[]}'])('%s is refused without a folder', async (text) => {
  const fault = await faultOf(openForeign(memorySource(utf8(text))))
  expect([fault.code, fault.detail]).toEqual(['EOF', expect.stringContaining('give its folder too')])
})

test('caps go to the format’s own reader, and the signal too', async () => {
  expect(await codeOf(openForeign(memorySource(one), { limits: { safetensors: { header: 5 } } }))).toBe('LIMIT')
  expect((await openForeign(memorySource(one), { limits: { gguf: { head: 5 } } })).tensors).toHaveLength(1)
  const reason = new Error('enough')
  await expect(openForeign(memorySource(one), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('sniffSource reads the head alone', async () => {
  const source = memorySource(concat(one, new Uint8Array(100_000)))
  expect((await sniffSource(source)).name).toBe('safetensors')
  expect(source.reads.bytes).toBe(4096)
})

test.skipIf(!hasFixtures).each([
  ['safetensors/fluxml-sharded', 'model.safetensors.index.json', 36],
  ['safetensors/fluxml-sharded', 'model-00001-of-00006.safetensors', 36],
  ['safetensors/fluxml-sharded', 'model-00006-of-00006.safetensors', 36],
  ['gguf/docker-split', 'dummy-00001-of-00002.gguf', 10],
  ['gguf/docker-split', 'dummy-00002-of-00002.gguf', 10],
  ['gguf/quantized', 'fp4-ternary-00002-of-00002.gguf', 7],
  ['gguf/quantized', 'legacy-blocks.gguf', 8],
  ['onnx/burn-external', 'external_data.onnx', 2],
])('the set in %s opens whole by %s', async (path, name, tensors) => {
  const folder = fixtureFolder(path)
  const source = await folder.open(name)
  const model = await openForeign(source, { name, folder })
  expect((await contents(model)).length).toBe(tensors)
  expect(model.omitted.filter((omission) => omission.name !== 'graph')).toEqual([])
  await model.close()
})

test.skipIf(!hasFixtures)('a folder opens as the one model in it', async () => {
  expect((await openForeignFolder(fixtureFolder('safetensors/fluxml-sharded'))).tensors).toHaveLength(36)
  const split = await openForeignFolder(fixtureFolder('gguf/docker-split'))
  expect([split.tensors.length, split.metadata.get('some.parameter.string'), split.format]).toEqual([10, 'hello world', 'gguf'])
  await split.close()
  expect((await faultOf(openForeignFolder(fixtureFolder('gguf/quantized')))).detail).toContain('more than one model')
  expect((await openForeignFolder(fixtureFolder('onnx/silero'))).tensors).toHaveLength(69)
  expect((await openForeignFolder(folderOf([['a.npy', memorySource(npy)], ['readme.txt', memorySource(utf8('x'))]]))).format).toBe('npy')
  expect(await codeOf(openForeignFolder(folderOf([['readme.txt', memorySource(utf8('x'))]])))).toBe('EOF')
  const damaged = await faultOf(openForeignFolder(folderOf([['a.npy', memorySource(npy.subarray(0, -1))]])))
  expect([damaged.code, damaged.detail]).toEqual(['EOF', expect.stringMatching(/^in "a\.npy": /)])
})
