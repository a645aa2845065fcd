import { bytesSource, crc32, encodeDirectory, encodeFrame, k, tensor, verifySource, type ByteSource, type Schema, type TensorInput } from 'kiln-format'
import { expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

const one: readonly TensorInput[] = [tensor('w', 'u8', [3], [1, 2, 3], { checksum: true }), tensor('v', 'u8', [1], [4])]
const MiB = 2 ** 20

test('directories are verified wherever they stand in a value', async () => {
  const Some = k.option(k.tensors)
  const cases: readonly (readonly [Schema, unknown, number, string])[] = [
    [k.tensors, one, 1, 'w'],
    [k.struct({ batch: k.tensors }), { batch: one }, 1, 'batch.w'],
    [k.struct({ id: k.u8, a: k.struct({ x: k.u8, batch: k.tensors }) }), { id: 1, a: { x: 1, batch: one } }, 1, 'a.batch.w'],
    [k.list(k.tensors), [one, one], 2, '[1].w'],
    [k.list(k.struct({ x: k.u8, batch: k.tensors })), [{ x: 1, batch: one }, { x: 2, batch: one }], 2, '[1].batch.w'],
    [k.list(k.list(k.tensors)), [[one], [one, one]], 3, '[1][1].w'],
    [k.list(k.dict(k.u8, k.tensors)), [new Map([[1, one]]), new Map([[2, one]])], 2, '[1]["2"].w'],
    [k.list(Some), [one, undefined, one], 2, '[2].w'],
    [k.dict(k.u8, k.tensors), new Map([[1, one]]), 1, '["1"].w'],
    [k.dict(k.string, k.list(Some)), new Map([['é"', [one, undefined]]]), 1, '["é\\""][0].w'],
    [k.option(k.struct({ a: Some })), { a: one }, 1, 'a.w'],
    [k.list(k.list(k.u8)), [[1], [2]], 0, ''],
    [k.list(k.struct({ a: k.u8, b: k.string })), [{ a: 1, b: '' }], 0, ''],
    [k.dict(k.u8, k.list(k.bool)), new Map([[1, [true]]]), 0, ''],
    [k.struct({ batch: k.tensors, more: k.list(k.struct({ a: Some })) }), { batch: one, more: [{ a: one }, {}] }, 2, 'more[0].a.w'],
  ]
  for (const [schema, value, directories, path] of cases) {
    const frame = encodeFrame(schema, value as never, { schema: true })
    expect([schema.text, await verifySource(frame)]).toEqual([
      schema.text, { kind: 'frames', frames: 1, tensors: 2 * directories, checksums: directories, size: frame.length },
    ])
    if (directories === 0) continue
    // The last payload whose checksum is stored: three bytes, and 64 behind them the other tensor's.
    const at = frame.lastIndexOf(3, frame.length - 2)
    expect(frame.subarray(at - 2, at + 1)).toEqual(Uint8Array.of(1, 2, 3))
    frame[at] = 9
    const found = await faultOf(verifySource(frame))
    expect([schema.text, found.code, found.path, found.offset]).toEqual([schema.text, 'CHECKSUM', path, at - 2])
  }
})

test('payloads without checksums are not read', async () => {
  const large = [tensor('w', 'u8', [2 * MiB], new Uint8Array(2 * MiB))]
  for (const bytes of [encodeDirectory(large), encodeFrame(k.tensors, large, { schema: true })]) {
    const source = counted(bytes)
    await verifySource(source)
    expect(source.total).toBeLessThan(10_000)
  }
})

test('a gap longer than a piece is gone through, in a frame too, and behind the last payload', async () => {
  const block = encodeDirectory([tensor('w', 'u8', [1], [1])])
  const wide = new Uint8Array(block.length + 3 * MiB + 100)
  wide.set(block.subarray(0, 256))
  const view = new DataView(wide.buffer)
  view.setUint32(8, wide.length, true)
  view.setUint32(64 + 64, 3 * MiB, true)
  wide[256 + 3 * MiB] = 1
  expect((await verifySource(wide)).tensors).toBe(1)
  const frame = encodeFrame(k.tensors, [], { schema: true })
  const framed = new Uint8Array(64 + wide.length)
  framed.set(frame.subarray(0, 64))
  new DataView(framed.buffer).setUint32(24, wide.length, true)
  for (const [at, path] of [[256, 'w'], [256 + 2 * MiB + 7, 'w'], [wide.length - 1, '']] as const) {
    const damaged = wide.slice()
    damaged[at] = 5
    expect(await faultOf(verifySource(damaged))).toMatchObject({ code: 'FRAME', path, offset: at })
    framed.set(damaged, 64)
    expect(await faultOf(verifySource(framed))).toMatchObject({ code: 'FRAME', path, offset: 64 + at })
  }
})

test('the checksum of a frame without its schema is compared as well', async () => {
  const frame = encodeFrame(k.tensors, one, { checksum: true })
  expect((await verifySource(frame, { schemas: k.tensors })).checksums).toBe(2)
  frame[frame.length - 1] = 9
  expect(await faultOf(verifySource(frame, { schemas: k.tensors }))).toMatchObject({ code: 'CHECKSUM', offset: 32 })
})

test('a body that its checksum fits is judged all the same', async () => {
  const frame = encodeFrame(k.tensors, one, { schema: true, checksum: true })
  frame[frame.length - 2] = 5
  new DataView(frame.buffer).setUint32(12, crc32(frame.subarray(64)), true)
  expect(await faultOf(verifySource(frame))).toMatchObject({ code: 'FRAME', path: 'v' })
})

test('what a source throws is its own, whatever the checksum', async () => {
  const frame = encodeFrame(k.tensors, [tensor('w', 'u8', [2 * MiB], new Uint8Array(2 * MiB), { checksum: true })], { schema: true, checksum: true })
  frame[frame.length - 1] = 1
  const inner = bytesSource(frame)
  let failed = false
  const source: ByteSource = {
    ...inner,
    read: (offset, length) => {
      if (failed || length < MiB) return inner.read(offset, length)
      failed = true
      return Promise.reject(new Error('cable'))
    },
  }
  await expect(verifySource(source)).rejects.toThrow('cable')
})

test('a body that is read whole is at most 1 GiB, unless more is allowed', async () => {
  const frame = encodeFrame(k.bytes, new Uint8Array(0))
  const body = 2 ** 30 + 1
  new DataView(frame.buffer).setBigUint64(24, BigInt(body), true)
  const asked: number[] = []
  const source: ByteSource = {
    size: 32 + body, label: 'large',
    read: async (offset, length) => {
      asked.push(length)
      if (length > 10_000) throw new Error('read whole')
      const bytes = new Uint8Array(length)
      if (offset === 0) bytes.set(frame.subarray(0, Math.min(length, 32)))
      return bytes
    },
  }
  expect(await faultOf(verifySource(source, { schemas: k.bytes }))).toMatchObject({
    code: 'LIMIT', offset: 0, detail: `a body of ${body} bytes is to be read whole, over ${body - 1}; raise limits.body if that is meant`,
  })
  await expect(verifySource(source, { schemas: k.bytes, limits: { body } })).rejects.toThrow('read whole')
})
