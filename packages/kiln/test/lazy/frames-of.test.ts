import {
  crc32,
  decodeFrame,
  encodeDirectory,
  encodeFrame,
  framesOf,
  k,
  modelSchema,
  tensor,
  type ByteSource,
  type SourceFrame,
} from 'kiln-format'
import { expect, test } from 'vitest'
import { fault, faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

const Row = k.struct({ id: k.i64, text: k.string })
const row = (id: number, options = {}): Uint8Array => encodeFrame(Row, { id, text: `row ${id}` }, options)
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]))

async function all(frames: AsyncIterable<SourceFrame<never, unknown>>): Promise<SourceFrame[]> {
  const list: SourceFrame[] = []
  for await (const frame of frames) list.push(frame as never)
  return list
}

test('frames of all kinds of flags are found one behind the other', async () => {
  const kinds = [{}, { schema: true }, { checksum: true }, { schema: true, checksum: true }]
  const parts = [...kinds, ...kinds].map((options, i) => row(i, options))
  const file = joined(...parts)
  const frames = await all(framesOf(file, Row) as never)
  let at = 0
  for (const [i, frame] of frames.entries()) {
    const part = parts[i]!
    expect([frame.offset, frame.byteLength, frame.headerSize + frame.bodyLength]).toEqual([
      at,
      part.length,
      part.length,
    ])
    expect(frame.schema).toBe(Row)
    expect(frame.is(Row)).toBe(true)
    expect(frame.checksum === undefined).toBe(i % 4 < 2)
    const read = await frame.read()
    expect(read.value).toEqual({ id: BigInt(i), text: `row ${i}` })
    expect(read.offset).toBe(at)
    at += part.length
  }
  expect(at).toBe(file.length)
})

test('bodies are not read: a few small reads go through a large file', async () => {
  const big = encodeFrame(k.bytes, new Uint8Array(2 ** 20), { schema: true })
  const source = counted(joined(big, big, big))
  expect(await all(framesOf(source) as never)).toHaveLength(3)
  expect(source.total).toBeLessThan(3 * 2 ** 16 + 1)
  const many = counted(joined(...Array.from({ length: 1000 }, (_, i) => row(i, { schema: true }))))
  expect(await all(framesOf(many) as never)).toHaveLength(1000)
  expect(many.reads.length).toBeLessThan(many.size / 2 ** 16 + 2)
})

test('a frame that begins with tensors opens lazily', async () => {
  const file = joined(
    row(1, { schema: true }),
    encodeFrame(
      modelSchema,
      { tensors: [tensor('t', 'u8', [3], Uint8Array.of(1, 2, 3))], metadata: { a: 'b' } },
      { schema: true },
    ),
  )
  const source = counted(file)
  const [first, second] = await all(framesOf(source) as never)
  const model = await second!.open()
  expect((await model.load('t')).bytes).toEqual(Uint8Array.of(1, 2, 3))
  expect(model.metadata.get('a')).toBe('b')
  await model.close()
  expect(source.closed).toBe(0)
  expect(await faultOf(first!.open())).toMatchObject({ code: 'SCHEMA' })
})

test('a torn tail tells where the last whole frame ends, after all whole ones', async () => {
  const whole = joined(row(1, { schema: true }), row(2), row(3, { schema: true, checksum: true }))
  const starts = (await all(framesOf(whole, Row) as never)).map(({ offset }) => offset)
  for (let length = 4; length < whole.length; length++) {
    const seen: number[] = []
    const run = async (): Promise<void> => {
      for await (const frame of framesOf(whole.subarray(0, length), Row)) seen.push(frame.offset)
    }
    const ends = [...starts.slice(1), whole.length]
    const complete = ends.filter((end) => end <= length).length
    if (ends.includes(length)) await run()
    else {
      const error = await faultOf(run())
      expect([error.code, error.offset]).toEqual(['EOF', starts[complete]])
      expect(error.detail).toContain(`last whole frame ends at byte ${starts[complete]}`)
    }
    expect(seen).toEqual(starts.slice(0, complete))
  }
})

test("a source that can't be read is not taken for a torn file", async () => {
  const file = joined(
    ...Array.from({ length: 3 }, () => encodeFrame(k.bytes, new Uint8Array(2 ** 17), { schema: true })),
  )
  const failing: ByteSource = {
    size: file.length,
    label: 'failing',
    read: async (offset, length) => file.subarray(offset, offset + (offset > 0 ? length - 1 : length)),
  }
  const error = await faultOf(all(framesOf(failing) as never))
  expect(error.code).toBe('EOF')
  expect(error.detail).not.toContain('whole frame')
})

test('iteration can be taken up at an offset', async () => {
  const parts = [1, 2, 3].map((id) => row(id))
  const from = parts[0]!.length
  const frames = await all(framesOf(joined(...parts), Row, { from }) as never)
  expect(frames.map(({ offset }) => offset)).toEqual([from, from + parts[1]!.length])
  expect(await all(framesOf(joined(...parts), Row, { from: joined(...parts).length }) as never)).toEqual([])
})

test('what is no file of frames, or of other schemas, is refused', async () => {
  expect(await faultOf(all(framesOf(new Uint8Array(0)) as never))).toMatchObject({ code: 'EOF' })
  expect(await faultOf(all(framesOf(encodeDirectory([])) as never))).toMatchObject({ code: 'FRAME' })
  expect(await faultOf(all(framesOf(row(1)) as never))).toMatchObject({ code: 'SCHEMA' })
  expect(await faultOf(all(framesOf(row(1), modelSchema) as never))).toMatchObject({ code: 'FRAME' })
  const middle = joined(row(1, { schema: true }), new Uint8Array(64))
  expect(await faultOf(all(framesOf(middle) as never))).toMatchObject({
    code: 'FRAME',
    offset: row(1, { schema: true }).length,
  })
})

test('a damaged body is told when it is read, at its place in the file', async () => {
  const good = row(1, { checksum: true })
  const file = joined(good, good)
  file[file.length - 1]! ^= 1
  const [, second] = await all(framesOf(file, Row) as never)
  const expected = fault(() => decodeFrame(file.subarray(good.length), Row))
  expect(await faultOf(second!.read())).toMatchObject({ code: 'CHECKSUM', offset: good.length + expected.offset! })
})

test("a read frame keeps its tensors when the source's memory is used again", async () => {
  const memory = encodeFrame(k.tensors, [tensor('t', 'u8', [3], Uint8Array.of(1, 2, 3))], { schema: true })
  const [frame] = await all(framesOf(memory) as never)
  const read = await frame!.read()
  memory.fill(0)
  expect((read.value as { get(name: string): { bytes: Uint8Array } }).get('t').bytes).toEqual(Uint8Array.of(1, 2, 3))
})

test('a frame tells whether it is of a schema, which checksum it has, and opens with the options of its list', async () => {
  const Model = k.struct({ batch: k.tensors, id: k.i64 })
  const value = { batch: [tensor('w', 'u8', [1], [1])], id: 5n }
  const twin = k.struct({ batch: k.tensors, id: k.i64 })
  const file = joined(encodeFrame(Model, value, { checksum: true }), encodeFrame(Model, value))
  const [first, second] = await all(framesOf(file, Model, { int64: 'number' }) as never)
  expect([first!.is(Model), first!.is(twin), first!.is(Row)]).toEqual([true, true, false])
  expect([first!.checksum, second!.checksum]).toEqual([crc32(file.subarray(32, first!.byteLength)), undefined])
  expect((await first!.open()).fields).toEqual({ id: 5 })
  expect((await first!.open({ int64: 'bigint' })).fields).toEqual({ id: 5n })
})

test('a bare directory has no frames, and a torn one says what its end has cut', async () => {
  const block = encodeDirectory([])
  expect(await faultOf(all(framesOf(block) as never))).toMatchObject({ code: 'FRAME', offset: 0, detail: expect.stringContaining('which has no frames') as string })
  // With an offset nothing is said of the first bytes: they are no frame at all.
  expect(await faultOf(all(framesOf(block, Row, { from: 0 }) as never))).toMatchObject({
    code: 'FRAME', detail: 'a frame begins with the four bytes KILF; this is something else',
  })
  const file = joined(new Uint8Array(7), row(1))
  expect((await all(framesOf(file, Row, { from: 7 }) as never)).map(({ offset }) => offset)).toEqual([7])
  const cut = await framesOf(row(1).subarray(0, 40), Row).next().catch((error: unknown) => error)
  expect(cut).toMatchObject({ code: 'EOF', offset: 0, cause: { code: 'EOF', offset: 24 } })
})
