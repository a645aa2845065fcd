import { decode, encode, encodeDirectory, k, readDirectory, tensor, verifyDirectory } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { describe, expect, test } from 'vitest'
import { resolveSettings } from '../../src/limits/limits.js'
import { BlockDirectory } from '../../src/tensors/directory.js'
import { writeTable } from '../../src/tensors/write.js'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

const tensors = (count: number) => Array.from({ length: count }, (_, i) => tensor(`名${i}`, 'u8', [2], [i, 7]))

function shared(bytes: Uint8Array, front = 0): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length + front)).subarray(front)
  copy.set(bytes)
  return copy
}

/** Code, path and offset of the fault of these bytes, in memory of one's own and in shared memory. */
function told(bytes: Uint8Array, strict = false): unknown[] {
  const [own, other] = [bytes, shared(bytes, 5)].map((input) => fault(() => readDirectory(input, { strict })))
  expect(other).toEqual(own)
  return [own!.code, own!.path, own!.offset, own!.detail]
}

function changed(bytes: Uint8Array, ...changes: [at: number, to: number][]): Uint8Array {
  const copy = bytes.slice()
  for (const [at, to] of changes) copy[at] = to
  return copy
}

describe('shared memory', () => {
  test.each([0, 1, 16, 17, 100])('%d tensors are read from a copy of the table', (count) => {
    const bytes = shared(encodeDirectory(tensors(count)), 3)
    resetAllocations()
    const directory = readDirectory(bytes, { strict: true })
    expect(allocations().descriptors).toBe(count + (count > 16 ? count : 0))
    const names = Array.from({ length: count }, (_, i) => `名${i}`)
    bytes.fill(0xee, 0, directory.payloadBase)
    expect(directory.names).toEqual(names)
    expect([...directory].map((t) => hexOf(t.bytes))).toEqual(names.map((_, i) => `${i.toString(16).padStart(2, '0')}07`))
    names.forEach((name, i) => expect(directory.get(name).index).toBe(i))
    expect(directory.has('x')).toBe(false)
  })
  test('a header that says more in the copy than a moment ago is refused', () => {
    const [before, now] = [[0, 64], [64, 0]].map(([name, size]) => encodeDirectory([tensor('n'.repeat(name!), 'u8', [size!], new Uint8Array(size!))])) as [Uint8Array, Uint8Array]
    // Both take 256 bytes; the first table is 64 bytes shorter.
    expect([before.length, now.length, before[24], now[24]]).toEqual([256, 256, 192, 0])
    // As if another thread had written between the two reads: the view has the old words, the bytes the new ones.
    const old = new DataView(before.buffer, before.byteOffset, 256)
    const load = (at: number): unknown => {
      const bytes = new Uint8Array(at + 256)
      bytes.set(now, at)
      const view = new DataView(new ArrayBuffer(at + 256))
      for (let i = 0; i < 256; i++) view.setUint8(at + i, old.getUint8(i))
      return new BlockDirectory().load(bytes, view, at, 256, resolveSettings(undefined), { ownTable: false, unstable: true })
    }
    for (const at of [0, 5]) expect(fault(() => load(at))).toMatchObject({ code: 'FRAME', offset: at, detail: 'the directory changed while it was read' })
  })
})

test('own memory is read where it lies: nothing is copied, and the block is the input’s', () => {
  const bytes = encodeDirectory(tensors(3))
  resetAllocations()
  const directory = readDirectory(bytes) as BlockDirectory
  expect(allocations().descriptors).toBe(0)
  expect([directory.block.buffer === bytes.buffer, directory.block.byteOffset, directory.block.length]).toEqual([true, bytes.byteOffset, bytes.length])
  const inside = decode(k.struct({ a: k.u8, batch: k.tensors, z: k.u8 }), encode(k.struct({ a: k.u8, batch: k.tensors, z: k.u8 }), { a: 1, batch: tensors(3), z: 2 })).batch as BlockDirectory
  expect(inside.block).toEqual(bytes)
})

describe('faults', () => {
  const block = encodeDirectory(tensors(2))
  const zero = 'reserved bytes must be 0'
  test.each<[number, number]>([[0, 12], [0, 8], [0, 4], [4, 8], [4, 12], [8, 12]])('reserved words %d and %d that take each other away', (one, other) => {
    expect(told(changed(block, [64 + 112 + one, 1], [64 + 112 + other, 1]))).toEqual(['FRAME', '[0].reserved', 64 + 112 + one, zero])
  })
  test('the last dimension of blocks', () => {
    const blocks = encodeDirectory([tensor('w', 'ggml_q4_0', [2, 32], new Uint8Array(36))])
    expect(told(changed(blocks, [64 + 8, 33]))).toEqual(['TYPE', '[0].shape', 64, 'the last dimension of ggml_q4_0 is a multiple of 32, not 33'])
  })
  test('a tensor that is its own scale', () => {
    const linked = encodeDirectory([tensor('w', 'u8', [2], [1, 2], { scale: 's', axis: 0, groupSize: 2 }), tensor('s', 'u8', [1], [1])])
    expect(told(changed(linked, [64 + 100, 0]))).toEqual(['TYPE', '[0].scale_index', 64 + 100, '0 is not another of the 2 tensors'])
  })
  test('a byte that is not zero behind the last payload', () => {
    const longer = new Uint8Array(block.length + 1)
    longer.set(block)
    const size = longer.length
    const bytes = changed(longer, [8, size & 255], [9, size >> 8], [block.length, 1])
    expect(fault(() => verifyDirectory(bytes))).toMatchObject({ code: 'FRAME', path: '', offset: block.length, detail: 'the gap after the last payload must be zero' })
  })
  test('more tensors than are allowed', () => {
    expect(fault(() => readDirectory(block, { limits: { tensors: 1 } }))).toMatchObject({ code: 'LIMIT', offset: 16, detail: '2 tensors are over the cap of 1; raise limits.tensors if they are meant' })
  })
})

describe('what is not canonical', () => {
  // The second of two payloads lies 64 bytes further behind than it has to.
  const block = encodeDirectory(tensors(2))
  const again = (is: number, want: number, what: string): string => `${what} is ${is}, in the canonical block it is ${want}; read it without strict, or write it again`
  test('a payload too far behind', () => {
    const gap = new Uint8Array(block.length + 64)
    gap.set(block)
    const size = block.length + 64
    const moved = changed(gap, [8, size & 255], [9, size >> 8], [64 + 128 + 64, 128])
    expect(told(moved, true)).toEqual(['TYPE', '[1].byte_offset', 64 + 128 + 64, again(128, 64, 'byte_offset')])
  })
  test('bytes behind the last payload', () => {
    const size = block.length + 1
    const longer = new Uint8Array(size)
    longer.set(block)
    expect(told(changed(longer, [8, size & 255], [9, size >> 8]), true)).toEqual(['TYPE', '', 8, again(size, block.length, 'total_size')])
  })
  test('payloads at multiples of a page', () => {
    expect(told(encodeDirectory(tensors(2), { alignment: 4096 }), true)).toEqual(['TYPE', '', 24, again(4096, 384, 'payload_base')])
  })
})

test('scales are counted exactly, where numbers are rounded', () => {
  // (2^27 + 1)^2 elements, one more than 2^28 * (2^26 + 1): both are 2^54 + 2^28 as a number.
  const side = 2 ** 27 + 1
  const data = { name: 'w', dtype: 'u1', shape: [side, side], scale: 's', axis: 1, groupSize: 1 } as const
  expect(writeTable([data, { name: 's', dtype: 'u1', shape: [side, side] }]).payloads.map(({ length }) => length)).toEqual([2 ** 51 + 2 ** 25 + 1, 2 ** 51 + 2 ** 25 + 1])
  expect(fault(() => writeTable([data, { name: 's', dtype: 'u1', shape: [2 ** 28, 2 ** 26 + 1] }]))).toMatchObject({
    code: 'TYPE', path: 'w.scale', detail: `groups of 1 along axis 1 of [${side}, ${side}] need 18014398777917441 scales, tensor 1 has 18014398777917440`,
  })
})
