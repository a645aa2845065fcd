import { spawnSync } from 'node:child_process'
import { beforeEach, expect, test } from 'vitest'
import { DirectoryReader, encodeDirectory, readDirectory, tensor, type TensorInput } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

beforeEach(resetAllocations)

const tensors = (count: number, prefix = 't'): TensorInput[] =>
  Array.from({ length: count }, (_, i) => tensor(`${prefix}${i}`, 'u8', [2], [i % 256, 7]))

test('reads one message after the other, as readDirectory does', () => {
  const reader = new DirectoryReader()
  for (const count of [2, 40, 0, 1, 500, 3]) {
    const block = encodeDirectory(tensors(count, `m${count}.`))
    const dir = reader.read(block)
    const fresh = readDirectory(block)
    expect([dir.length, dir.names, dir.byteLength]).toEqual([count, fresh.names, block.length])
    for (const t of dir) expect([t.name, t.shape, hexOf(t.bytes)]).toEqual([`m${count}.${t.index}`, [2], hexOf(fresh.at(t.index).bytes)])
    if (count > 0) expect(dir.get(`m${count}.${count - 1}`).index).toBe(count - 1)
    expect(dir.has('m-1')).toBe(false)
  }
})

test('messages may lie anywhere in a receive buffer, and offsets of errors count from the message', () => {
  const reader = new DirectoryReader()
  const block = encodeDirectory(tensors(3))
  const room = new Uint8Array(block.length + 200)
  for (const offset of [0, 1, 64, 131]) {
    room.fill(0xee)
    room.set(block, offset)
    const dir = reader.read(room.subarray(offset, offset + block.length))
    expect([...dir].map((t) => hexOf(t.bytes))).toEqual(['0007', '0107', '0207'])
    room[offset + 4] = 9
    expect(fault(() => reader.read(room.subarray(offset, offset + block.length)))).toMatchObject({ code: 'FRAME', offset: 4 })
  }
})

test('a tensor shows the next message, and says so when that has none of its place', () => {
  const reader = new DirectoryReader()
  const dir = reader.read(encodeDirectory(tensors(2, 'a')))
  const kept = dir.at(1)
  expect([kept.name, kept.shape]).toEqual(['a1', [2]])
  reader.read(encodeDirectory([tensor('b0', 'u8', [1], [1]), tensor('b1', 'f32', [1, 1], [2])]))
  expect([kept.name, kept.shape, kept.dtype]).toEqual(['b1', [1, 1], 'f32'])
  reader.read(encodeDirectory(tensors(1)))
  expect(fault(() => kept.name).detail).toBe('tensor 1 was of an earlier message; its DirectoryReader has gone on to another')
  expect(fault(() => kept.bytes).code).toBe('TYPE')
  for (const ask of [() => kept.byteLength, () => kept.byteOffset, () => kept.shape, () => kept.elements, () => kept.scale, () => kept.checksum, () => kept.aligned]) {
    expect(fault(ask)).toMatchObject({ code: 'TYPE', detail: 'tensor 1 was of an earlier message; its DirectoryReader has gone on to another' })
  }
})

test('a shape is made once a message', () => {
  const dir = new DirectoryReader().read(encodeDirectory(tensors(1)))
  expect(dir.at(0).shape).toBe(dir.at(0).shape)
})

test('a message that is refused leaves nothing of it, or of the one before', () => {
  const reader = new DirectoryReader({ strict: true })
  const dir = reader.read(encodeDirectory(tensors(2)))
  const bad = encodeDirectory(tensors(2))
  bad[64 + 88] = 0xff
  expect(fault(() => reader.read(bad)).code).toBe('TYPE')
  expect(dir.length).toBe(0)
  expect(fault(() => reader.read(encodeDirectory(tensors(1), { alignment: 4096 }))).code).toBe('TYPE')
  expect(fault(() => reader.read(new Uint8Array([...encodeDirectory([]), 1]))).code).toBe('TRAILING')
  expect(reader.read(encodeDirectory(tensors(1))).length).toBe(1)
})

test('the storage of descriptors is made once', () => {
  const reader = new DirectoryReader()
  const block = encodeDirectory(tensors(100))
  const smaller = encodeDirectory(tensors(50))
  resetAllocations()
  reader.read(block)
  expect(allocations()).toEqual({ elements: 0, descriptors: 100 })
  for (let i = 0; i < 50; i++) reader.read(block)
  reader.read(smaller)
  expect(allocations()).toEqual({ elements: 0, descriptors: 100 })
})

test('a warm loop over a receive buffer allocates nothing a message', () => {
  const script = `
    import { DirectoryReader, encodeDirectory, tensor } from 'kiln-format'
    const block = encodeDirectory(Array.from({ length: 8 }, (_, i) => tensor('t' + i, 'f32', [256], new Float32Array(256))))
    const reader = new DirectoryReader()
    let sum = 0
    const loop = (n) => { for (let i = 0; i < n; i++) { const d = reader.read(block); sum += d.at(3).byteOffset + d.at(3).byteLength } }
    loop(50_000)
    gc()
    const measure = () => {
      const before = process.memoryUsage().heapUsed
      loop(10_000)
      return process.memoryUsage().heapUsed - before
    }
    console.log(Math.min(measure(), measure(), measure()))
  `
  const run = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8', cwd: new URL('../..', import.meta.url),
  })
  expect(run.stderr).toBe('')
  // One object of 16 bytes a message would be 160,000.
  expect(Number(run.stdout)).toBeLessThan(40_000)
})
