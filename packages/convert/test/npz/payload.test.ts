import { deflateSync } from 'fflate'
import { expect, test } from 'vitest'
import { openNpz } from '../../src/npz/open.js'
import { buildNpy, headerOf } from '../npy/build.js'
import { sha256 } from '../support/fixtures.js'
import { concat, memorySource, payload, sparseSource } from '../support/memory.js'
import { buildZip } from './build.js'
import type { BuiltMember } from './build.js'

const values = Uint8Array.of(1, 0, 2, 0, 3, 0)
const npy = buildNpy(headerOf('<i2', [3]), values)
const a: BuiltMember = { name: 'a.npy', data: npy }
const zeros = buildNpy(headerOf('|u1', [3_000_000]), new Uint8Array(3_000_000))

// What is found out only by reading, at the end of the payload at the latest; of a small member that is deflated,
// when its head is read.
test.each<[string, Partial<BuiltMember>, string, RegExp]>([
  [
    'another checksum, stored',
    { says: { crc: 1 } },
    'CHECKSUM',
    /"a.npy" has the CRC-32 [0-9a-f]{8}, and the zip says 00000001/,
  ],
  ['another checksum, deflated', { method: 8, data: zeros, says: { crc: 1 } }, 'CHECKSUM', /the zip says 00000001/],
  [
    'bytes after the end of the deflated data',
    { method: 8, data: zeros, stored: concat([deflateSync(zeros), new Uint8Array(10_000)]) },
    'TRAILING',
    /deflated bytes after its last/,
  ],
])('a payload with %s is refused when it is read', async (_what, member, code, detail) => {
  const model = await openNpz(memorySource(buildZip([{ ...a, ...member }])))
  await expect(payload(model.tensors[0]!)).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
})

test('data that inflates to fewer or more bytes than the zip says is refused', async () => {
  const more = deflateSync(concat([npy, new Uint8Array(1000)]))
  const source = memorySource(buildZip([{ name: 'a.npy', data: npy, method: 8, stored: more }]))
  const refused = async (): Promise<void> => {
    const model = await openNpz(source)
    await payload(model.tensors[0]!)
  }
  await expect(refused()).rejects.toMatchObject({
    code: 'TRAILING',
    detail: expect.stringMatching(/inflates to more than the \d+ bytes/) as unknown,
  })
  const fewer = buildZip([
    {
      name: 'a.npy',
      data: zeros,
      method: 8,
      stored: deflateSync(zeros.subarray(0, 2_000_000)),
      says: { size: zeros.length, compressed: 5000 },
    },
  ])
  await expect(openNpz(memorySource(fewer))).rejects.toMatchObject({ name: 'KilnError' })
  const cut = deflateSync(zeros).subarray(0, -10)
  const model = await openNpz(
    memorySource(
      buildZip([{ name: 'a.npy', data: zeros, method: 8, stored: cut, says: { compressed: cut.length + 4000 } }], {
        gap: new Uint8Array(4000),
      }),
    ),
  )
  await expect(payload(model.tensors[0]!)).rejects.toMatchObject({ name: 'KilnError' })
})

test('a bomb is inflated in small pieces, and no further than it is read', async () => {
  const zip = buildZip([{ name: 'a.npy', data: zeros, method: 8 }])
  expect(zip.length).toBeLessThan(10_000)
  const model = await openNpz(memorySource(zip))
  let longest = 0
  let total = 0
  for await (const piece of model.tensors[0]!.chunks()) {
    longest = Math.max(longest, piece.length)
    total += piece.length
  }
  expect(total).toBe(3_000_000)
  expect(longest).toBeLessThanOrEqual(2 ** 20)
  await expect(openNpz(memorySource(zip), { limits: { inflated: 2_999_999 } })).rejects.toMatchObject({
    code: 'LIMIT',
    detail: 'the members have 3000128 bytes when inflated, over the cap of 2999999; raise limits.inflated'.replace(
      '3000128',
      String(zeros.length),
    ),
  })
})

test('many members over the same bytes are refused, however small the archive', async () => {
  const stored = deflateSync(zeros)
  const says = { crc: 1, compressed: stored.length, size: zeros.length }
  const kernel: BuiltMember = { name: 'a0.npy', data: new Uint8Array(0), method: 8, stored, says }
  const others = Array.from({ length: 500 }, (_, i): BuiltMember => ({
    ...kernel,
    name: `b${i}.npy`,
    start: 0,
    only: 'directory',
  }))
  const archive = buildZip([kernel, ...others])
  expect(archive.length).toBeLessThan(40_000)
  await expect(openNpz(memorySource(archive))).rejects.toMatchObject({
    code: 'TYPE',
    detail: expect.stringContaining('lie over one another') as unknown,
  })
})

test('a Fortran-ordered member that is deflated is turned', async () => {
  const data = buildNpy(headerOf('>i2', [2, 3], true), Uint8Array.of(0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6))
  const model = await openNpz(memorySource(buildZip([{ name: 'f.npy', data, method: 8 }])))
  expect(await payload(model.tensors[0]!)).toEqual(Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0))
})

test('a large member is inflated right over many pieces', async () => {
  const content = new Uint8Array(2_500_000)
  for (let i = 0, state = 1; i < content.length; i++) {
    state = (state * 48_271) % 2_147_483_647
    // Runs and noise, so that matches reach back over pieces.
    content[i] = i % 1000 < 500 ? content[Math.max(0, i - 30_000)]! : state % 256
  }
  const data = buildNpy(headerOf('|u1', [content.length]), content)
  const model = await openNpz(memorySource(buildZip([{ name: 'a.npy', data, method: 8 }])))
  expect(sha256(await payload(model.tensors[0]!))).toBe(sha256(content))
})

test('an archive of over 4 GiB is read where it says', async () => {
  const far = 5 * 2 ** 32
  const big = 2 ** 32 + 8
  const header = buildNpy(headerOf('|u1', [big]))
  const member = buildZip([{ name: 'far.npy', data: npy }]).subarray(0, 30 + 7 + npy.length)
  // The directory by hand: its members are said to be where they are, by 64 bits.
  const directory = buildZip(
    [
      {
        name: 'big.npy',
        data: header,
        says: { size: header.length + big, compressed: header.length + big },
        zip64: 'both',
        start: 0,
        only: 'directory',
      },
      { name: 'far.npy', data: npy, zip64: 'directory', start: far, only: 'directory' },
    ],
    { zip64: true },
  )
  const start = far + member.length
  const tail = directory.slice()
  const view = new DataView(tail.buffer)
  const end = tail.length - 22
  view.setBigUint64(end - 20 + 8, BigInt(start) + view.getBigUint64(end - 20 + 8, true), true)
  view.setBigUint64(end - 20 - 8, BigInt(start), true)
  const local = buildZip([
    {
      name: 'big.npy',
      data: header,
      says: { size: header.length + big, compressed: header.length + big },
      zip64: 'local',
    },
  ])
  const source = sparseSource(start + tail.length, [
    [0, local.subarray(0, 30 + 7 + 20 + header.length)],
    [30 + 7 + 20 + header.length + 2 ** 32, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    [far, member],
    [start, tail],
  ])
  const model = await openNpz(source)
  expect(model.tensors).toMatchObject([
    { name: 'big', shape: [big] },
    { name: 'far', shape: [3] },
  ])
  expect(await payload(model.tensors[1]!)).toEqual(values)
  expect(source.reads.bytes).toBeLessThan(200_000)
})
