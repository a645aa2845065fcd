import {
  bytesSink,
  crc32,
  encodeDirectory,
  encodeFrame,
  modelSchema,
  open,
  readDirectory,
  tensor,
  writeDirectory,
  writeModel,
  type ByteSink,
  type StreamedTensor,
  type TensorInput,
} from 'kiln-format'
import { expect, test } from 'vitest'
import { PIECE } from '../../src/sources/range.js'
import { faultOf } from '../support/fault.js'

const bytes = (length: number, seed = 1): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 17) % 256)

const inputs: readonly TensorInput[] = [
  tensor('w', 'e2m1', [2, 32], bytes(32), { scale: 'w.scale', outer: 'w.outer', axis: 1, groupSize: 32 }),
  tensor('w.scale', 'e8m0', [2, 1], bytes(2, 2), { checksum: true }),
  tensor('w.outer', 'f32', [], new Float32Array([0.5])),
  tensor('', 'u8', [3], bytes(3, 3)),
  tensor('empty', 'f64', [0, 5], new Float64Array(0)),
  tensor('odd', 'u8', [101], bytes(101, 4), { checksum: false }),
  tensor(
    'last',
    'f32',
    [1000],
    new Float32Array(1000).map((_, i) => i / 3),
  ),
]

/** The same tensors with payloads that come in pieces of these sizes. */
function streamed(pieces: number, calls: string[] = []): StreamedTensor[] {
  return inputs.map(({ data, ...rest }) => ({
    ...rest,
    async *chunks() {
      calls.push(rest.name ?? '')
      const view = data as Uint8Array
      const all = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
      for (let at = 0; at < all.length; at += pieces) yield all.subarray(at, at + pieces)
    },
  }))
}

/** A sink that can't go back. */
function forwardSink(): { sink: ByteSink; bytes: () => Uint8Array } {
  const inner = bytesSink()
  return {
    sink: { write: (chunk) => inner.write(chunk), close: () => inner.close(), abort: () => inner.abort() },
    bytes: () => inner.bytes(),
  }
}

test.each([{ checksums: false }, { checksums: true }, { checksums: true, alignment: 4096 }])(
  'a directory has the bytes of encodeDirectory: %o',
  async (options) => {
    const expected = encodeDirectory(inputs, options)
    for (const tensors of [inputs, streamed(7), streamed(64)]) {
      const sink = bytesSink()
      expect(await writeDirectory(sink, tensors, options)).toBe(expected.length)
      expect(sink.bytes()).toEqual(expected)
      const forward = forwardSink()
      expect(await writeDirectory(forward.sink, tensors, options)).toBe(expected.length)
      expect(forward.bytes()).toEqual(expected)
    }
  },
)

test.each([
  { checksums: false, checksum: false },
  { checksums: true, checksum: false },
  { checksums: false, checksum: true },
  { checksums: true, checksum: true },
])('a model has the bytes of encodeFrame: %o', async ({ checksums, checksum }) => {
  const metadata = new Map([
    ['author', 'nobody'],
    ['a', ''],
    ['ü', '\u0000'],
  ])
  const asked = inputs.map((input) => ({ ...input, checksum: input.checksum ?? checksums }))
  const expected = encodeFrame(modelSchema, { tensors: asked, metadata }, { schema: true, checksum })
  for (const make of [bytesSink, forwardSink]) {
    const made = make()
    const sink = 'sink' in made ? made.sink : made
    expect(await writeModel(sink, { tensors: streamed(13), metadata }, { checksums, checksum })).toBe(expected.length)
    expect(made.bytes()).toEqual(expected)
  }
})

test('a directory that was read is written with the checksums that it had', async () => {
  const expected = encodeDirectory(inputs, { checksums: true })
  const sink = bytesSink()
  await writeDirectory(sink, readDirectory(expected))
  expect(sink.bytes()).toEqual(expected)
})

test('a model without metadata or tensors is one too', async () => {
  const sink = bytesSink()
  await writeModel(sink, { tensors: [] })
  expect(sink.bytes()).toEqual(encodeFrame(modelSchema, { tensors: [], metadata: {} }, { schema: true }))
})

test('an opened model can be written as it is, links and checksums too', async () => {
  const first = bytesSink()
  await writeModel(first, { tensors: inputs, metadata: { x: '1' } }, { checksums: true })
  await using model = await open(first.bytes())
  const second = bytesSink()
  await writeModel(second, { tensors: model, metadata: model.metadata })
  // Checksums go on for those that had one.
  expect(second.bytes()).toEqual(first.bytes())
})

test('payloads are gone through once where the sink can go back, twice where it must', async () => {
  const once: string[] = []
  await writeDirectory(bytesSink(), streamed(100, once), { checksums: true })
  expect(once).toEqual(inputs.map(({ name }) => name))
  const twice: string[] = []
  await writeDirectory(forwardSink().sink, streamed(100, twice), { checksums: true })
  expect(twice).toEqual([...once, ...once])
  const none: string[] = []
  await writeDirectory(
    forwardSink().sink,
    streamed(100, none).map((t) => ({ ...t, checksum: false })),
  )
  expect(none).toEqual(once)
})

test('one piece is in memory at a time', async () => {
  let alive = 0
  let most = 0
  const piece = 1000
  const sink: ByteSink = {
    async write(chunk) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      if (chunk.length === piece) alive--
    },
    async close() {},
    async abort() {},
  }
  await writeDirectory(sink, [
    {
      name: 'big',
      dtype: 'u8',
      shape: [100 * piece],
      async *chunks() {
        for (let i = 0; i < 100; i++) {
          most = Math.max(most, ++alive)
          yield new Uint8Array(piece)
        }
      },
    },
  ])
  expect(most).toBe(1)
})

test('progress counts to the whole', async () => {
  const seen: number[][] = []
  const sink = bytesSink()
  const size = await writeModel(
    sink,
    { tensors: streamed(64) },
    { onProgress: (done, total) => seen.push([done, total]) },
  )
  expect(seen.every(([, total]) => total === size)).toBe(true)
  expect(seen.map(([done]) => done)).toEqual([...seen.map(([done]) => done!)].sort((a, b) => a - b))
  expect(seen[seen.length - 1]).toEqual([size, size])
})

function streaming(chunks: () => AsyncGenerator<Uint8Array>, more: object = {}): StreamedTensor {
  return { name: 't', dtype: 'u8', shape: [10], chunks, ...more }
}

test.each([
  [
    'too short',
    streaming(async function* () {
      yield bytes(9)
    }),
    { code: 'TYPE', path: 't', detail: '10 bytes are needed, the tensor gave only 9' },
  ],
  [
    'too long',
    streaming(async function* () {
      for (;;) yield bytes(4)
    }),
    { code: 'TYPE', path: 't', detail: '10 bytes are needed, the tensor gave more' },
  ],
  [
    'a wrong byteLength',
    streaming(
      async function* () {
        yield bytes(9)
      },
      { byteLength: 9 },
    ),
    { code: 'TYPE', path: 't', detail: 'dtype and shape need 10 bytes, byteLength says 9' },
  ],
  [
    'neither data nor chunks',
    { name: 't', dtype: 'u8', shape: [10] } as unknown as StreamedTensor,
    { code: 'TYPE', path: 't' },
  ],
  [
    'a link to nowhere',
    streaming(
      async function* () {
        yield bytes(10)
      },
      { scale: 'x', axis: 0, groupSize: 1 },
    ),
    { code: 'TYPE', path: 't.scale' },
  ],
  [
    'a lone surrogate',
    streaming(
      async function* () {
        yield bytes(10)
      },
      { name: '\ud800' },
    ),
    { code: 'UTF8' },
  ],
])('%s is refused and the sink is aborted', async (_, given, expected) => {
  const sink = bytesSink()
  expect(await faultOf(writeDirectory(sink, [given]))).toMatchObject(expected)
  expect((await faultOf(sink.close())).detail).toContain('aborted')
})

test('a payload that changes between its two passes is refused', async () => {
  let pass = 0
  const changing = streaming(async function* () {
    yield bytes(10, ++pass)
  })
  const { sink } = forwardSink()
  expect(await faultOf(writeDirectory(sink, [changing], { checksums: true }))).toMatchObject({
    code: 'TYPE',
    path: 't',
  })
})

test('metadata that is no text is refused by its key', async () => {
  const metadata = { a: 'b', n: 5 } as unknown as Record<string, string>
  expect(await faultOf(writeModel(bytesSink(), { tensors: [], metadata }))).toMatchObject({
    code: 'TYPE',
    path: 'metadata["n"]',
  })
})

test('an abort ends the writing and drops what was written', async () => {
  const controller = new AbortController()
  const endless = streaming(async function* () {
    yield bytes(5)
    controller.abort(new Error('enough'))
    yield bytes(5)
  })
  const sink = bytesSink()
  await expect(writeDirectory(sink, [endless], { signal: controller.signal })).rejects.toThrow('enough')
  expect(sink.size).toBe(0)
})

test('a sink that fails ends the writing with its own error', async () => {
  let aborted: unknown
  const failure = new Error('no room')
  const sink: ByteSink = {
    write: async () => {
      throw failure
    },
    close: async () => {},
    abort: async (reason) => {
      aborted = reason
    },
  }
  await expect(writeDirectory(sink, inputs)).rejects.toBe(failure)
  expect(aborted).toBe(failure)
})

test('the checksum stored is that of the payload', async () => {
  const sink = bytesSink()
  await writeDirectory(sink, streamed(9), { checksums: true })
  for (const t of readDirectory(sink.bytes())) {
    expect(t.checksum).toBe(t.name === 'odd' ? undefined : crc32(t.bytes))
  }
})

test('only payloads whose checksum is wanted are held against their first pass', async () => {
  let pass = 0
  const changing = streaming(
    async function* () {
      yield bytes(10, ++pass)
    },
    { checksum: false },
  )
  const { sink, bytes: written } = forwardSink()
  await writeDirectory(sink, [changing, tensor('sum', 'u8', [1], bytes(1), { checksum: true })])
  expect(pass).toBe(2)
  expect([...readDirectory(written())].map((t) => t.bytes)).toEqual([bytes(10, 2), bytes(1)])
  // A checksum of the whole frame covers it.
  const model = { tensors: [changing] }
  expect(await faultOf(writeModel(forwardSink().sink, model, { checksum: true }))).toMatchObject({ code: 'TYPE', path: 't' })
})

/** A sink that can go back, and notes what it is told. */
function notedSink(): { sink: ByteSink; lengths: number[]; patches: number[]; signals: unknown[] } {
  const [lengths, patches, signals]: [number[], number[], unknown[]] = [[], [], []]
  const sink: ByteSink = {
    async write(chunk, options) {
      lengths.push(chunk.length)
      signals.push(options?.signal)
    },
    async patch(offset, _, options) {
      patches.push(offset)
      signals.push(options?.signal)
    },
    async close() {},
    async abort() {},
  }
  return { sink, lengths, patches, signals }
}

test('the signal goes to the sink, to what it writes over, and to chunks()', async () => {
  const { signal } = new AbortController()
  const noted = notedSink()
  let given: unknown
  const t = { name: 't', dtype: 'u8', shape: [10], chunks: (options?: object) => ((given = options), [bytes(10)]) } as const
  await writeDirectory(noted.sink, [t], { signal, checksums: true })
  expect(given).toEqual({ signal })
  // Nothing in front, the table, the payload, nothing behind, and both parts in front again.
  expect(noted.signals).toEqual(Array.from({ length: 6 }, () => signal))
})

test('a sink goes back for checksums alone', async () => {
  const [without, with_] = [notedSink(), notedSink()]
  await writeDirectory(without.sink, inputs.map((input) => ({ ...input, checksum: false })))
  await writeDirectory(with_.sink, inputs)
  expect([without.patches, with_.patches]).toEqual([[], [0, 0]])
})

test('empty pieces are not handed on, large payloads come in pieces', async () => {
  const pieces = (...lengths: number[]): StreamedTensor => ({ dtype: 'u8', shape: [10], chunks: () => lengths.map((n) => bytes(n)) })
  const [full, gaps, large] = [notedSink(), notedSink(), notedSink()]
  await writeDirectory(full.sink, [pieces(4, 6)])
  await writeDirectory(gaps.sink, [pieces(0, 4, 0, 0, 6, 0)])
  expect(gaps.lengths).toEqual(full.lengths)
  await writeDirectory(large.sink, [tensor('', 'u8', [2 * PIECE + 1], new Uint8Array(2 * PIECE + 1))])
  expect(large.lengths.filter((length) => length > 0)).toEqual([192, PIECE, PIECE, 1])
})

test.each([undefined, ''])('an unnamed tensor (%j) is told by its place', async (name) => {
  const first = tensor('a', 'u8', [1], bytes(1))
  const short = { name, dtype: 'u8', shape: [10], chunks: () => [bytes(9)] } as const
  expect((await faultOf(writeDirectory(bytesSink(), [first, short]))).path).toBe('[1]')
  expect((await faultOf(writeDirectory(bytesSink(), [first, { ...short, byteLength: 9 }]))).path).toBe('[1]')
  expect((await faultOf(writeDirectory(bytesSink(), [first, { ...short, chunks: undefined as never }]))).path).toBe('[1]')
})

test('what a description has beside its own properties changes nothing', async () => {
  const expected = encodeDirectory(inputs)
  const extras = [{ byteOffset: 64 }, { scheme: 'none' }, { chunks: undefined }, { chunks: 'none' }]
  for (const extra of extras) {
    const sink = bytesSink()
    await writeDirectory(sink, inputs.map((input) => ({ ...input, ...extra })) as TensorInput[])
    expect(sink.bytes()).toEqual(expected)
  }
})
