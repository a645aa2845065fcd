import {
  bytesSource,
  decodeFrame,
  encodeDirectory,
  encodeFrame,
  k,
  modelSchema,
  open,
  openDirectory,
  readDirectory,
  tensor,
  type ByteSource,
  type TensorInput,
} from 'kiln-format'
import { expect, test } from 'vitest'
import { fault, faultOf } from '../support/fault.js'
import { askew, counted } from '../support/sources.js'

const numbers = (length: number, seed = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 37 + seed) % 256)

const inputs: readonly TensorInput[] = [
  tensor('w', 'e2m1', [4, 32], numbers(64), {
    scale: 'w.scale',
    outer: 'w.outer',
    axis: 1,
    groupSize: 32,
    checksum: true,
  }),
  tensor('w.scale', 'e8m0', [4, 1], numbers(4, 1)),
  tensor('w.outer', 'f32', [], new Float32Array([0.25])),
  tensor('', 'u8', [3], numbers(3, 2)),
  tensor('none', 'f64', [0, 5], new Float64Array(0)),
  tensor(
    'f',
    'f64',
    [10, 3],
    new Float64Array(30).map((_, i) => i + 0.5),
  ),
  tensor('wide', 'u64', [2], new BigUint64Array([1n, 2n ** 63n])),
]
const metadata = new Map([
  ['author', 'nobody'],
  ['__proto__', 'x'],
  ['', 'empty'],
])
const block = encodeDirectory(inputs)
const frame = encodeFrame(modelSchema, { tensors: inputs, metadata }, { schema: true, checksum: true })

test('a model file opens with its metadata, its tensors and no payload', async () => {
  const source = counted(frame)
  const model = await open(source)
  expect([...model.metadata]).toEqual([...metadata])
  expect(model.fields).toEqual({ metadata })
  expect(model.schema?.text).toBe(modelSchema.text)
  expect(model.names).toEqual(inputs.map(({ name }) => name))
  expect(model.length).toBe(inputs.length)
  expect(model.offset).toBe(128)
  const read = readDirectory(block)
  for (const [i, t] of [...model].entries()) {
    const same = read.at(i)
    expect([
      t.index,
      t.name,
      t.dtype,
      t.shape,
      t.elements,
      t.byteLength,
      t.byteOffset,
      t.scheme,
      t.axis,
      t.groupSize,
      t.checksum,
    ]).toEqual([
      i,
      same.name,
      same.dtype,
      same.shape,
      same.elements,
      same.byteLength,
      same.byteOffset,
      same.scheme,
      same.axis,
      same.groupSize,
      same.checksum,
    ])
    expect(t.scale?.name).toBe(same.scale?.name)
    expect(t.outer?.name).toBe(same.outer?.name)
  }
  expect(model.get('w').scale).toBe(model.at(1))
  expect(model.has('w')).toBe(true)
  expect(model.has('v')).toBe(false)
  expect(fault(() => model.get('v'))).toMatchObject({ code: 'TYPE' })
  expect(fault(() => model.at(7))).toMatchObject({ code: 'TYPE' })
})

test('a large table takes two reads for a directory and three for a model', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => tensor(`layers.${i}.weight`, 'f32', [100], new Float32Array(100)))
  const directory = counted(encodeDirectory(many))
  const opened = await openDirectory(directory)
  expect(directory.reads.length).toBe(2)
  expect(directory.total).toBe(opened.payloadBase)
  const model = counted(encodeFrame(modelSchema, { tensors: many, metadata }, { schema: true }))
  const lazy = await open(model)
  expect(model.reads.length).toBe(3)
  expect(model.total).toBeLessThan(lazy.payloadBase + 4096)
})

test('a bare directory opens in the same way, without metadata', async () => {
  const model = await open(block)
  expect(model.schema).toBe(undefined)
  expect(model.metadata.size).toBe(0)
  expect((await model.load('f')).copy('f64')).toEqual(inputs[5]!.data)
})

test('open takes bytes, Blobs, sources and promises of these, and nothing else', async () => {
  for (const given of [
    frame,
    frame.buffer,
    new Blob([frame]),
    bytesSource(frame),
    Promise.resolve(bytesSource(frame)),
    askew(frame),
  ]) {
    expect((await open(given)).metadata.get('author')).toBe('nobody')
  }
  for (const given of ['model.kiln', 5, null, {}] as unknown as ByteSource[]) {
    expect(await faultOf(open(given))).toMatchObject({ code: 'TYPE' })
  }
  expect((await faultOf(open('model.kiln' as never))).detail).toContain('openFile')
})

test('a loaded tensor has its payload, wherever the source has it', async () => {
  for (const source of [bytesSource(frame), askew(frame), askew(frame, 1), new Blob([frame])]) {
    const model = await open(source)
    const f = await model.load('f')
    expect(f.borrow('f64')).toEqual(inputs[5]!.data)
    expect([f.name, f.dtype, f.shape, f.index, f.byteOffset]).toEqual([
      'f',
      'f64',
      [10, 3],
      5,
      model.get('f').byteOffset,
    ])
    expect((await model.load('wide')).borrow('u64')).toEqual(inputs[6]!.data)
    expect((await model.load(3)).bytes).toEqual(numbers(3, 2))
    expect((await model.load('none')).bytes.length).toBe(0)
    expect((await model.get('w').load()).copy()).toEqual(numbers(64))
  }
})

test('links come along when they are asked for', async () => {
  const model = await open(frame)
  const alone = await model.load('w')
  expect(fault(() => alone.scale)).toMatchObject({
    code: 'TYPE',
    detail: 'the linked tensor 1 was not loaded; load with { links: true }',
  })
  const w = await model.load('w', { links: true })
  expect(w.scale?.bytes).toEqual(numbers(4, 1))
  expect(w.outer?.copy('f32')).toEqual(new Float32Array([0.25]))
  expect((await model.load('f', { links: true })).scale).toBe(undefined)
})

test("a payload loads into the caller's memory", async () => {
  const model = await open(askew(frame))
  const target = new Float64Array(32).fill(-1)
  expect(await model.load('f', target)).toBe(30)
  expect([...target.subarray(0, 30)]).toEqual([...(inputs[5]!.data as Float64Array)])
  expect([...target.subarray(30)]).toEqual([-1, -1])
  expect(await faultOf(model.load('f', new Float64Array(29)))).toMatchObject({ code: 'TYPE', path: 'f' })
  expect(await faultOf(model.load('f', new Float32Array(100)))).toMatchObject({ code: 'TYPE', path: 'f' })
})

test('chunks are pieces of a payload, at most 1 MiB', async () => {
  const payload = numbers(2 ** 20 * 2 + 5)
  const model = await open(
    encodeDirectory([tensor('t', 'u8', [payload.length], payload), tensor('e', 'u8', [0], new Uint8Array(0))]),
  )
  const lengths: number[] = []
  let at = 0
  for await (const piece of model.chunks('t')) {
    lengths.push(piece.length)
    expect(Buffer.compare(piece, payload.subarray(at, at + piece.length))).toBe(0)
    at += piece.length
  }
  expect(lengths).toEqual([2 ** 20, 2 ** 20, 5])
  for await (const piece of model.get('e').chunks()) expect(piece).toBe('nothing')
})

test('a source whose reads are dear is gone through in steps of its own', async () => {
  const payload = numbers(2 ** 20 * 3)
  const source = { ...bytesSource(encodeDirectory([tensor('t', 'u8', [payload.length], payload)])), readSize: 2 ** 21 }
  const watched = counted(source)
  const model = await open(watched)
  watched.reads.length = 0
  const lengths: number[] = []
  for await (const piece of model.chunks('t')) lengths.push(piece.length)
  expect(lengths).toEqual([2 ** 20, 2 ** 20, 2 ** 20])
  expect(watched.reads.map(({ length }) => length)).toEqual([2 ** 21, 2 ** 20])
})

test('checksums are compared when that is asked for', async () => {
  const damaged = frame.slice()
  const { offset } = await open(frame)
  const w = (await open(frame)).get('w')
  damaged[offset + w.byteOffset + 5]! ^= 1
  const expected = { code: 'CHECKSUM', path: 'w', offset: offset + w.byteOffset }
  expect((await (await open(damaged)).load('w')).byteLength).toBe(64)
  expect(await faultOf((await open(damaged, { verify: true })).load('w'))).toMatchObject(expected)
  expect(await faultOf((await open(damaged)).load('w', { verify: true }))).toMatchObject(expected)
  expect(await faultOf((await open(damaged)).load('w', new Uint8Array(64), { verify: true }))).toMatchObject(expected)
  expect((await (await open(damaged, { verify: true })).load('w', { verify: false })).byteLength).toBe(64)
  const all = (await open(damaged)).loadAll(['w.scale', 'w'], { verify: true })
  expect((await all.next()).value?.name).toBe('w.scale')
  expect(await faultOf(all.next())).toMatchObject(expected)
})

test('other frames that begin with tensors open too; those that do not are SCHEMA', async () => {
  const Request = k.struct({ prompt: k.tensors, id: k.i64, tags: k.list(k.string) })
  const value = { prompt: inputs, id: 7, tags: ['a', 'b'] }
  for (const schema of [true, false]) {
    const model = await open(encodeFrame(Request, value, { schema }), { schemas: Request })
    expect(model.fields).toEqual({ id: 7n, tags: ['a', 'b'] })
    expect(model.metadata.size).toBe(0)
    expect((await model.load('f')).copy()).toEqual(inputs[5]!.data)
  }
  const numbersToo = await open(encodeFrame(Request, value, { schema: true }), { int64: 'number' })
  expect(numbersToo.fields['id']).toBe(7)
  const alone = await open(encodeFrame(k.tensors, inputs, { schema: true }))
  expect([alone.length, alone.fields]).toEqual([inputs.length, {}])
  expect(
    await faultOf(open(encodeFrame(k.struct({ id: k.i64, t: k.tensors }), { id: 1, t: [] }, { schema: true }))),
  ).toMatchObject({ code: 'SCHEMA' })
  expect(await faultOf(open(encodeFrame(Request, value)))).toMatchObject({ code: 'SCHEMA' })
  expect(await faultOf(open(encodeFrame(Request, value), { schemas: modelSchema }))).toMatchObject({ code: 'FRAME' })
})

test('fields behind the tensors are capped', async () => {
  const big = encodeFrame(modelSchema, { tensors: inputs, metadata: { x: 'y'.repeat(1000) } }, { schema: true })
  expect(await faultOf(open(big, { fieldsLimit: 999 }))).toMatchObject({ code: 'LIMIT' })
  expect(await faultOf(open(big, { limits: { string: 999 } }))).toMatchObject({ code: 'LIMIT', path: 'metadata["x"]' })
  expect((await open(big, { fieldsLimit: 2000 })).metadata.get('x')).toHaveLength(1000)
})

test('every damaged or cut file is refused with the code, path and place of a read in memory', async () => {
  // The body's checksum is not compared at opening, so without it.
  const whole = encodeFrame(modelSchema, { tensors: inputs, metadata }, { schema: true })
  const table = 128 + readDirectory(block).payloadBase
  let refused = 0
  for (let i = 0; i < table; i += 2) {
    for (const bit of [i % 4 === 0 ? 1 : 128]) {
      const damaged = whole.slice()
      damaged[i]! ^= bit
      let expected: object | undefined
      try {
        decodeFrame(damaged)
      } catch (error) {
        const { code, offset } = error as { code: string; offset: number }
        expected = { code, offset }
      }
      const lazily = open(damaged)
      if (expected === undefined) await lazily
      else {
        refused++
        expect(await faultOf(lazily)).toMatchObject(expected)
      }
    }
  }
  expect(refused).toBeGreaterThan(300)
  for (let length = 0; length < whole.length; length += 7) {
    expect(await faultOf(open(whole.subarray(0, length)))).toMatchObject({ code: 'EOF' })
  }
  for (let length = 0; length < block.length; length += 7) {
    expect(await faultOf(openDirectory(block.subarray(0, length)))).toMatchObject({ code: 'EOF' })
  }
})

test('bytes behind a file are TRAILING', async () => {
  const more = (bytes: Uint8Array): Uint8Array => Uint8Array.of(...bytes, 0)
  expect(await faultOf(open(more(frame)))).toMatchObject({ code: 'TRAILING', offset: frame.length })
  expect(await faultOf(open(more(block)))).toMatchObject({ code: 'TRAILING', offset: block.length })
  expect(await faultOf(openDirectory(more(block)))).toMatchObject({ code: 'TRAILING', offset: block.length })
})

test('what is no Kiln file is told apart', async () => {
  expect(await faultOf(open(Uint8Array.of(75, 73, 76)))).toMatchObject({ code: 'EOF', offset: 0 })
  expect(await faultOf(open(new TextEncoder().encode('GGUF and more')))).toMatchObject({ code: 'FRAME', offset: 0 })
  expect(await faultOf(openDirectory(frame))).toMatchObject({ code: 'FRAME', offset: 0 })
})

test("the source is closed with the model, and when it can't be opened", async () => {
  const good = counted(frame)
  {
    await using model = await open(good)
    expect(model.length).toBe(7)
  }
  expect(good.closed).toBe(1)
  const bad = counted(frame.subarray(0, 500))
  await faultOf(open(bad))
  expect(bad.closed).toBe(1)
  const kept = counted(frame)
  await (await open(kept, { keepOpen: true })).close()
  expect(kept.closed).toBe(0)
  const keptBad = counted(frame.subarray(0, 500))
  await faultOf(open(keptBad, { keepOpen: true }))
  expect(keptBad.closed).toBe(0)
})

test('an abort ends opening and loading, with its reason', async () => {
  const reason = new Error('not now')
  await expect(open(frame, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const model = await open(frame)
  await expect(model.load('f', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  await expect(model.slice('f', 0, 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  await expect(model.loadAll(['f'], { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
  await expect(model.chunks('f', { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason)
  const stuck: ByteSource = { size: frame.length, label: 'stuck', read: () => new Promise(() => undefined) }
  const controller = new AbortController()
  const opening = open(stuck, { signal: controller.signal })
  controller.abort(reason)
  await expect(opening).rejects.toBe(reason)
})

test('a source that breaks its promise is EOF', async () => {
  const short: ByteSource = {
    size: frame.length,
    label: 'short',
    read: async (offset, length) => frame.subarray(offset, offset + length - 1),
  }
  expect(await faultOf(open(short))).toMatchObject({ code: 'EOF' })
  const long: ByteSource = {
    size: frame.length,
    label: 'long',
    read: async (offset, length) => Uint8Array.of(...frame.subarray(offset, offset + length), 0),
  }
  expect(await faultOf(open(long))).toMatchObject({ code: 'EOF' })
})

test('100,000 tensors open, and their objects are made when they are asked for', async () => {
  const many = Array.from({ length: 100_000 }, (_, i) => tensor(`t${i}`, 'u8', [1], Uint8Array.of(i % 256)))
  const model = await open(encodeDirectory(many))
  expect((await model.load('t99999')).bytes).toEqual(Uint8Array.of(99_999 % 256))
  expect(model.get('t5')).toBe(model.get('t5'))
  expect(model.names).toHaveLength(100_000)
  expect(model.names).toBe(model.names)
})
