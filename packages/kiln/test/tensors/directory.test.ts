import { describe, expect, test } from 'vitest'
import {
  dtypeOf, dtypeOfCode, dtypes, elementCount, encodeDirectory, payloadLength, readDirectory, scaleCount, tensor, verifyDirectory,
  type DtypeName, type TensorInput,
} from 'kiln-format'
import { fault } from '../support/fault.js'
import { hexOf } from '../support/hex.js'

const F32 = [1, -2]

describe('dtypes', () => {
  test('the table has every code of the format once', () => {
    expect(dtypes.length).toBe(55)
    expect(new Set(dtypes.map(({ code }) => code)).size).toBe(55)
    expect(new Set(dtypes.map(({ name }) => name)).size).toBe(55)
    expect(dtypeOf('bool')).toMatchObject({ code: 1, blockBits: 8, blockElements: 1, foreign: false })
    expect(dtypeOf('c128')).toMatchObject({ code: 0x0106, blockBits: 128 })
    expect(dtypeOf('e2m1')).toMatchObject({ code: 0x0208, blockBits: 4 })
    expect(dtypeOf('ggml_q4_k')).toMatchObject({ code: 0x100c, blockBits: 144 * 8, blockElements: 256, foreign: true })
    for (const dtype of dtypes) {
      expect(dtypeOfCode(dtype.code)).toBe(dtype)
      expect(dtypeOf(dtype.name)).toBe(dtype)
    }
    expect(dtypeOfCode(0)).toBe(undefined)
    expect(dtypeOfCode(0x1004)).toBe(undefined)
  })

  test('a name that is none says so', () => {
    expect(fault(() => dtypeOf('f33' as DtypeName)).code).toBe('TYPE')
    expect(fault(() => dtypeOf('constructor' as DtypeName)).code).toBe('TYPE')
    expect(fault(() => dtypeOf('__proto__' as DtypeName)).code).toBe('TYPE')
  })

  test('bytes are whole, for every width and few elements', () => {
    const lengths = (name: DtypeName): (number | bigint)[] => [0, 1, 2, 3, 4, 5, 8].map((n) => payloadLength(dtypeOf(name), [n]))
    expect(lengths('u1')).toEqual([0, 1, 1, 1, 1, 1, 1])
    expect(lengths('u2')).toEqual([0, 1, 1, 1, 1, 2, 2])
    expect(lengths('e2m1')).toEqual([0, 1, 1, 2, 2, 3, 4])
    expect(lengths('e3m2')).toEqual([0, 1, 2, 3, 3, 4, 6])
    expect(lengths('u8')).toEqual([0, 1, 2, 3, 4, 5, 8])
    expect(lengths('bf16')).toEqual([0, 2, 4, 6, 8, 10, 16])
    expect(lengths('c128')).toEqual([0, 16, 32, 48, 64, 80, 128])
    expect(payloadLength(dtypeOf('ggml_q4_0'), [2, 64])).toBe(72)
  })

  test('products are exact, however large', () => {
    expect(elementCount([])).toBe(1)
    expect(elementCount([4, 0, 2])).toBe(0)
    expect(elementCount([0, 2 ** 53 - 1, 2 ** 53 - 1])).toBe(0)
    expect(elementCount([2 ** 53 - 1])).toBe(2 ** 53 - 1)
    expect(elementCount([2 ** 32, 2 ** 32])).toBe(2n ** 64n)
    expect(payloadLength(dtypeOf('f64'), [2 ** 32, 2 ** 32])).toBe(2n ** 67n)
    expect(payloadLength(dtypeOf('u1'), [2 ** 53 - 1])).toBe(2 ** 50)
    expect(scaleCount([4096, 4096], 1, 32)).toBe(4096 * 128)
    expect(scaleCount([33], 0, 32)).toBe(2)
    expect(scaleCount([3, 0], 0, 2)).toBe(0)
  })
})

describe('writing', () => {
  test('the canonical block, to the byte', () => {
    const block = encodeDirectory([tensor('', 'f32', [2], F32)])
    expect(block.length).toBe(200)
    expect(hexOf(block.subarray(192))).toBe('0000803f000000c0')
    expect(hexOf(block.subarray(0, 32))).toBe('4b494c5402000000' + 'c800000000000000' + '01000000' + '00000000' + 'c000000000000000')
    expect(encodeDirectory([]).length).toBe(64)
    expect(block.buffer.byteLength).toBe(200)
  })

  test('payloads lie at multiples of 64, gaps are zero, an empty one obeys too', () => {
    const block = encodeDirectory([tensor('a', 'u8', [3], [1, 2, 3]), tensor('b', 'f32', [2], F32), tensor('c', 'u8', [0], [])])
    const dir = readDirectory(block)
    expect([...dir].map((t) => t.byteOffset - dir.payloadBase)).toEqual([0, 64, 128])
    expect(block.length).toBe(dir.payloadBase + 128)
    expect(block.subarray(dir.payloadBase + 3, dir.payloadBase + 64).every((byte) => byte === 0)).toBe(true)
    const tail = encodeDirectory([tensor('a', 'u8', [3], [1, 2, 3]), tensor('b', 'u8', [0], [])])
    expect(tail.length).toBe(readDirectory(tail).payloadBase + 64)
  })

  test('a larger alignment is valid and not canonical', () => {
    const block = encodeDirectory([tensor('a', 'u8', [1], [1]), tensor('b', 'u8', [1], [2])], { alignment: 4096 })
    const dir = verifyDirectory(block)
    expect([dir.payloadBase, dir.at(0).byteOffset, dir.at(1).byteOffset, block.length]).toEqual([4096, 4096, 8192, 8193])
    expect(fault(() => readDirectory(block, { strict: true })).detail).toBe(
      'payload_base is 4096, in the canonical block it is 384; read it without strict, or write it again',
    )
    expect(readDirectory(encodeDirectory([tensor('a', 'u8', [1], [1])], { alignment: 65_536 })).payloadBase).toBe(65_536)
    for (const alignment of [0, 1, 63, 96, 65_600, 131_072, -64, 64.5, NaN, '64' as unknown as number]) {
      expect(fault(() => encodeDirectory([], { alignment })).code).toBe('TYPE')
    }
  })

  test('checksums are stored where they are asked for', () => {
    const inputs = [tensor('a', 'u8', [9], Buffer.from('123456789')), tensor('b', 'u8', [1], [1], { checksum: false })]
    const all = readDirectory(encodeDirectory(inputs, { checksums: true }))
    expect([...all].map((t) => t.checksum)).toEqual([0xcbf43926, undefined])
    expect([...readDirectory(encodeDirectory(inputs))].map((t) => t.checksum)).toEqual([undefined, undefined])
    const one = [tensor('a', 'u8', [9], Buffer.from('123456789'), { checksum: true }), tensor('b', 'u8', [1], [1])]
    expect([...readDirectory(encodeDirectory(one))].map((t) => t.checksum)).toEqual([0xcbf43926, undefined])
    expect(readDirectory(encodeDirectory([tensor('z', 'u8', [0], [])], { checksums: true })).at(0).checksum).toBe(0)
  })

  test.each<[string, () => TensorInput, string, string]>([
    ['too few bytes', () => tensor('w', 'f32', [3], F32), 'w', 'f32 [3] needs 12 bytes of data, there are 8'],
    ['too many bytes', () => tensor('w', 'u8', [1], [1, 2]), 'w', 'u8 [1] needs 1 bytes of data, there are 2'],
    ['another typed array', () => tensor('w', 'f32', [1], new Float64Array(1)), 'w', 'the data of f32 is a Float32Array or bytes, not a Float64Array'],
    ['no data', () => tensor('w', 'f32', [1], 'ab' as never), 'w', 'data must be bytes or a typed array, got "ab"'],
    ['nine dimensions', () => tensor('w', 'u8', new Array<number>(9).fill(1), [1]), 'w', 'a shape is an array of at most 8 dimensions, got an array of 9'],
    ['a fraction', () => tensor('w', 'u8', [1.5], [1]), 'w', 'a dimension is an integer from 0 to 2^53 - 1, got 1.5'],
    ['a negative dimension', () => tensor('w', 'u8', [-1], []), 'w', 'a dimension is an integer from 0 to 2^53 - 1, got -1'],
    ['2^53', () => tensor('w', 'u8', [2 ** 53], []), 'w', 'a dimension is an integer from 0 to 2^53 - 1, got 9007199254740992'],
    ['more than 2^53 bytes', () => tensor('w', 'u8', [2 ** 32, 2 ** 32], []), 'w', 'u8 [4294967296, 4294967296] would take 18446744073709551616 bytes'],
    ['half a block', () => tensor('w', 'ggml_q4_0', [2, 48], new Uint8Array(54)), 'w', 'the last dimension of ggml_q4_0 is a multiple of 32, the shape is [2, 48]'],
    ['a block of rank 0', () => tensor('w', 'ggml_q4_0', [], new Uint8Array(18)), 'w', 'the last dimension of ggml_q4_0 is a multiple of 32, the shape is []'],
    ['numbers for codes', () => tensor('w', 'e2m1', [2], [1, 2]), 'w', 'the data of e2m1 is bytes, as the format stores them; kiln-format/numeric makes them from numbers'],
    ['a number out of range', () => tensor('w', 'u8', [2], [1, 256]), 'w[1]', 'u8 takes an integer from 0 to 255, got 256'],
    ['a bigint out of range', () => tensor('w', 'u64', [1], [-1n]), 'w[0]', 'u64 takes a bigint from 0 to 18446744073709551615 or a safe integer, got -1n'],
  ])('%s is TYPE', (_, make, path, detail) => {
    expect(fault(make)).toMatchObject({ code: 'TYPE', path, detail })
  })

  test.each<[string, unknown, string, string]>([
    ['a name twice', [tensor('w', 'u8', [1], [1]), tensor('w', 'u8', [1], [1])], 'w', 'the name stands twice; rename one of the tensors'],
    ['no array', 7, '', 'tensors takes a directory or an array of tensors, got 7'],
    ['no tensor', [7], '[0]', `a tensor expected, such as tensor('w', 'f32', [2], data); got 7`],
    ['a hole', new Array(2), '[0]', `a tensor expected, such as tensor('w', 'f32', [2], data); got undefined`],
    ['outer alone', [tensor('w', 'u8', [1], [1], { outer: 'x' })], 'w', 'outer, axis and groupSize need a scale'],
    ['axis alone', [tensor('w', 'u8', [1], [1], { axis: 0 })], 'w', 'outer, axis and groupSize need a scale'],
    ['group size alone', [tensor('w', 'u8', [1], [1], { groupSize: 4 })], 'w', 'outer, axis and groupSize need a scale'],
    ['a scale that is not there', [tensor('w', 'u8', [1], [1], { scale: 's', axis: 0, groupSize: 1 })], 'w', 'scale names the tensor "s", which is not in the list'],
    ['a scale without an axis', [tensor('w', 'u8', [1], [1], { scale: 0, groupSize: 1 })], 'w', 'a tensor with a scale needs axis, an integer from 0 to 65534; got undefined'],
    ['a scale without a group size', [tensor('w', 'u8', [1], [1], { scale: 0, axis: 0 })], 'w', 'a tensor with a scale needs groupSize, an integer from 0 to 4294967295; got undefined'],
    ['a lone surrogate', [{ name: 'a\ud800', dtype: 'u8', shape: [0], data: new Uint8Array(0) }], 'a\ud800', 'the string has a lone surrogate at index 1; repair it with toWellFormed() if that is meant'],
    ['an unknown dtype', [{ name: 'a', dtype: 'f33', shape: [0], data: new Uint8Array(0) }], 'a', '"f33" is no dtype'],
  ])('%s is refused by name', (_, tensors, path, detail) => {
    const error = fault(() => encodeDirectory(tensors as TensorInput[]))
    expect(error.path).toContain(path.replace('\ud800', ''))
    expect(error.detail).toContain(detail)
  })

  test('a typed array of the elements, bytes, and an array of numbers are the same payload', () => {
    const want = hexOf(encodeDirectory([tensor('w', 'f32', [2], F32)]))
    expect(hexOf(encodeDirectory([tensor('w', 'f32', [2], Float32Array.of(...F32))]))).toBe(want)
    expect(hexOf(encodeDirectory([tensor('w', 'f32', [2], Buffer.from('0000803f000000c0', 'hex'))]))).toBe(want)
    expect(hexOf(encodeDirectory([tensor('w', 'f32', [2], Float32Array.of(...F32).buffer)]))).toBe(want)
    expect(hexOf(encodeDirectory([tensor('w', 'c64', [1], Float32Array.of(...F32))]).subarray(192 + 64))).toBe('0000803f000000c0')
    expect([...readDirectory(encodeDirectory([tensor('w', 'bf16', [2], Uint16Array.of(0x3f80, 1))])).at(0).bytes]).toEqual([0x80, 0x3f, 1, 0])
  })

  test('a tensor that was read, and a whole directory, can be written again', () => {
    const block = encodeDirectory(
      [
        tensor('w', 'e2m1', [2, 32], new Uint8Array(32).fill(0x21), { scale: 's', outer: 'o', axis: 1, groupSize: 16 }),
        tensor('s', 'f8e4m3', [2, 2], Uint8Array.of(1, 2, 3, 4)),
        tensor('o', 'f32', [1], [0.5]),
      ],
      { checksums: true },
    )
    const dir = readDirectory(block)
    expect(hexOf(encodeDirectory(dir))).toBe(hexOf(block))
    const turned = readDirectory(encodeDirectory([dir.get('o'), dir.get('s'), dir.get('w')]))
    expect(turned.names).toEqual(['o', 's', 'w'])
    expect([turned.get('w').scale?.name, turned.get('w').outer?.name]).toEqual(['s', 'o'])
    expect(fault(() => encodeDirectory([dir.get('w'), dir.get('s')]))).toMatchObject({ code: 'TYPE', detail: 'the linked tensor "o" is not in the list; give it too' })
  })
})

describe('reading', () => {
  const block = encodeDirectory([
    tensor('w', 'e2m1', [4, 32], new Uint8Array(64).fill(0x21), { scale: 's', axis: 1, groupSize: 32 }),
    tensor('s', 'e8m0', [4, 1], Uint8Array.of(127, 128, 126, 127)),
    tensor('é', 'f32', [], [3.5]),
    tensor('', 'i64', [2], [1n, -1]),
    tensor('half', 'f16', [3], Uint16Array.of(0x3c00, 1, 2)),
  ])
  const dir = readDirectory(block)

  test('tensors by place and by name', () => {
    expect([dir.length, dir.byteLength, dir.names]).toEqual([5, block.length, ['w', 's', 'é', '', 'half']])
    expect(dir.get('s')).toBe(dir.at(1))
    expect([...dir].map((t) => t.index)).toEqual([0, 1, 2, 3, 4])
    expect([dir.has('é'), dir.has('e'), dir.has(''), dir.has('a\ud800')]).toEqual([true, false, false, false])
    const w = dir.get('w')
    expect([w.dtype, w.shape, w.elements, w.byteLength, w.scheme, w.axis, w.groupSize]).toEqual(['e2m1', [4, 32], 128, 64, 1, 1, 32])
    expect(Object.isFrozen(w.shape)).toBe(true)
    expect([w.scale, w.outer]).toEqual([dir.get('s'), undefined])
    const e = dir.get('é')
    expect([e.shape, e.elements, e.scheme, e.axis, e.groupSize, e.scale, e.outer]).toEqual([[], 1, 0, undefined, 0, undefined, undefined])
  })

  test('what is not there is TYPE and says what is', () => {
    expect(fault(() => dir.get('x')).detail).toBe('no tensor is named "x"; there are 5: "w", "s", "é", "", "half"')
    expect(fault(() => dir.get('')).code).toBe('TYPE')
    expect(fault(() => readDirectory(encodeDirectory([])).get('x')).detail).toBe('no tensor is named "x"; there are 0')
    for (const index of [-1, 5, 0.5, NaN]) {
      expect(fault(() => dir.at(index)).detail).toBe(`there is no tensor ${index} in a directory of 5`)
    }
  })

  test('payloads are borrowed, copied, or loaded', () => {
    const e = dir.get('é')
    expect(e.borrow('f32')).toEqual(Float32Array.of(3.5))
    expect(e.borrow().buffer).toBe(block.buffer)
    expect(e.copy('f32')).toEqual(Float32Array.of(3.5))
    expect(e.copy().buffer.byteLength).toBe(4)
    const target = new Float32Array(3)
    expect([e.load(target), ...target]).toEqual([1, 3.5, 0, 0])
    expect(dir.at(3).copy()).toEqual(BigInt64Array.of(1n, -1n))
    expect(dir.get('half').copy()).toEqual(Uint16Array.of(0x3c00, 1, 2))
    expect(dir.get('w').borrow()).toEqual(new Uint8Array(64).fill(0x21))
    expect([...dir.get('s').bytes]).toEqual([127, 128, 126, 127])
    expect(fault(() => e.borrow('f64')).code).toBe('TYPE')
    expect(fault(() => e.copy('i32')).code).toBe('TYPE')
    expect(fault(() => e.load(new Float64Array(1))).code).toBe('TYPE')
    expect(fault(() => dir.get('half').load(new Uint16Array(2))).code).toBe('TYPE')
  })

  test('at all 64 offsets the same, borrowing where it can be', () => {
    for (let offset = 0; offset < 64; offset++) {
      const room = new Uint8Array(block.length + 64)
      room.set(block, offset)
      const there = readDirectory(room.subarray(offset, offset + block.length))
      expect([...there].map((t) => [t.name, t.dtype, t.shape, hexOf(t.bytes)])).toEqual([...dir].map((t) => [t.name, t.dtype, t.shape, hexOf(t.bytes)]))
      const e = there.get('é')
      expect(e.copy('f32')[0]).toBe(3.5)
      expect(e.aligned).toBe(offset % 4 === 0)
      if (offset % 4 === 0) expect(e.borrow('f32')[0]).toBe(3.5)
      else expect(fault(() => e.borrow()).code).toBe('ALIGN')
      expect(there.get('w').aligned).toBe(true)
    }
  })

  test('a slice of a wrong size is EOF or TRAILING', () => {
    expect(fault(() => readDirectory(block.subarray(0, block.length - 1))).code).toBe('EOF')
    expect(fault(() => readDirectory(new Uint8Array([...block, 0]))).detail).toBe('1 bytes follow the directory')
  })

  test('names are found among thousands, and made to collide', () => {
    const many = Array.from({ length: 5000 }, (_, i) => tensor(`layer.${i}`, 'u8', [0], []))
    const big = readDirectory(encodeDirectory(many))
    expect([big.get('layer.4999').index, big.get('layer.0').index, big.has('layer.5000')]).toEqual([4999, 0, false])
    expect(fault(() => encodeDirectory([...many, tensor('layer.17', 'u8', [0], [])])).path).toBe('["layer.17"]')
    const bytes = encodeDirectory(many)
    // The last name becomes that of another tensor of the same length.
    const at = bytes.length - 64
    bytes.set(new TextEncoder().encode('layer.1000'), bytes.subarray(0, at + 64).lastIndexOf(0x6c))
    expect(fault(() => readDirectory(bytes))).toMatchObject({ code: 'TYPE', path: '[4999].name', detail: 'the name "layer.1000" stands twice; rename one of the tensors' })
  })
})

describe('verify', () => {
  const inputs = [tensor('a', 'u8', [3], [1, 2, 3]), tensor('b', 'u8', [2], [4, 5])]
  const good = encodeDirectory(inputs, { checksums: true })
  const base = readDirectory(good).payloadBase

  test('gives the directory when all is well', () => {
    expect(verifyDirectory(good).names).toEqual(['a', 'b'])
    expect(verifyDirectory(encodeDirectory([])).length).toBe(0)
  })

  test.each<[string, number, string, string, number]>([
    ['a payload', base, 'CHECKSUM', 'a', base],
    ['the gap behind it', base + 3, 'FRAME', 'b', base + 3],
    ['the last byte of the gap', base + 63, 'FRAME', 'b', base + 63],
    ['the next payload', base + 65, 'CHECKSUM', 'b', base + 64],
  ])('finds a changed byte in %s', (_, at, code, path, offset) => {
    const bad = good.slice()
    bad[at]! ^= 0x40
    expect(readDirectory(bad).length).toBe(2)
    expect(fault(() => verifyDirectory(bad))).toMatchObject({ code, path, offset })
  })

  test('reads through to the end of the block', () => {
    const longer = new Uint8Array(good.length + 70)
    longer.set(good)
    new DataView(longer.buffer).setBigUint64(8, BigInt(longer.length), true)
    expect(verifyDirectory(longer).length).toBe(2)
    longer[longer.length - 1] = 1
    expect(fault(() => verifyDirectory(longer))).toMatchObject({ code: 'FRAME', offset: longer.length - 1, path: '' })
  })
})
