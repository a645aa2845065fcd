import { createHash } from 'node:crypto'
import { folderOf, openOnnx, openTensorProto } from 'kiln-convert'
import { KilnError, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { hex } from '../support/bytes.js'
import { faultOf } from '../support/fault.js'
import { memorySource } from '../support/memory.js'
import { contents } from '../support/model.js'
import { external, field, initializer, modelProto, tensorProto } from '../support/protobuf.js'
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

const one = (entries: Readonly<Record<string, string>>, dims: readonly number[] = [4], ...rest: Uint8Array[]): Uint8Array =>
  modelProto(initializer(tensorProto(dims, 2, 'w', external(entries), ...rest)))

test.each([
  ['offset and length', { location: 'w.bin', offset: '8', length: '4' }, '08090a0b'],
  ['no offset', { location: 'w.bin', length: '4' }, '00010203'],
  ['no length', { location: 'w.bin', offset: '60' }, '3c3d3e3f'],
  ['a path with ./', { location: './w.bin' }, '00010203'],
  ['a file in a folder below', { location: 'data/w.bin', offset: '1' }, '01020304'],
  ['keys that are not known', { location: 'w.bin', 'basepath': '/', other: 'x' }, '00010203'],
])('external data with %s', async (_, entries, bytes) => {
  const model = await openOnnx(memorySource(one(entries)), folder({ 'w.bin': DATA, 'data/w.bin': DATA }))
  expect(await contents(model)).toEqual([['w', 'u8', [4], bytes]])
})

test('a single tensor may have external data too', async () => {
  const bytes = tensorProto([2], 5, 'w', external({ location: 'w.bin', offset: '2' }))
  expect(await contents(await openTensorProto(memorySource(bytes), folder({ 'w.bin': DATA })))).toEqual([['w', 'i16', [2], '02030405']])
})

test('each file is opened once, and closed with the model', async () => {
  const files = folder({ 'w.bin': DATA, 'v.bin': DATA })
  const tensor = (name: string, location: string) => initializer(tensorProto([4], 2, name, external({ location })))
  const model = await openOnnx(memorySource(modelProto(tensor('a', 'w.bin'), tensor('b', 'v.bin'), tensor('c', 'w.bin'))), files)
  expect(files.opened.map(({ label }) => label)).toEqual(['w.bin', 'v.bin'])
  await model.close()
  await model.close()
  expect(files.opened.map(({ closed }) => closed)).toEqual([1, 1])
})

test.each([
  '../secret.bin', '../../../../../../../etc/passwd', '/etc/passwd', 'C:\\secret', 'C:secret', '..\\secret', 'a/../../b', 'a/../b', '', '.', './', 'w.bin\0.txt',
  '\\\\server\\share\\x', 'nul', 'w.bin:x',
])('external data in %j is refused, and nothing is opened', async (location) => {
  const good = initializer(tensorProto([4], 2, 'good', external({ location: 'w.bin' })))
  const bad = initializer(tensorProto([4], 2, 'w', external({ location })))
  const files = folder({ 'w.bin': DATA, [location]: DATA })
  const fault = await faultOf(openOnnx(memorySource(modelProto(good, bad)), files))
  expect(fault.code).toBe('TYPE')
  expect(fault.detail).toContain('initializer "w": external data in')
  expect(files.opened).toEqual([])
})

const away = external({ location: '../x' })
const badTensor = tensorProto([4], 2, 'w', away)

test.each([
  ['an attribute', modelProto(field(1, field(5, field(1, 'value'), field(5, badTensor))))],
  ['a list of tensors in an attribute', modelProto(field(1, field(5, field(1, 'value'), field(10, badTensor))))],
  ['a sparse tensor in an attribute', modelProto(field(1, field(5, field(22, field(1, badTensor)))))],
  ['the values of a sparse initializer', modelProto(field(15, field(1, badTensor)))],
  ['the indices of a sparse initializer', modelProto(field(15, field(1, tensorProto([1], 2, 's', field(9, hex('01')))), field(2, badTensor)))],
  ['a graph in an attribute', modelProto(field(1, field(5, field(6, initializer(badTensor)))))],
  ['a tensor of strings', modelProto(initializer(tensorProto([4], 8, 'w', away)))],
  ['a tensor whose data is not said to be external', modelProto(initializer(tensorProto([1], 2, 'w', away.subarray(0, -2), field(9, hex('01')))))],
])('a name that leads out is refused in %s too', async (_, bytes) => {
  const fault = await faultOf(openOnnx(memorySource(bytes), folder({})))
  expect([fault.code, fault.detail]).toEqual(['TYPE', expect.stringContaining('"../x" is not opened')])
})

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  ['a missing file', { location: 'none.bin' }, 'EOF', 'initializer "w" is in the file "none.bin": no file none.bin'],
  ['a range past the end', { location: 'w.bin', offset: '61' }, 'EOF', 'initializer "w": bytes 61 to 65 of "w.bin", which has 64'],
  ['an offset past 2^53', { location: 'w.bin', offset: '9007199254740992' }, 'TYPE', 'the offset of its external data must be a number'],
  ['a negative offset', { location: 'w.bin', offset: '-1' }, 'TYPE', 'the offset of its external data must be a number'],
  ['an offset in hex', { location: 'w.bin', offset: '0x1' }, 'TYPE', 'the offset of its external data must be a number'],
  ['an empty length', { location: 'w.bin', length: '' }, 'TYPE', 'the length of its external data must be a number'],
  ['a length that the dims do not need', { location: 'w.bin', length: '5' }, 'TYPE', '5 bytes of external data, its data type and dims need 4'],
  ['no location', { offset: '1' }, 'TYPE', 'its external data has no location'],
])('%s is %s', async (_, entries, code, words) => {
  const files = folder({ 'w.bin': DATA })
  const fault = await faultOf(openOnnx(memorySource(one(entries)), files))
  expect(fault.detail).toContain(words)
  expect(fault.code).toBe(code)
  expect(files.opened.every(({ closed }) => closed === 1)).toBe(true)
})

test('external data and bytes in the model too are refused, and a key that stands twice', async () => {
  const both = await faultOf(openOnnx(memorySource(one({ location: 'w.bin' }, [4], field(9, hex('01020304')))), folder({ 'w.bin': DATA })))
  expect([both.code, both.detail]).toEqual(['TYPE', 'initializer "w": external data, and raw_data too; which holds is open'])
  const twice = await faultOf(openOnnx(memorySource(one({ location: 'w.bin' }, [4], external({ location: 'v.bin' }))), folder({ 'w.bin': DATA })))
  expect(twice.code).toBe('TYPE')
})

test('without a folder the error says that it is needed', async () => {
  const fault = await faultOf(openOnnx(memorySource(one({ location: 'w.bin' }))))
  expect([fault.code, fault.detail]).toEqual(['EOF', 'initializer "w" is in the file "w.bin" beside the model; give the model\'s folder'])
})

test('checksums are compared where that is asked for', async () => {
  const sha1 = createHash('sha1').update(DATA).digest('hex')
  const files = { 'w.bin': DATA }
  const right = one({ location: 'w.bin', checksum: sha1.toUpperCase() })
  expect((await openOnnx(memorySource(right), folder(files), { checksums: true })).tensors).toHaveLength(1)
  const wrong = one({ location: 'w.bin', checksum: '0'.repeat(40) })
  expect((await openOnnx(memorySource(wrong), folder(files))).tensors).toHaveLength(1)
  const opened = folder(files)
  const fault = await faultOf(openOnnx(memorySource(wrong), opened, { checksums: true }))
  expect([fault.code, fault.detail]).toEqual(['CHECKSUM', `initializer "w": the SHA-1 of "w.bin" is ${sha1}, the model says "${'0'.repeat(40)}"`])
  expect(opened.opened[0]?.closed).toBe(1)
})

test('a folder in memory keeps names inside as well', async () => {
  const model = await openOnnx(memorySource(one({ location: './w.bin' })), folderOf([['w.bin', memorySource(DATA)]]))
  expect((await contents(model))[0]?.[3]).toBe('00010203')
})

test('a checksum is compared for every tensor that gives one, and the file read once for all', async () => {
  const sha1 = createHash('sha1').update(DATA).digest('hex')
  const tensor = (name: string, checksum?: string) =>
    initializer(tensorProto([4], 2, name, external({ location: 'w.bin', ...(checksum !== undefined && { checksum }) })))
  const open = async (...tensors: Uint8Array[]) => {
    const files = folder({ 'w.bin': DATA })
    const model = await openOnnx(memorySource(modelProto(...tensors)), files, { checksums: true })
    return [model.tensors.length, files.opened[0]!.ranges]
  }
  expect(await open(tensor('a', sha1), tensor('b'), tensor('c', sha1))).toEqual([3, [[0, 64]]])
  for (const first of [tensor('a'), tensor('a', sha1)]) {
    const fault = await faultOf(open(first, tensor('b', '0'.repeat(40))))
    expect([fault.code, fault.detail]).toEqual(['CHECKSUM', `initializer "b": the SHA-1 of "w.bin" is ${sha1}, the model says "${'0'.repeat(40)}"`])
  }
})
