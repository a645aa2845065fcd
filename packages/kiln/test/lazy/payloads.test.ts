import { bytesSource, crc32, encodeDirectory, encodeFrame, framesOf, k, modelSchema, open, openDirectory, tensor, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { PayloadCache } from '../../src/lazy/cache.js'
import { faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

const MiB = 2 ** 20

test('a load into memory of the caller goes in steps of 16 MiB, and its checksum is that of all', async () => {
  const data = new Uint32Array(4 * MiB + 5)
  for (let i = 0; i < data.length; i += 1000) data[i] = i
  const source = counted(encodeDirectory([tensor('w', 'u32', [data.length], data, { checksum: true }), tensor('v', 'u32', [1], [7])]))
  const model = await open(source)
  source.reads.length = 0
  const target = new Uint32Array(data.length)
  expect(await model.load('w', target, { verify: true })).toBe(data.length)
  const { byteOffset } = model.get('w')
  expect(source.reads).toEqual([{ offset: byteOffset, length: 16 * MiB }, { offset: byteOffset + 16 * MiB, length: 20 }])
  expect(Buffer.compare(Buffer.from(target.buffer), Buffer.from(data.buffer))).toBe(0)
  // Without a checksum there is nothing to compare.
  expect(await model.load('v', new Uint32Array(1), { verify: true })).toBe(1)
})

test('a wrong checksum is told with its place, wherever the payload goes', async () => {
  const frame = encodeFrame(modelSchema, { tensors: [tensor('w', 'u8', [3], [1, 2, 3], { checksum: true })], metadata: {} }, { schema: true })
  const model = await open(frame)
  const at = model.offset + model.get('w').byteOffset
  frame[at] = 9
  const expected = { code: 'CHECKSUM', path: 'w', offset: at, detail: expect.stringContaining(`0x${crc32(Uint8Array.of(1, 2, 3)).toString(16)}`) as string }
  expect(await faultOf(model.load('w', { verify: true }))).toMatchObject(expected)
  expect(await faultOf(model.load('w', new Uint8Array(3), { verify: true }))).toMatchObject(expected)
  expect((await model.load('w')).bytes).toEqual(Uint8Array.of(9, 2, 3))
  expect(await model.load('w', new Uint8Array(3))).toBe(3)
  frame[at] = 1
  expect((await model.load('w', { verify: true })).bytes).toEqual(Uint8Array.of(1, 2, 3))
})

test('linked tensors are loaded with the same options', async () => {
  const block = encodeDirectory([
    tensor('w', 'u8', [2], [1, 2], { scale: 's', outer: 'o', axis: 0, groupSize: 2 }),
    tensor('s', 'f32', [1], [3], { checksum: true }), tensor('o', 'f32', [], [4], { checksum: true }),
  ])
  const model = await open(block)
  const w = await model.load('w', { links: true, verify: true })
  expect([w.scale?.copy(), w.outer?.copy()]).toEqual([Float32Array.of(3), Float32Array.of(4)])
  block[model.get('o').byteOffset] = 1
  expect((await model.load('w', { links: true })).outer?.bytes[0]).toBe(1)
  expect(await faultOf(model.load('w', { links: true, verify: true }))).toMatchObject({ code: 'CHECKSUM' })
  const alone = await model.load('w')
  expect(() => alone.scale).toThrow('the linked tensor 1 was not loaded')
})

test('a host that cannot hold a payload is LIMIT, with what it said', async () => {
  const inner = bytesSource(encodeDirectory([tensor('w', 'u8', [5], new Uint8Array(5))]))
  const refusal = new RangeError('Array buffer allocation failed')
  const source: ByteSource = { ...inner, read: (offset, length) => (length === 5 ? Promise.reject(refusal) : inner.read(offset, length)) }
  const model = await open(source)
  const error = await model.load('w').catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'LIMIT', path: 'w', detail: `this host can't hold 5 bytes of payload at once; read it by slice() or chunks()`, cause: refusal,
  })
})

test('a cache keeps what just fits, and drops no more than it must', () => {
  const cache = new PayloadCache(10)
  cache.set(0, new Uint8Array(10).fill(1))
  expect(cache.get(0)).toEqual(new Uint8Array(10).fill(1))
  cache.set(1, new Uint8Array(11))
  expect([cache.get(0)?.length, cache.get(1)]).toEqual([10, undefined])
  cache.set(2, new Uint8Array(4))
  cache.set(3, new Uint8Array(6))
  expect([cache.get(0), cache.get(2)?.length, cache.get(3)?.length]).toEqual([undefined, 4, 6])
  const large = new PayloadCache(4 * MiB)
  large.set(0, new Uint8Array(MiB))
  large.set(1, new Uint8Array(MiB + 1))
  expect([large.get(0)?.length, large.get(1)]).toEqual([MiB, undefined])
})

test('a source is closed with its directory unless it is to stay open, and one that cannot be closed is left', async () => {
  const frame = encodeFrame(modelSchema, { tensors: [], metadata: {} }, { schema: true })
  for (const [bytes, opening] of [[frame, open], [encodeDirectory([]), open], [encodeDirectory([]), openDirectory]] as const) {
    for (const keepOpen of [undefined, false, true]) {
      const source = counted(bytes)
      const model = await opening(source, { keepOpen })
      expect(source.closed).toBe(0)
      await model.close()
      expect(source.closed).toBe(keepOpen === true ? 0 : 1)
      const broken = counted(bytes.subarray(0, 30))
      expect((await faultOf(opening(broken, { keepOpen }))).code).toBe('EOF')
      expect(broken.closed).toBe(keepOpen === true ? 0 : 1)
    }
    const { close: _, ...endless } = bytesSource(bytes)
    await (await opening(endless)).close()
    expect((await faultOf(open({ ...endless, size: 3 }))).detail).toBe(`${endless.label} has 3 bytes; a Kiln file begins with the four bytes KILT or KILF`)
  }
})

test('metadata is that of a model file, and of no other type', async () => {
  const Other = k.struct({ tensors: k.tensors, metadata: k.dict(k.string, k.u8) })
  const model = await open(encodeFrame(Other, { tensors: [], metadata: { a: 1 } }, { schema: true }))
  expect([model.metadata, model.fields]).toEqual([new Map(), { metadata: new Map([['a', 1]]) }])
})

test('a signal is looked at before a load into memory begins, of an empty tensor too, for which nothing is read', async () => {
  const model = await open(bytesSource(encodeDirectory([tensor('w', 'u8', [3], [1, 2, 3]), tensor('e', 'u8', [0], [])])))
  const reason = new Error('enough')
  for (const name of ['w', 'e']) await expect(model.load(name, new Uint8Array(3), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  let looks = 0
  const signal = Object.assign(new EventTarget(), { aborted: false, reason, throwIfAborted: () => void looks++ })
  expect(await model.load('e', new Uint8Array(3), { signal })).toBe(0)
  expect(looks).toBe(1)
})

test('a signal is looked at before a payload out of the cache is given, and before a frame is opened', async () => {
  const frame = encodeFrame(modelSchema, { tensors: [tensor('w', 'u8', [2], [1, 2])], metadata: {} }, { schema: true })
  const reason = new Error('enough')
  const signal = AbortSignal.abort(reason)
  await using model = await open(frame, { cache: 10 })
  expect((await model.load('w')).bytes).toEqual(Uint8Array.of(1, 2))
  await expect(model.load('w', { signal })).rejects.toBe(reason)
  expect((await faultOf(model.load('w', { signal: null as never }))).code).toBe('TYPE')
  for await (const found of framesOf(frame)) {
    await expect(found.open({ signal })).rejects.toBe(reason)
    expect((await faultOf(found.open({ signal: null as never }))).code).toBe('TYPE')
    expect((await faultOf(found.open(null as never))).code).toBe('TYPE')
  }
})
