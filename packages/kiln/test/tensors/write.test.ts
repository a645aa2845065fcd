import { encodeDirectory, readDirectory, tensor, type TensorInput } from 'kiln-format'
import { describe, expect, test } from 'vitest'
import { ByteWriter } from '../../src/bytes/writer.js'
import { writeDirectory, writeTable, type TensorDescription } from '../../src/tensors/write.js'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

const LARGEST = Number.MAX_SAFE_INTEGER
const bytesOnly = (name: string | undefined, length: number): TensorDescription => ({ name, dtype: 'u8', shape: [length] })

/** Code, path and detail of a fault. */
function told(run: () => unknown): unknown[] {
  const { code, path, detail, offset } = fault(run)
  expect(offset).toBe(undefined)
  return [code, path, detail]
}

describe('sizes', () => {
  const tooLarge = 'the directory would take over 2^53 - 1 bytes; split it'
  test('a block may take 2^53 - 1 bytes and none more', () => {
    const { totalSize, payloads } = writeTable([bytesOnly('', LARGEST - 192)])
    expect([totalSize, payloads]).toEqual([LARGEST, [{ offset: 192, length: LARGEST - 192 }]])
    expect(told(() => writeTable([bytesOnly('', LARGEST - 191)]))).toEqual(['LIMIT', '', tooLarge])
  })
  test('payloads of 2^53 - 1 bytes are the block’s fault, of more that of the tensor that is too much', () => {
    expect(told(() => writeTable([bytesOnly('a', LARGEST)]))).toEqual(['LIMIT', '', tooLarge])
    expect(told(() => writeTable([bytesOnly('a', LARGEST - 63), bytesOnly('b', 64)]))).toEqual(['LIMIT', 'b', tooLarge])
    expect(told(() => writeTable([bytesOnly('a', LARGEST - 63), bytesOnly('', 64)]))).toEqual(['LIMIT', '[1]', tooLarge])
  })
})

describe('room', () => {
  test.each([7, 8, 100])('%d tensors without names fill their table to the byte', (count) => {
    const { bytes, totalSize } = writeTable(Array.from({ length: count }, () => bytesOnly(undefined, 0)))
    expect([bytes.length, totalSize]).toEqual([64 + 128 * count, 64 + 128 * count])
    expect(readDirectory(bytes, { strict: true }).names).toEqual(Array.from({ length: count }, () => ''))
  })
  test('names that take three bytes a unit', () => {
    const names = ['名'.repeat(3000), '前', 'w'.repeat(2000)]
    const { bytes } = writeTable(names.map((name) => bytesOnly(name, 0)))
    // 64 + 3 × 128 + 9000 + 3 + 2000 is 11,451.
    expect(bytes.length).toBe(11_456)
    expect(readDirectory(bytes, { strict: true }).names).toEqual(names)
  })
  test('an alignment of a page', () => {
    const { bytes, payloads } = writeTable([bytesOnly('a', 1), bytesOnly('b', 2)], 4096)
    expect([bytes.length, payloads]).toEqual([4096, [{ offset: 4096, length: 1 }, { offset: 8192, length: 2 }]])
    expect(hexOf(bytes.subarray(320))).toBe(`6162${'00'.repeat(3774)}`)
  })
})

test.each([0, 64])('nothing of what stood in the writer shows, at byte %d', (start) => {
  const tensors = Array.from({ length: 5 }, (_, i) => tensor(i === 4 ? 'n' : '', 'u8', [1], [i]))
  const w = new ByteWriter()
  w.bytes.fill(0xee)
  w.pos = start
  writeDirectory(w, tensors, { checksums: true })
  const written = w.finish().subarray(start)
  expect(hexOf(written)).toBe(hexOf(encodeDirectory(tensors, { checksums: true })))
  const directory = readDirectory(written, { strict: true })
  expect([...directory].map(({ name, bytes, checksum }) => [name, hexOf(bytes), checksum])).toEqual([
    ['', '00', 0xd202ef8d], ['', '01', 0xa505df1b], ['', '02', 0x3c0c8ea1], ['', '03', 0x4b0bbe37], ['n', '04', 0xd56f2b94],
  ])
})

describe('links', () => {
  const scale = tensor('s', 'f32', [1], [1])
  const unnamed = tensor('', 'f32', [1], [1])
  const linked = (options: object, name = 'w'): TensorInput => tensor(name, 'u8', [4], new Uint8Array(4), { scale: 's', axis: 0, groupSize: 4, ...options })

  test('a group size of 0 says that there is none', () => {
    const plain = encodeDirectory([tensor('w', 'u8', [1], [1])])
    expect(hexOf(encodeDirectory([tensor('w', 'u8', [1], [1], { groupSize: 0 })]))).toBe(hexOf(plain))
    expect(told(() => encodeDirectory([tensor('w', 'u8', [1], [1], { groupSize: 1 })]))).toEqual(['TYPE', 'w', 'outer, axis and groupSize need a scale'])
  })
  test.each<[string, readonly TensorInput[], string, string]>([
    ['an axis below 0', [linked({ axis: -1 }), scale], 'w.axis', 'a tensor with a scale needs axis, an integer from 0 to 65534; got -1'],
    ['an axis over 65,534', [linked({ axis: 65_535 }), scale], 'w.axis', 'a tensor with a scale needs axis, an integer from 0 to 65534; got 65535'],
    ['a group below 0', [linked({ groupSize: -1 }), scale], 'w.groupSize', 'a tensor with a scale needs groupSize, an integer from 0 to 4294967295; got -1'],
    ['a group over 32 bits', [linked({ groupSize: 2 ** 32 }), scale], 'w.groupSize', 'a tensor with a scale needs groupSize, an integer from 0 to 4294967295; got 4294967296'],
    ['the place that stands for none', [linked({ scale: 2 ** 32 - 1 }), scale], 'w.scale', `a tensor with a scale needs scale (a tensor's place), an integer from 0 to 4294967294; got 4294967295`],
    ['an outer place below 0', [linked({ outer: -1 }), scale], 'w.outer', `a tensor with a scale needs outer (a tensor's place), an integer from 0 to 4294967294; got -1`],
    ['a scale of no name, beside a tensor without one', [linked({ scale: '' }), unnamed], 'w.scale', 'scale names the tensor "", which is not in the list'],
    ['an outer scale that is not there', [linked({ outer: 'o' }), scale], 'w.outer', 'outer names the tensor "o", which is not in the list'],
    ['a fault of a tensor without a name', [scale, linked({ scale: 'o' }, '')], '[1].scale', 'scale names the tensor "o", which is not in the list'],
  ])('%s', (_, tensors, path, detail) => {
    expect(told(() => encodeDirectory(tensors))).toEqual(['TYPE', path, detail])
  })
  test('a link that breaks a rule is told by name, or by place where there is none', () => {
    expect(told(() => encodeDirectory([scale, linked({ axis: 1 })]))).toEqual(['TYPE', 'w.axis', 'axis 1 is not below the rank, 1'])
    expect(told(() => encodeDirectory([scale, linked({ axis: 1 }, '')]))).toEqual(['TYPE', '[1].axis', 'axis 1 is not below the rank, 1'])
  })
})

describe('faults of a tensor', () => {
  const short = { dtype: 'u8', shape: [2], data: new Uint8Array(1) } as const
  test.each<[string | undefined, string]>([['w', 'w'], ['', '[1]'], [undefined, '[1]']])('data that is too short, of the name %j', (name, path) => {
    expect(told(() => encodeDirectory([tensor('a', 'u8', [0], []), { ...short, name }]))).toEqual(['TYPE', path, 'u8 [2] needs 2 bytes of data, there are 1'])
  })
  test.each<[string | undefined, string]>([['w', 'w'], ['', '[1]'], [undefined, '[1]']])('a shape that is none, of the name %j', (name, path) => {
    expect(told(() => encodeDirectory([tensor('a', 'u8', [0], []), { ...short, name, shape: [-1] }]))).toEqual(['TYPE', path, 'a dimension is an integer from 0 to 2^53 - 1, got -1'])
  })
  test('an error that is not the library’s comes as it is', () => {
    const own = new RangeError('of a getter')
    const tensors = [{ name: 'w', dtype: 'u8', data: new Uint8Array(1), get shape(): never { throw own } }] as const
    let caught: unknown
    try {
      encodeDirectory(tensors)
    } catch (error) {
      caught = error
    }
    expect(caught).toBe(own)
  })
})
