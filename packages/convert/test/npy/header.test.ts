import { expect, test } from 'vitest'
import { openNpy } from '../../src/npy/open.js'
import type { OpenNpyOptions } from '../../src/npy/open.js'
import { memorySource, payload, sparseSource } from '../support/memory.js'
import { buildNpy, headerOf } from './build.js'

const open = (bytes: Uint8Array, options?: OpenNpyOptions): ReturnType<typeof openNpy> =>
  openNpy(memorySource(bytes), options)

test.each([
  [1, '1.0'],
  [2, '2.0'],
  [3, '3.0'],
])('version %i', async (major, version) => {
  const model = await open(buildNpy(headerOf('<i2', [2]), Uint8Array.of(1, 2, 3, 4), major), { name: 'x' })
  expect(model).toMatchObject({
    version,
    fortranOrder: false,
    bigEndian: false,
    tensors: [{ name: 'x', dtype: 'i16', shape: [2], byteLength: 4 }],
  })
  expect(await payload(model.tensors[0]!)).toEqual(Uint8Array.of(1, 2, 3, 4))
})

test.each([
  ['|b1', 'bool', false],
  ['?', 'bool', false],
  ['|u1', 'u8', false],
  ['u1', 'u8', false],
  ['>u1', 'u8', false],
  ['|i1', 'i8', false],
  ['<u2', 'u16', false],
  ['>u2', 'u16', true],
  ['<i2', 'i16', false],
  ['<u4', 'u32', false],
  ['>i4', 'i32', true],
  ['<u8', 'u64', false],
  ['>i8', 'i64', true],
  ['<f2', 'f16', false],
  ['>f2', 'f16', true],
  ['=f4', 'f32', false],
  ['f4', 'f32', false],
  ['>f8', 'f64', true],
  ['<c8', 'c64', false],
  ['>c16', 'c128', true],
])('dtype %s is %s', async (descr, dtype, bigEndian) => {
  const model = await open(buildNpy(headerOf(descr, [0])))
  expect(model).toMatchObject({ bigEndian, tensors: [{ dtype, shape: [0], byteLength: 0 }] })
})

test.each([
  ['|O', /dtype '\|O' is pickled Python objects, which are never unpickled/],
  ['O8', /pickled Python objects/],
  ['|S5', /dtype '\|S5' is text/],
  ['|a5', /is text/],
  ['<U3', /dtype '<U3' is text/],
  ['T', /is text/],
  ['<M8[ns]', /dtype '<M8\[ns\]' is a date or a duration; save it as numbers, with view\('int64'\)/],
  ['<m8', /a date or a duration/],
  ['|V2', /dtype '\|V2' is bytes without a type, as which bfloat16/],
  ['<f16', /dtype '<f16' is a long double/],
  ['<c32', /a long double/],
  ['<g', /a long double/],
  ['<i16', /dtype '<i16' is not known/],
  ['<f1', /not known/],
  ['<<f4', /not known/],
  ['float32', /dtype 'float32' is not known/],
  ['', /dtype '' is not known/],
  ['|b2', /not known/],
  ['x'.repeat(10_000), /dtype 'x{37}\.\.\.' is not known/],
])('dtype %s is refused by name', async (descr, detail) => {
  await expect(open(buildNpy(headerOf(descr, [1]), new Uint8Array(4)))).rejects.toMatchObject({
    code: 'TYPE',
    detail: expect.stringMatching(detail) as unknown,
  })
})

test.each([
  [`[('a', '<f4'), ('b', '|S3')]`, /a structured dtype with the fields a \(<f4\), b \(\|S3\); save each field/],
  [`[(('title', 'n'), '<f4', (2, 3))]`, /the fields n \(<f4\)/],
  [`[('a', [('b', '<f4')])]`, /the fields a \(\[\('b', '<f4'\)\]\)/],
  [`[${`('a', '<f4'), `.repeat(1000)}]`, /, and 992 more; save each field/],
  ['[]', /a structured dtype with the fields ;/],
  ['[1, None]', /the fields 1, None/],
  ['None', /dtype None is no plain number/],
  [`('<f4', (2, 2))`, /dtype \('<f4', \(2, 2\)\) is no plain number/],
  ['5', /dtype 5 is no plain number/],
  [`{'names': ['a']}`, /is no plain number/],
])('the dtype %s is refused by name', async (descr, detail) => {
  const header = `{'descr': ${descr}, 'fortran_order': False, 'shape': (1,), }`
  await expect(open(buildNpy(header, new Uint8Array(4)))).rejects.toMatchObject({
    code: 'TYPE',
    detail: expect.stringMatching(detail) as unknown,
  })
})

const F4 = `'descr': '<f4'`
const C = `'fortran_order': False`

test.each([
  [`{${F4}, ${C}}`, 'TYPE', /the key 'shape' is missing/],
  [`{${F4}, 'shape': (1,)}`, 'TYPE', /the key 'fortran_order' is missing/],
  [`{${C}, 'shape': (1,)}`, 'TYPE', /the key 'descr' is missing/],
  [`{${F4}, ${C}, 'shape': (1,), 'more': 1}`, 'TYPE', /the key "more" is none of NPY's/],
  [`[${'1,'.repeat(10)}]`, 'TYPE', /a dict expected, found a list/],
  [`{${F4}, 'fortran_order': 0, 'shape': (1,)}`, 'TYPE', /fortran_order must be True or False, found 0/],
  [`{${F4}, ${C}, 'shape': 1}`, 'TYPE', /the shape must be a tuple, found 1/],
  [`{${F4}, ${C}, 'shape': (1)}`, 'TYPE', /the shape must be a tuple, found 1/],
  [`{${F4}, ${C}, 'shape': [1]}`, 'TYPE', /the shape must be a tuple, found \[1\]/],
  [`{${F4}, ${C}, 'shape': (-1,)}`, 'TYPE', /integers from 0 up, found -1/],
  [`{${F4}, ${C}, 'shape': (True,)}`, 'TYPE', /integers from 0 up, found True/],
  [`{${F4}, ${C}, 'shape': ('1',)}`, 'TYPE', /integers from 0 up, found '1'/],
  [`{${F4}, ${C}, 'shape': (9007199254740992,)}`, 'TYPE', /a dimension of 9007199254740992, over 2\^53 - 1/],
  [`{${F4}, ${C}, 'shape': (${'9'.repeat(40)},)}`, 'TYPE', /over 2\^53 - 1/],
  [`{${F4}, ${C}, 'shape': (${'9'.repeat(10_000)},)}`, 'TYPE', /an integer of 10000 digits/],
  [
    `{${F4}, ${C}, 'shape': (4503599627370496, 4503599627370496)}`,
    'EOF',
    /needs 81129638414606681695789005144064 bytes, more than a file can have/,
  ],
  [
    `{${F4}, ${C}, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}`,
    'TYPE',
    /an array of 9 dimensions; a tensor of Kiln has at most 8/,
  ],
  [`{${F4}, ${C}, 'shape': (${'0, '.repeat(10_000)})}`, 'TYPE', /an array of 10000 dimensions/],
  [`{${F4}, ${C}, 'shape': ${'('.repeat(20_000)}`, 'LIMIT', /nested more than 32 deep/],
  [`eval('1')`, 'FRAME', /a value expected, found "e"/],
  ['', 'FRAME', /a value expected, found its end/],
  ['\0'.repeat(100), 'FRAME', /a value expected, found "\\u0000"/],
])('a header is refused (%#)', async (header, code, detail) => {
  await expect(open(buildNpy(header, new Uint8Array(4)))).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
})

test('text of versions 1.0 and 2.0 is Latin-1, of 3.0 UTF-8', async () => {
  const name = (text: string): string => `{'descr': [('${text}', '<f4')], 'fortran_order': False, 'shape': (1,)}`
  const detail = (text: string): object => ({
    code: 'TYPE',
    detail: expect.stringContaining(`the fields ${text} (<f4)`) as unknown,
  })
  await expect(open(buildNpy(name('ä')))).rejects.toMatchObject(detail('ä'))
  await expect(open(buildNpy(name('ä'), undefined, 2))).rejects.toMatchObject(detail('ä'))
  const utf8 = new TextEncoder().encode(name('日本🙂'))
  await expect(open(buildNpy(utf8, undefined, 3))).rejects.toMatchObject(detail('日本🙂'))
  await expect(open(buildNpy(name('ä'), undefined, 3))).rejects.toMatchObject({
    code: 'UTF8',
    detail: 'the header is not UTF-8',
  })
})

test.each([
  [0, 0],
  [4, 0],
  [1, 1],
  [255, 255],
])('version %i.%i is refused', async (major, minor) => {
  await expect(open(buildNpy(headerOf('<f4', [0]), undefined, major, minor))).rejects.toMatchObject({
    code: 'FRAME',
    detail: `version ${major}.${minor} of NPY is not known; 1.0, 2.0 and 3.0 are read`,
  })
})

test('a payload that is shorter or longer than its shape is refused', async () => {
  const header = headerOf('<f4', [2, 3])
  await expect(open(buildNpy(header, new Uint8Array(23)))).rejects.toMatchObject({
    code: 'EOF',
    detail: 'the shape (2, 3) needs 24 bytes of payload, and 23 follow the header',
  })
  await expect(open(buildNpy(header, new Uint8Array(25)))).rejects.toMatchObject({
    code: 'TRAILING',
    offset: 10 + header.length + 24,
  })
})

test('every prefix is refused as cut short', async () => {
  const bytes = buildNpy(headerOf('<f4', [2]), new Uint8Array(8))
  for (let length = 6; length < bytes.length; length++) {
    await expect(open(bytes.subarray(0, length))).rejects.toMatchObject({ code: 'EOF' })
  }
})

test('a header over the cap is refused before it is read, and the cap can be raised', async () => {
  const header = headerOf('<f4', [1]).padEnd(2 ** 20 + 1)
  const bytes = buildNpy(header, new Uint8Array(4), 2)
  const source = memorySource(bytes)
  await expect(openNpy(source)).rejects.toMatchObject({
    code: 'LIMIT',
    detail: 'a header of 1048577 bytes is over the cap of 1048576; raise limits.header if it is meant',
  })
  expect(source.reads.bytes).toBeLessThan(10_000)
  await expect(openNpy(source, { limits: { header: 2 ** 21 } })).resolves.toMatchObject({ tensors: [{ shape: [1] }] })
})

test('what is no NPY file is refused, and says what it is', async () => {
  await expect(open(new TextEncoder().encode('PK\u0003\u0004 and more'))).rejects.toMatchObject({
    code: 'FRAME',
    detail: expect.stringContaining('ZIP') as unknown,
  })
  await expect(open(new Uint8Array(0))).rejects.toMatchObject({
    code: 'EOF',
    detail: expect.stringContaining('an empty file') as unknown,
  })
  await expect(open(Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x5a, 1, 0))).rejects.toMatchObject({ code: 'FRAME' })
})

test('an array of 2^52 bytes is opened by its header, and read where it lies', async () => {
  const header = headerOf('|u1', [2 ** 52])
  const head = buildNpy(header)
  const source = sparseSource(head.length + 2 ** 52, [
    [0, head],
    [head.length, Uint8Array.of(7)],
  ])
  const model = await openNpy(source)
  expect(model.tensors[0]).toMatchObject({ shape: [2 ** 52], byteLength: 2 ** 52 })
  for await (const piece of model.tensors[0]!.chunks()) {
    expect(piece[0]).toBe(7)
    break
  }
  expect(source.reads.bytes).toBeLessThan(2 ** 21)
})
