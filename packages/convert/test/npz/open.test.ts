import { deflateSync } from 'fflate'
import { expect, test } from 'vitest'
import { openNpz } from '../../src/npz/open.js'
import { buildNpy, headerOf } from '../npy/build.js'
import { concat, memorySource, payload } from '../support/memory.js'
import { buildZip } from './build.js'
import type { BuildZipOptions, BuiltMember } from './build.js'

const values = Uint8Array.of(1, 0, 2, 0, 3, 0)
const npy = buildNpy(headerOf('<i2', [3]), values)
const a: BuiltMember = { name: 'a.npy', data: npy }

test.each<[string, Partial<BuiltMember>, BuildZipOptions]>([
  ['stored', {}, {}],
  ['deflated', { method: 8 }, {}],
  ['stored, with a marked descriptor', { descriptor: 'marked' }, {}],
  ['stored, with a bare descriptor', { descriptor: 'bare' }, {}],
  ['deflated, with a marked descriptor', { method: 8, descriptor: 'marked' }, {}],
  ['deflated, with a bare descriptor', { method: 8, descriptor: 'bare' }, {}],
  [
    'deflated, with a descriptor and its sizes in the header all the same',
    { method: 8, descriptor: 'marked', local: { size: npy.length, compressed: deflateSync(npy).length } },
    {},
  ],
  ['deflated, with a descriptor of 64 bits', { method: 8, descriptor: 'marked64', zip64: 'both' }, {}],
  ['stored, ZIP64 in both headers', { zip64: 'both' }, {}],
  ['stored, ZIP64 in its own header, as numpy writes', { zip64: 'local' }, {}],
  ['stored, ZIP64 in the directory', { zip64: 'directory' }, {}],
  ['stored, in a ZIP64 archive', {}, { zip64: true }],
  ['deflated, ZIP64 in all places', { method: 8, zip64: 'both' }, { zip64: true }],
  ['stored, in a ZIP64 archive whose record is longer', {}, { zip64: true, end64Extra: new Uint8Array(20) }],
  [
    'stored, with other extra fields',
    { extra: Uint8Array.of(0x55, 0x54, 1, 0, 9), localExtra: Uint8Array.of(0x55, 0x54, 2, 0, 9, 9) },
    {},
  ],
  ['stored, with a comment of its own', { comment: 'a comment' }, {}],
])('a member that is %s', async (_what, member, options) => {
  const model = await openNpz(
    memorySource(
      buildZip(
        [
          { ...a, ...member },
          { name: 'dir/b.npy', data: npy, method: 8 },
        ],
        options,
      ),
    ),
  )
  expect(model.tensors).toMatchObject([
    { name: 'a', dtype: 'i16', shape: [3], byteLength: 6 },
    { name: 'dir/b', dtype: 'i16', shape: [3], byteLength: 6 },
  ])
  for (const tensor of model.tensors) {
    expect(await payload(tensor)).toEqual(values)
    expect(await payload(tensor)).toEqual(values)
  }
  expect(model.omitted).toEqual([])
})

test('an archive with nothing in it is a model without tensors', async () => {
  expect((await openNpz(memorySource(buildZip([])))).tensors).toEqual([])
})

test('an archive with a comment is read to the longest, and says that it is left out', async () => {
  const model = await openNpz(memorySource(buildZip([a], { comment: 'c'.repeat(65_535) })))
  expect(model.omitted).toEqual([{ name: 'comment', reason: 'a comment of the archive, of 65535 bytes' }])
  expect(model.tensors).toHaveLength(1)
})

test('a comment that looks like an end record is not taken for one', async () => {
  const model = await openNpz(memorySource(buildZip([a], { comment: 'PK\u0005\u0006' + '\0'.repeat(10) })))
  expect(model.tensors).toHaveLength(1)
})

test('names are UTF-8 where they are marked, and else of code page 437', async () => {
  const model = await openNpz(
    memorySource(
      buildZip([
        { name: 'ä/日本.npy', data: npy },
        { name: Uint8Array.of(0x84, 0x2e, 0x6e, 0x70, 0x79), data: npy },
        { name: '.npy', data: npy },
      ]),
    ),
  )
  expect(model.tensors.map(({ name }) => name)).toEqual(['ä/日本', 'ä', ''])
  const bad = buildZip([{ name: Uint8Array.of(0xff, 0x2e, 0x6e, 0x70, 0x79), data: npy, flags: 0x800 }])
  await expect(openNpz(memorySource(bad))).rejects.toMatchObject({
    code: 'UTF8',
    detail: "the name of member 0 of the zip's directory is not UTF-8",
  })
})

test('members in another order than the directory, and bytes between them, are read', async () => {
  const b = buildZip([{ name: 'b.npy', data: npy }])
  const archive = buildZip(
    [
      { name: 'z.npy', data: npy },
      { name: 'b.npy', data: npy, start: 0, only: 'directory' },
    ],
    {
      before: b.subarray(0, 30 + 5 + npy.length + 0),
      gap: new Uint8Array(100),
    },
  )
  const model = await openNpz(memorySource(archive))
  expect(model.tensors.map(({ name }) => name)).toEqual(['z', 'b'])
  expect(await payload(model.tensors[1]!)).toEqual(values)
})

test('members that are no arrays are left out by name, and so are arrays that Kiln has no dtype for', async () => {
  const model = await openNpz(
    memorySource(
      buildZip([
        { name: 'folder/', data: new Uint8Array(0) },
        { name: 'readme.txt', data: new Uint8Array(5), method: 12, stored: new Uint8Array(5) },
        { name: 'o.npy', data: buildNpy(headerOf('|O', [1]), new Uint8Array(50)) },
        a,
        { name: 't.npy', data: buildNpy(headerOf('<U3', [])), method: 8 },
      ]),
    ),
  )
  expect(model.tensors.map(({ name }) => name)).toEqual(['a'])
  expect(model.omitted).toMatchObject([
    { name: 'folder/', reason: 'a folder' },
    { name: 'readme.txt', reason: 'no NPY file by its name' },
    { name: 'o.npy', reason: expect.stringContaining("dtype '|O' is pickled Python objects") as unknown },
    { name: 't.npy', reason: expect.stringContaining("dtype '<U3' is text") as unknown },
  ])
  expect(model.members[1]).toEqual({ name: 'readme.txt', method: 'bzip2', size: 5 })
})

test.each<[string, readonly BuiltMember[], BuildZipOptions, string, RegExp]>([
  ['encrypted', [{ ...a, flags: 1 }], {}, 'TYPE', /"a.npy" is encrypted; make the archive without/],
  [
    'encrypted by AES',
    [{ ...a, method: 99, stored: npy }],
    {},
    'TYPE',
    /"a.npy" is AES; stored and deflated members are read/,
  ],
  ['of Zstandard', [{ ...a, method: 93, stored: npy }], {}, 'TYPE', /is Zstandard/],
  ['of Deflate64', [{ ...a, method: 9, stored: npy }], {}, 'TYPE', /is Deflate64/],
  ['of an unknown method', [{ ...a, method: 1234, stored: npy }], {}, 'TYPE', /is method 1234/],
  ['there twice', [a, { ...a, method: 8 }], {}, 'TYPE', /the zip has "a.npy" twice/],
  [
    'at the place of another',
    [a, { name: 'b.npy', data: npy, start: 0, only: 'directory' }],
    {},
    'TYPE',
    /"a.npy" and "b.npy" lie over one another/,
  ],
  [
    'inside another',
    [a, { name: 'b.npy', data: npy, start: 40, only: 'directory' }],
    {},
    'TYPE',
    /"a.npy" and "b.npy" lie over one another/,
  ],
  ['over the directory', [{ ...a, start: 30 }], {}, 'EOF', /"a.npy" ends at byte \d+, and the zip's members at byte/],
  ['past the end', [{ ...a, start: 2 ** 31 }], {}, 'EOF', /ends at byte 21474/],
  [
    'where no member is',
    [a, { name: 'b.npy', data: new Uint8Array(0), only: 'directory' }],
    { gap: new Uint8Array(100) },
    'FRAME',
    /there is no member where the zip's directory has "b.npy"/,
  ],
  ['of another name in its header', [{ ...a, local: { name: 'b.npy' } }], {}, 'FRAME', /have another name/],
  ['of a longer name in its header', [{ ...a, local: { name: 'a.npyy' } }], {}, 'FRAME', /have another name/],
  [
    'of another method in its header',
    [{ ...a, local: { method: 8 } }],
    {},
    'FRAME',
    /have another method: deflated and stored/,
  ],
  ['of another size in its header', [{ ...a, local: { size: 1 } }], {}, 'FRAME', /have another size/],
  ['of another checksum in its header', [{ ...a, local: { crc: 1 } }], {}, 'FRAME', /have another checksum/],
  ['encrypted by its header alone', [{ ...a, local: { flags: 1 } }], {}, 'FRAME', /have another mark of encryption/],
  [
    'of no size without a descriptor',
    [{ ...a, local: { size: 0, compressed: 0, crc: 0 } }],
    {},
    'FRAME',
    /have another size/,
  ],
  [
    'stored, of two sizes',
    [{ ...a, says: { size: npy.length - 1 } }],
    {},
    'FRAME',
    /is stored, and is said to be \d+ bytes and \d+ compressed/,
  ],
  [
    'deflated more than can be',
    [{ ...a, method: 8, says: { size: 10 ** 9 } }],
    {},
    'EOF',
    /more than its \d+ deflated bytes can hold/,
  ],
  [
    'without its ZIP64 field',
    [{ ...a, says: { size: 0xffffffff, compressed: 0xffffffff } }],
    {},
    'FRAME',
    /over 4 GiB by the zip's directory, and its ZIP64 sizes are missing/,
  ],
  [
    'with a ZIP64 field that is cut',
    [
      {
        ...a,
        says: { size: 0xffffffff, compressed: 0xffffffff },
        extra: Uint8Array.of(1, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8),
      },
    ],
    {},
    'FRAME',
    /ZIP64 sizes are missing/,
  ],
  [
    'with an extra field that goes on',
    [{ ...a, says: { size: 0xffffffff, compressed: 0xffffffff }, extra: Uint8Array.of(1, 0, 255, 255) }],
    {},
    'FRAME',
    /ZIP64 sizes are missing/,
  ],
  [
    'with a local ZIP64 field that is missing',
    [{ ...a, local: { size: 0xffffffff, compressed: 0xffffffff } }],
    {},
    'FRAME',
    /lacks its ZIP64 sizes/,
  ],
  [
    'no NPY file for all its name',
    [{ name: 'a.npy', data: new Uint8Array(200) }],
    {},
    'FRAME',
    /in "a.npy": an NPY file begins with/,
  ],
  [
    'too short for its array',
    [{ name: 'a.npy', data: npy.subarray(0, npy.length - 1) }],
    {},
    'EOF',
    /in "a.npy": the shape \(3\) needs 6 bytes of payload, and 5 follow/,
  ],
  [
    'too long for its array',
    [{ name: 'a.npy', data: concat([npy, Uint8Array.of(0)]) }],
    {},
    'TRAILING',
    /in "a.npy": 1 bytes follow the payload/,
  ],
  [
    'not deflated',
    [{ ...a, method: 8, stored: new Uint8Array(60).fill(0xff) }],
    {},
    'FRAME',
    /"a.npy" is not deflated data: invalid block type/,
  ],
  [
    'alone, and no array',
    [{ name: 'x.txt', data: npy }],
    {},
    'TYPE',
    /no member of the zip is an NPY file; the first is "x.txt"/,
  ],
  [
    'alone, and text',
    [{ name: 'x.npy', data: buildNpy(headerOf('<U1', [1]), new Uint8Array(4)) }],
    {},
    'TYPE',
    /in "x.npy": dtype '<U1' is text/,
  ],
])('a member that is %s is refused', async (_what, members, options, code, detail) => {
  await expect(openNpz(memorySource(buildZip(members, options)))).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
})

test.each<[string, BuildZipOptions, string, RegExp]>([
  ['too few members', { entries: 1 }, 'FRAME', /directory has \d+ bytes after its 1 members/],
  [
    'too many members',
    { entries: 3 },
    'EOF',
    /members of the zip: 3 announced, of 46 bytes or more each, and 102 bytes are left/,
  ],
  [
    'more members than fit',
    { entries: 2 ** 40, zip64: true },
    'LIMIT',
    /1099511627776 members announced, over the cap of 1048576/,
  ],
  ['65,534 members', { entries: 65_534 }, 'EOF', /members of the zip: 65534 announced/],
  ['bytes before it', { directoryStart: 0 }, 'FRAME', /the zip's directory is said to be/],
  ['a directory of another size', { directorySize: 1 }, 'FRAME', /directory is said to be 1 bytes from byte/],
  ['several disks', { disk: 1 }, 'FRAME', /one of several disks/],
  ['several disks by ZIP64', { disk: 1, zip64: true }, 'FRAME', /one of several disks/],
  ['a ZIP64 directory at 2^63', { directoryStart: 2 ** 63, zip64: true }, 'FRAME', /directory is said to be/],
])('an archive with %s is refused', async (_what, options, code, detail) => {
  await expect(openNpz(memorySource(buildZip([a, { ...a, name: 'b.npy' }], options)))).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
})

test('a program or anything else before an archive, or after it, is refused', async () => {
  const zip = buildZip([a])
  await expect(openNpz(memorySource(concat([new Uint8Array(10), zip])))).rejects.toMatchObject({ code: 'FRAME' })
  await expect(openNpz(memorySource(concat([zip, new Uint8Array(10)])))).rejects.toMatchObject({ code: 'EOF' })
})

test('every prefix of an archive is refused', async () => {
  const zip = buildZip([a, { ...a, name: 'b.npy', method: 8 }])
  for (let length = 0; length < zip.length; length++) {
    await expect(openNpz(memorySource(zip.subarray(0, length)))).rejects.toMatchObject({ name: 'KilnError' })
  }
})

test('opening reads the end, the directory, and 8 KiB of a member at most; small members share a read', async () => {
  const large = buildNpy(headerOf('|u1', [100_000]), new Uint8Array(100_000))
  const noise = buildNpy(
    headerOf('|u1', [100_000]),
    Uint8Array.from({ length: 100_000 }, (_, i) => (i * i * 7919) % 251),
  )
  const members = Array.from({ length: 20 }, (_, i): BuiltMember[] => [
    { name: `large${i}.npy`, data: large },
    { name: `noise${i}.npy`, data: noise, method: 8 },
  ]).flat()
  const source = memorySource(buildZip(members))
  expect((await openNpz(source)).tensors).toHaveLength(40)
  expect(source.reads.count).toBeLessThanOrEqual(2 + 40)
  expect(source.reads.bytes).toBeLessThanOrEqual(2 ** 17 + 40 * 2 ** 13)
  const small = memorySource(buildZip(Array.from({ length: 1000 }, (_, i) => ({ name: `s${i}.npy`, data: npy }))))
  expect((await openNpz(small)).tensors).toHaveLength(1000)
  expect(small.reads.count).toBeLessThanOrEqual(3 + Math.ceil(small.size / 7000))
})
