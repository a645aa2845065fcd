import { encodeDirectory, readDirectory, tensor } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { describe, expect, test } from 'vitest'
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
