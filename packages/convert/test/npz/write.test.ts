import { expect, test } from 'vitest'
import { readDirectory } from '../../src/npz/directory.js'
import { readEndRecord } from '../../src/npz/end-record.js'
import { openNpz } from '../../src/npz/open.js'
import { writeNpz } from '../../src/npz/write.js'
import type { ForeignTensor } from '../../src/model.js'
import { buildNpy, headerOf } from '../npy/build.js'
import { sha256 } from '../support/fixtures.js'
import { memorySource, MemorySink, memoryTensor, payload } from '../support/memory.js'

const noise = (length: number): Uint8Array => {
  let state = 1
  return Uint8Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) % 256)
}

const tensors: readonly ForeignTensor[] = [
  memoryTensor('a', 'i16', [3], Uint8Array.of(1, 0, 2, 0, 3, 0)),
  memoryTensor('ä/日本', 'f32', [2, 0], new Uint8Array(0)),
  memoryTensor('', 'c128', [], noise(16)),
  memoryTensor('noise', 'u8', [300_000], noise(300_000), 65_536),
  memoryTensor('zeros', 'f64', [100, 1000], new Uint8Array(800_000), 100_000),
]

for (const deflate of [false, true, 1, 9] as const) {
  test(`tensors come back from an archive, deflate ${deflate}`, async () => {
    const sink = new MemorySink()
    const size = await writeNpz({ tensors }, sink, { deflate })
    expect(sink.ended).toBe('closed')
    expect(sink.bytes.length).toBe(size)
    const model = await openNpz(memorySource(sink.bytes))
    expect(model.omitted).toEqual([])
    expect(model.members.map(({ name, method }) => [name, method])).toEqual(
      tensors.map(({ name }) => [`${name}.npy`, deflate === false ? 'stored' : 'deflated']),
    )
    for (const [i, tensor] of model.tensors.entries()) {
      const { name, dtype, shape } = tensors[i]!
      expect(tensor).toMatchObject({ name, dtype, shape })
      expect(sha256(await payload(tensor))).toBe(sha256(await payload(tensors[i]!)))
    }
    if (deflate === false) expect(size).toBeGreaterThan(1_100_000)
    else expect(size).toBeLessThan(310_000)
    const again = new MemorySink()
    await writeNpz(model, again, { deflate })
    expect(sha256(again.bytes)).toBe(sha256(sink.bytes))
  })
}

test('the bytes of an archive do not depend on the pieces that payloads come in', async () => {
  const content = noise(400_000).map((byte, i) => (i % 3 === 0 ? byte : 0))
  const archives = new Set<string>()
  for (const piece of [1000, 65_536, 99_999, 400_000]) {
    for (const deflate of [true, false]) {
      const sink = new MemorySink()
      await writeNpz({ tensors: [memoryTensor('t', 'u8', [400_000], content, piece)] }, sink, { deflate })
      archives.add(sha256(sink.bytes))
    }
  }
  expect(archives.size).toBe(2)
})

test('a stored archive is written to the byte', async () => {
  const sink = new MemorySink()
  await writeNpz({ tensors: [tensors[0]!] }, sink)
  const bytes = sink.bytes
  const view = new DataView(bytes.buffer)
  // The member's header: no flags, stored, 1 January 1980, both sizes, a name of 5 bytes and nothing more.
  expect([...bytes.subarray(0, 14)]).toEqual([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0])
  expect([view.getUint32(18, true), view.getUint32(22, true)]).toEqual([134, 134])
  expect([...bytes.subarray(26, 35)]).toEqual([5, 0, 0, 0, 0x61, 0x2e, 0x6e, 0x70, 0x79])
  const npy = buildNpy(`${headerOf('<i2', [3]).trimEnd().padEnd(117)}\n`, Uint8Array.of(1, 0, 2, 0, 3, 0))
  expect(bytes.subarray(35, 35 + 134)).toEqual(npy)
  // Its entry: made on Unix, a plain file that all may read.
  const entry = 35 + 134
  expect([...bytes.subarray(entry, entry + 8)]).toEqual([0x50, 0x4b, 1, 2, 20, 3, 20, 0])
  expect(view.getUint32(entry + 38, true)).toBe(0o100644 * 65_536)
  expect(view.getUint32(entry + 42, true)).toBe(0)
  // The end.
  const end = entry + 46 + 5
  expect([...bytes.subarray(end, end + 12)]).toEqual([0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0])
  expect([view.getUint32(end + 12, true), view.getUint32(end + 16, true), bytes.length]).toEqual([51, entry, end + 22])
})

test('a model without tensors is an empty archive', async () => {
  const sink = new MemorySink()
  expect(await writeNpz({ tensors: [] }, sink)).toBe(22)
  expect((await openNpz(memorySource(sink.bytes))).tensors).toEqual([])
})

test('65,536 members make a ZIP64 archive', async () => {
  const many = Array.from({ length: 65_536 }, (_, i) => memoryTensor(`t${i}`, 'u8', [], Uint8Array.of(i % 256)))
  const sink = new MemorySink()
  await writeNpz({ tensors: many }, sink)
  const { bytes } = sink
  const view = new DataView(bytes.buffer)
  expect(view.getUint16(bytes.length - 12, true)).toBe(0xffff)
  expect(view.getUint32(bytes.length - 22 - 20, true)).toBe(0x07064b50)
  const source = memorySource(bytes)
  const entries = await readDirectory(source, await readEndRecord(source, {}), 2 ** 20, {})
  expect(entries.length).toBe(65_536)
  expect(entries[65_535]).toMatchObject({ name: 't65535.npy', size: 129 })
})

test.each<[string, readonly ForeignTensor[], object, string, RegExp]>([
  [
    'a dtype that numpy lacks',
    [memoryTensor('t', 'bf16', [1], new Uint8Array(2))],
    {},
    'TYPE',
    /tensor "t" is bf16, which numpy lacks/,
  ],
  ['a name twice', [tensors[0]!, tensors[0]!], {}, 'TYPE', /two tensors are named "a"/],
  ['half a pair in a name', [memoryTensor('\ud800', 'u8', [], new Uint8Array(1))], {}, 'UTF8', /lone surrogate/],
  ['a NUL in a name', [memoryTensor('a\0b', 'u8', [], new Uint8Array(1))], {}, 'TYPE', /readers end a name at a NUL/],
  ['an absolute name', [memoryTensor('/etc/x', 'u8', [], new Uint8Array(1))], {}, 'TYPE', /it is an absolute path/],
  ['a drive', [memoryTensor('C:x', 'u8', [], new Uint8Array(1))], {}, 'TYPE', /it is an absolute path/],
  [
    'a name that leads out',
    [memoryTensor('a/../../x', 'u8', [], new Uint8Array(1))],
    {},
    'TYPE',
    /it leads out of the folder/,
  ],
  [
    'a name that leads out on Windows',
    [memoryTensor('..\\x', 'u8', [], new Uint8Array(1))],
    {},
    'TYPE',
    /it leads out of the folder/,
  ],
  [
    'a name that is too long',
    [memoryTensor('a'.repeat(65_532), 'u8', [], new Uint8Array(1))],
    {},
    'LIMIT',
    /has 65536 bytes with .npy; a zip takes 65535/,
  ],
  [
    'too few bytes',
    [memoryTensor('t', 'f32', [2], new Uint8Array(4))],
    {},
    'TYPE',
    /needs 8 bytes, and it says that it has 4/,
  ],
  ['a level that there is none of', [tensors[0]!], { deflate: 10 }, 'TYPE', /deflate is 10/],
])('%s is refused before anything is written', async (_what, given, options, code, detail) => {
  const sink = new MemorySink()
  await expect(writeNpz({ tensors: given }, sink, options)).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
  expect([sink.ended, sink.pieces.length]).toEqual(['aborted', 0])
})

test('a dtype that numpy lacks is written by its bits where that is asked for', async () => {
  const sink = new MemorySink()
  await writeNpz({ tensors: [memoryTensor('t', 'bf16', [2], Uint8Array.of(1, 2, 3, 4))] }, sink, { raw: true })
  const model = await openNpz(memorySource(sink.bytes))
  expect(model.tensors).toMatchObject([{ dtype: 'u16', shape: [2] }])
})

test('a name of 65,531 bytes is kept, and dots in names', async () => {
  const names = ['a'.repeat(65_531), '..a', 'a..', 'a/.b/c', 'x.npy']
  const sink = new MemorySink()
  await writeNpz({ tensors: names.map((name) => memoryTensor(name, 'u8', [], new Uint8Array(1))) }, sink)
  expect((await openNpz(memorySource(sink.bytes))).tensors.map(({ name }) => name)).toEqual(names)
})

test('a tensor that changes between the reads that storing takes is refused', async () => {
  let byte = 0
  const changing: ForeignTensor = {
    ...memoryTensor('t', 'u8', [1], new Uint8Array(1)),
    async *chunks() {
      yield Uint8Array.of(byte++)
    },
  }
  const sink = new MemorySink()
  await expect(writeNpz({ tensors: [changing] }, sink)).rejects.toMatchObject({
    code: 'TYPE',
    detail: 'tensor "t" gave other bytes when it was read a second time: something changed it',
  })
  expect(sink.ended).toBe('aborted')
})

test.each([false, true])('a tensor that ends early aborts the archive, deflate %s', async (deflate) => {
  const sink = new MemorySink()
  const short = { ...memoryTensor('t', 'u8', [9], new Uint8Array(8)), byteLength: 9 }
  await expect(writeNpz({ tensors: [tensors[0]!, short] }, sink, { deflate })).rejects.toMatchObject({ code: 'TYPE' })
  expect(sink.ended).toBe('aborted')
})

test('into a sink that can go back, a stored payload is read once, for the same bytes', async () => {
  class PatchSink extends MemorySink {
    patch(offset: number, bytes: Uint8Array): Promise<void> {
      const whole = this.bytes
      whole.set(bytes, offset)
      this.pieces.splice(0, this.pieces.length, whole)
      return Promise.resolve()
    }
  }
  let reads = 0
  const counted = tensors.map((tensor) => ({
    ...tensor,
    chunks: () => {
      reads++
      return tensor.chunks()
    },
  }))
  const [plain, patched] = [new MemorySink(), new PatchSink()]
  await writeNpz({ tensors: counted }, plain)
  expect(reads).toBe(2 * tensors.length)
  await writeNpz({ tensors: counted }, patched)
  expect(reads).toBe(3 * tensors.length)
  expect(sha256(patched.bytes)).toBe(sha256(plain.bytes))
  expect(patched.ended).toBe('closed')
})
