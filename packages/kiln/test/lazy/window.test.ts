import { bytesSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { SourceWindow } from '../../src/lazy/window.js'
import { counted } from '../support/sources.js'

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251)
const MiB = 2 ** 20

test('what was read ahead is not read again, and what is missing is read alone', async () => {
  const source = counted(bytes)
  const window = new SourceWindow(source, 100, {})
  const take = async (offset: number, length: number): Promise<void> => {
    expect(await window.take(offset, length)).toEqual(bytes.subarray(offset, offset + length))
  }
  await take(0, 10)
  await take(0, 100)
  await take(90, 10)
  expect(source.reads).toEqual([{ offset: 0, length: 100 }])
  // Half of it is there.
  await take(90, 30)
  expect(source.reads.slice(1)).toEqual([{ offset: 100, length: 20 }])
  await take(90, 30)
  await take(95, 25)
  expect(source.reads.length).toBe(2)
  await take(120, 5)
  expect(source.reads.slice(2)).toEqual([{ offset: 120, length: 100 }])
  // Nothing of it is there; more than is read ahead; then the end, where there is no more.
  await take(300, 150)
  await take(990, 10)
  expect(source.reads.slice(3)).toEqual([{ offset: 300, length: 150 }, { offset: 990, length: 10 }])
  // Back: read anew.
  await take(0, 5)
  expect(source.reads.slice(5)).toEqual([{ offset: 0, length: 100 }])
})

test('a long range is read in steps that double, and put together', async () => {
  const long = new Uint8Array(60 * MiB)
  for (let i = 0; i < 60; i++) long[i * MiB] = i + 1
  const source = counted(long)
  const window = new SourceWindow(source, 0, {})
  expect((await window.take(0, 5)).length).toBe(5)
  const all = await window.take(MiB, 59 * MiB)
  expect(source.reads).toEqual([
    { offset: 0, length: 5 }, { offset: MiB, length: 16 * MiB }, { offset: 17 * MiB, length: 32 * MiB }, { offset: 49 * MiB, length: 11 * MiB },
  ])
  expect(Array.from({ length: 59 }, (_, i) => all[i * MiB])).toEqual(Array.from({ length: 59 }, (_, i) => i + 2))
})

test('memory that can change is copied, with what lies before it or without', async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(20)).fill(7)
  const source = { ...bytesSource(bytes), size: 20, read: async (offset: number, length: number) => shared.subarray(offset, offset + length) }
  const window = new SourceWindow(source, 0, {})
  const first = await window.take(0, 10)
  const joined = await window.take(5, 15)
  shared.fill(9)
  expect([first, joined]).toEqual([new Uint8Array(10).fill(7), new Uint8Array(15).fill(7)])
})
