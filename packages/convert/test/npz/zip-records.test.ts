import { expect, test } from 'vitest'
import { descriptorOf, directoryEntry, endRecords, localHeader, needsZip64 } from '../../src/npz/zip-records.js'
import type { WrittenMember } from '../../src/npz/zip-records.js'

const member: WrittenMember = {
  nameBytes: new TextEncoder().encode('a.npy'),
  method: 0,
  size: 2 ** 32,
  headerStart: 2 ** 33 + 1,
  descriptor: false,
  zip64: true,
  crc: 0x01020304,
  compressedSize: 2 ** 32,
}
const NONE = 0xffffffff
const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

test('a member of 4 GiB has its sizes in 64 bits', () => {
  const local = view(localHeader(member))
  expect([
    local.getUint16(4, true),
    local.getUint32(18, true),
    local.getUint32(22, true),
    local.getUint16(28, true),
  ]).toEqual([45, NONE, NONE, 20])
  expect([
    local.getUint16(35, true),
    local.getUint16(37, true),
    local.getBigUint64(39, true),
    local.getBigUint64(47, true),
  ]).toEqual([1, 16, 2n ** 32n, 2n ** 32n])
  const entry = view(directoryEntry(member))
  expect([
    entry.getUint16(6, true),
    entry.getUint32(20, true),
    entry.getUint32(24, true),
    entry.getUint32(42, true),
  ]).toEqual([45, NONE, NONE, NONE])
  expect([entry.getUint16(51, true), entry.getUint16(53, true)]).toEqual([1, 24])
  expect([entry.getBigUint64(55, true), entry.getBigUint64(63, true), entry.getBigUint64(71, true)]).toEqual([
    2n ** 32n,
    2n ** 32n,
    2n ** 33n + 1n,
  ])
})

test('only what does not fit is in 64 bits', () => {
  const far = view(directoryEntry({ ...member, size: 10, compressedSize: 10, zip64: false }))
  expect([far.getUint16(6, true), far.getUint32(20, true), far.getUint32(24, true), far.getUint32(42, true)]).toEqual([
    45,
    10,
    10,
    NONE,
  ])
  expect([far.getUint16(53, true), far.getBigUint64(55, true)]).toEqual([8, 2n ** 33n + 1n])
  const near = view(directoryEntry({ ...member, size: 10, compressedSize: 10, zip64: false, headerStart: NONE - 1 }))
  expect([near.getUint16(6, true), near.getUint32(42, true), near.byteLength]).toEqual([20, NONE - 1, 51])
  // 2^32 − 1 says that the number is elsewhere, so it has to be.
  const edge = view(directoryEntry({ ...member, size: 10, compressedSize: 10, zip64: false, headerStart: NONE }))
  expect(edge.getBigUint64(55, true)).toBe(BigInt(NONE))
})

test('a descriptor is as wide as the header says', () => {
  const deflated = { ...member, method: 8, descriptor: true, compressedSize: 100 }
  const local = view(localHeader(deflated))
  expect([
    local.getUint16(6, true),
    local.getUint32(14, true),
    local.getUint32(18, true),
    local.getBigUint64(39, true),
  ]).toEqual([8, 0, NONE, 0n])
  const wide = view(descriptorOf(deflated))
  expect([
    wide.byteLength,
    wide.getUint32(0, true),
    wide.getUint32(4, true),
    wide.getBigUint64(8, true),
    wide.getBigUint64(16, true),
  ]).toEqual([24, 0x08074b50, 0x01020304, 100n, 2n ** 32n])
  const narrow = view(descriptorOf({ ...deflated, size: 7, zip64: false }))
  expect([narrow.byteLength, narrow.getUint32(8, true), narrow.getUint32(12, true)]).toEqual([16, 100, 7])
})

test.each([
  [65_534, 100, 51, 22],
  [65_535, 100, 51, 98],
  [1, NONE - 1, 51, 22],
  [1, NONE, 51, 98],
  [1, 2 ** 40, NONE - 1, 98],
])('an end after %i members, at %i, of %i bytes has %i bytes', (entries, start, size, length) => {
  const bytes = endRecords(entries, start, size)
  expect(bytes.length).toBe(length)
  const end = view(bytes.subarray(-22))
  expect([end.getUint16(10, true), end.getUint32(12, true), end.getUint32(16, true)]).toEqual([
    Math.min(entries, 0xffff),
    Math.min(size, NONE),
    Math.min(start, NONE),
  ])
  if (length === 22) return
  const end64 = view(bytes)
  expect([
    end64.getBigUint64(4, true),
    end64.getBigUint64(32, true),
    end64.getBigUint64(40, true),
    end64.getBigUint64(48, true),
  ]).toEqual([44n, BigInt(entries), BigInt(size), BigInt(start)])
  expect([end64.getUint32(56, true), end64.getBigUint64(64, true)]).toEqual([0x07064b50, BigInt(start + size)])
})

test('ZIP64 is for sizes from 2^32 - 1, and for what may come to that when it is deflated', () => {
  expect([
    needsZip64(NONE - 1, 0),
    needsZip64(NONE, 0),
    needsZip64(4_291_000_000, 8),
    needsZip64(4_200_000_000, 8),
  ]).toEqual([false, true, true, false])
})
