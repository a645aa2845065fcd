import {
  encodeDirectory,
  encodeFrame,
  modelSchema,
  open,
  openDirectory,
  framesOf,
  verifySource,
  type ByteSource,
  type DtypeName,
} from 'kiln-format'
import { expect, test } from 'vitest'
import { writeTable } from '../../src/tensors/write.js'
import { modelHead } from '../../src/writing/model-head.js'
import { faultOf } from '../support/fault.js'

const PB = 10 ** 15

/** What stands at byte `at` of a source without memory: a pattern that no shift by a power of 2 keeps. */
const byteAt = (at: number): number => Math.floor(at / 4096) % 251

/** A source of any size: some bytes in front, some at the end, a pattern between. */
function vast(size: number, front: Uint8Array, back: Uint8Array = new Uint8Array(0)): ByteSource {
  return {
    size,
    label: 'vast',
    async read(offset, length) {
      if (!(offset >= 0 && offset + length <= size && length < 2 ** 26))
        throw new Error(`read of ${length} at ${offset}`)
      return Uint8Array.from({ length }, (_, i) => {
        const at = offset + i
        if (at < front.length) return front[at]!
        if (at >= size - back.length) return back[at - (size - back.length)]!
        return byteAt(at)
      })
    },
  }
}

const far: readonly { name: string; dtype: DtypeName; shape: number[] }[] = [
  { name: 'below 2^31', dtype: 'u8', shape: [2 ** 31 - 4096] },
  { name: 'over 2^31', dtype: 'u8', shape: [1000] },
  { name: 'filler', dtype: 'f32', shape: [2 ** 29] },
  { name: 'over 2^32', dtype: 'u8', shape: [3 * 2 ** 30, 2] },
  { name: 'petabytes', dtype: 'f64', shape: [PB, 1, 1] },
  { name: 'bits', dtype: 'e2m1', shape: [PB, 2] },
  { name: 'last', dtype: 'u8', shape: [5] },
]

test('payloads beyond 2^31, 2^32 and up to 9 PB are read at their places', async () => {
  const table = writeTable(far)
  expect(table.totalSize).toBeGreaterThan(9 * PB)
  expect(table.totalSize).toBeLessThan(Number.MAX_SAFE_INTEGER)
  const model = await open(vast(table.totalSize, table.bytes))
  expect(model.byteLength).toBe(table.totalSize)
  for (const name of ['over 2^31', 'last']) {
    const t = await model.load(name)
    expect([...t.bytes]).toEqual(Array.from({ length: t.byteLength }, (_, i) => byteAt(t.byteOffset + i)))
  }
  const rows = await model.slice('over 2^32', 3 * 2 ** 30 - 3, 3 * 2 ** 30)
  const end = model.get('over 2^32').byteOffset + 6 * 2 ** 30
  expect([...rows.bytes]).toEqual([-6, -5, -4, -3, -2, -1].map((i) => byteAt(end + i)))
  const far8 = await model.slice('petabytes', PB - 2, PB - 1)
  const place = model.get('petabytes').byteOffset + (PB - 2) * 8
  expect([...far8.bytes]).toEqual(Array.from({ length: 8 }, (_, i) => byteAt(place + i)))
  const bits = await model.slice('bits', PB - 5, PB)
  expect([...bits.bytes]).toEqual(
    Array.from({ length: 5 }, (_, i) => byteAt(model.get('bits').byteOffset + PB - 5 + i)),
  )
  let pieces = 0
  for await (const piece of model.chunks('petabytes')) {
    expect(piece[0]).toBe(byteAt(model.get('petabytes').byteOffset + pieces * 2 ** 20))
    if (++pieces === 3) break
  }
})

test('a model file of 9 PB has its metadata at the end', async () => {
  const table = writeTable(far)
  const metadata = encodeFrame(modelSchema, { tensors: [], metadata: { far: 'away' } }, { schema: true }).subarray(
    128 + 64,
  )
  const head = modelHead(table.totalSize + metadata.length, undefined)
  const front = new Uint8Array([...head, ...table.bytes])
  const size = head.length + table.totalSize + metadata.length
  const model = await open(vast(size, front, metadata))
  expect(model.metadata.get('far')).toBe('away')
  expect((await model.load('last')).bytes[0]).toBe(byteAt(128 + model.get('last').byteOffset))
  // A second frame behind it.
  const twice = vast(
    size + 192 + 4,
    front,
    new Uint8Array([...metadata, ...encodeFrame(modelSchema, { tensors: [], metadata: {} }, { schema: true })]),
  )
  const offsets: number[] = []
  for await (const frame of framesOf(twice)) offsets.push(frame.offset)
  expect(offsets).toEqual([0, size])
  expect(await faultOf(open(vast(size + 1, front, new Uint8Array([...metadata, 0]))))).toMatchObject({
    code: 'TRAILING',
    offset: size,
  })
})

test('one payload that no host can hold is LIMIT by name; its rows and pieces are there', async () => {
  const table = writeTable(far)
  const inner = vast(table.totalSize, table.bytes)
  // As a file does it, which allocates what it was asked for.
  const source: ByteSource = {
    ...inner,
    read: async (offset, length) => (length > 2 ** 26 ? new Uint8Array(length) : inner.read(offset, length)),
  }
  const model = await open(source)
  const error = await faultOf(model.load('petabytes'))
  expect(error).toMatchObject({ code: 'LIMIT', path: 'petabytes' })
  expect(error.detail).toBe(`this host can't hold ${8 * PB} bytes of payload at once; read it by slice() or chunks()`)
  expect((await model.slice('petabytes', 1, 2)).byteLength).toBe(8)
})

test('a source that only pretends to be large does not make anybody allocate', async () => {
  const block = encodeDirectory([])
  const head = block.slice()
  const view = new DataView(head.buffer)
  // A table of 2^20 tensors with 4 GiB of names, announced by a source that then ends.
  view.setUint32(16, 2 ** 20, true)
  view.setUint32(20, 2 ** 32 - 1, true)
  const base = Math.ceil((64 + 128 * 2 ** 20 + 2 ** 32 - 1) / 64) * 64
  view.setBigUint64(24, BigInt(base), true)
  view.setBigUint64(8, BigInt(base), true)
  let most = 0
  const liar: ByteSource = {
    size: base,
    label: 'liar',
    async read(offset, length) {
      most = Math.max(most, length)
      return offset === 0 && length <= 4096
        ? new Uint8Array([...head, ...new Uint8Array(length - 64)])
        : new Uint8Array(10)
    },
  }
  expect(await faultOf(openDirectory(liar))).toMatchObject({ code: 'EOF' })
  expect(most).toBe(16 * 2 ** 20)
})

test('fields that take more than their cap are not read', async () => {
  const table = writeTable([])
  const head = modelHead(table.totalSize + 2 ** 40, undefined)
  const source = vast(head.length + table.totalSize + 2 ** 40, new Uint8Array([...head, ...table.bytes]))
  expect(await faultOf(open(source))).toMatchObject({ code: 'LIMIT', offset: 192 })
  expect(await faultOf(verifySource(source))).toMatchObject({ code: 'LIMIT', offset: 192 })
})
