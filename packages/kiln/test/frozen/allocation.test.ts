import { spawnSync } from 'node:child_process'
import { beforeEach, describe, expect, test } from 'vitest'
import { decode, encode, encodeDirectory, k, parseSchema, readDirectory, tensor, view, type Schema } from 'kiln-format'
import { allocations, resetAllocations } from 'kiln-format/debug'
import { fault } from '../support/fault.js'
import { bytesOf } from '../support/hex.js'

beforeEach(resetAllocations)

const NOTHING = { elements: 0, descriptors: 0 }

describe('nothing is allocated for a count that is refused', () => {
  const counts: readonly (readonly [Schema, string])[] = [
    [k.list(k.u8), 'ffffffff'], [k.list(k.f64), 'ffffff0f'], [k.list(k.u32), 'ffffff0f 00000000'], [k.list(k.bool), 'ffffff00'],
    [k.list(k.string), 'ffffff00 00'], [k.list(k.list(k.u8)), 'ffffffff'], [k.dict(k.u8, k.u8), 'ffffff00 0102'],
    [k.dict(k.string, k.string), 'ffffffff'], [k.list(k.tensors), '01000000'], [k.string, 'ffffff0f'], [k.bytes, 'ffffffff'],
    [k.list(k.struct({ a: k.i64, b: k.list(k.u8) })), '02000000 00000000000000000000'],
  ]
  test.each(counts)('%o', (schema, hex) => {
    expect(['EOF', 'LIMIT']).toContain(fault(() => decode(schema, bytesOf(hex))).code)
    expect(['EOF', 'LIMIT']).toContain(fault(() => view(schema, bytesOf(hex))).code)
    expect(allocations()).toEqual(NOTHING)
  })

  test('nor for a directory, at any of its checks', () => {
    const good = encodeDirectory([tensor('a', 'f32', [2], [1, 2]), tensor('b', 'u8', [1], [1])])
    for (let at = 0; at < 64 + 2 * 128 + 64; at++) {
      for (const flip of [0xff, 0x01, 0x80]) {
        const bad = good.slice()
        bad[at]! ^= flip
        let refused = true
        try {
          readDirectory(bad)
          decode(k.tensors, bad)
          refused = false
        } catch {
          expect(allocations()).toEqual(NOTHING)
        }
        if (!refused) resetAllocations()
      }
    }
  })
})

test('what is accepted is counted', () => {
  decode(k.list(k.f32), encode(k.list(k.f32), [1, 2, 3]))
  expect(allocations()).toEqual({ elements: 3, descriptors: 0 })
  resetAllocations()
  view(k.list(k.f32), encode(k.list(k.f32), [1, 2, 3]))
  expect(allocations()).toEqual(NOTHING)
  decode(k.list(k.string), encode(k.list(k.string), ['a', 'b']))
  expect(allocations().elements).toBe(2)
  resetAllocations()
  const block = encodeDirectory([tensor('a', 'u8', [1], [1])])
  readDirectory(block)
  expect(allocations()).toEqual(NOTHING)
  decode(k.tensors, block)
  expect(allocations()).toEqual({ elements: 0, descriptors: 1 })
})

test('the heap does not grow either: 3,000 refused inputs that announce gigabytes', () => {
  const script = `
    import { decode, view, readDirectory, decodeFrame, k } from 'kiln-format'
    const inputs = [
      [k.list(k.u8), [255, 255, 255, 15]], [k.list(k.f64), [255, 255, 255, 15, 0]], [k.list(k.string), [255, 255, 255, 0]],
      [k.dict(k.u64, k.u64), [255, 255, 255, 0, 1]], [k.string, [255, 255, 255, 15]], [k.bytes, [255, 255, 255, 255]],
    ]
    const header = new Uint8Array(64)
    header.set([0x4b, 0x49, 0x4c, 0x54, 2])
    new DataView(header.buffer).setUint32(16, 1000000, true)
    new DataView(header.buffer).setBigUint64(8, 2n ** 52n, true)
    const refuse = (run) => { try { run() } catch { return } throw new Error('not refused') }
    const round = () => {
      for (const [schema, bytes] of inputs) for (const read of [decode, view]) refuse(() => read(schema, Uint8Array.from(bytes)))
      refuse(() => readDirectory(header))
      refuse(() => decodeFrame(header))
    }
    for (let i = 0; i < 100; i++) round()
    gc()
    const before = process.memoryUsage()
    for (let i = 0; i < 214; i++) round()
    gc()
    const after = process.memoryUsage()
    console.log(JSON.stringify([after.heapUsed - before.heapUsed, after.arrayBuffers - before.arrayBuffers]))
  `
  const run = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8', cwd: new URL('../..', import.meta.url),
  })
  expect(run.stderr).toBe('')
  const [heap, buffers] = JSON.parse(run.stdout) as [number, number]
  // One believed count would be 2^28 bytes or more; what stays is the noise of the collector.
  expect(heap).toBeLessThan(2 ** 20)
  expect(buffers).toBeLessThan(2 ** 16)
})

test('a text that nests or announces without end takes no more than its own size', () => {
  expect(fault(() => parseSchema('list<'.repeat(13_000))).code).toBe('LIMIT')
  expect(allocations()).toEqual(NOTHING)
})
