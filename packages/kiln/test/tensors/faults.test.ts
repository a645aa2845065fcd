import { encodeDirectory, readDirectory, tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { fault } from '../support/fault.js'

const block = encodeDirectory([
  tensor('ab', 'u8', [2, 32], new Uint8Array(64), { scale: 'cd', axis: 1, groupSize: 32, checksum: true }),
  tensor('cd', 'f32', [2, 1], Float32Array.of(1, 2)),
  tensor('', 'u8', [3], Uint8Array.of(1, 2, 3)),
])
const [first, second, heap] = [64, 192, 448]

/** The fault of the block with these bytes changed, where it lies behind others; its offset counts from its own front. */
function told(from: Uint8Array, at: number, to: readonly number[]): unknown {
  const room = new Uint8Array(from.length + 7).fill(0xa5)
  const bytes = room.subarray(7)
  bytes.set(from)
  bytes.set(to, at)
  const { code, path, offset } = fault(() => readDirectory(bytes, { limits: { tensors: 4 } }))
  return [code, path, offset]
}

test.each<[string, number, number[], string, string, number]>([
  ['magic', 3, [0], 'FRAME', '', 0], ['version', 4, [1], 'FRAME', '', 4], ['flags', 5, [1], 'FRAME', '', 5], ['reserved', 7, [1], 'FRAME', '', 6],
  ['total_size', 9, [9], 'EOF', '', 8], ['tensor_count over the cap', 16, [5], 'LIMIT', '', 16], ['heap_size', 20, [70], 'FRAME', '', 24],
  ['payload_base no multiple', 24, [1], 'FRAME', '', 24], ['payload_base past the end', 26, [1], 'FRAME', '', 24], ['reserved behind', 40, [1], 'FRAME', '', 40],
  ['unknown flag', first + 94, [3], 'FRAME', '[0].flags', 158], ['unknown high flag', first + 95, [1], 'FRAME', '[0].flags', 158],
  ['checksum without its flag', second + 108, [1], 'FRAME', '[1].checksum', 300], ['its last byte', second + 111, [1], 'FRAME', '[1].checksum', 300],
  ['dtype', first + 88, [0xff, 0x0f], 'TYPE', '[0].dtype', 152], ['rank', first + 90, [9], 'TYPE', '[0].rank', 154],
  ['shape beyond the rank', first + 31, [1], 'TYPE', '[0].shape[3]', 88], ['shape[0] over 2^53', first + 7, [1], 'TYPE', '[0].shape[0]', 64],
  ['shape[1] over 2^53', first + 15, [1], 'TYPE', '[0].shape[1]', 72], ['byte_length', first + 72, [65], 'TYPE', '[0].byte_length', 136],
  ['byte_offset no multiple', second + 64, [65], 'TYPE', '[1].byte_offset', 256], ['byte_offset before the end', second + 64, [0], 'TYPE', '[1].byte_offset', 256],
  ['byte_offset past the end', second + 66, [1], 'EOF', '[1].byte_length', 264], ['name_offset', second + 80, [1], 'TYPE', '[1].name_offset', 272],
  ['name past the heap', second + 84, [9], 'EOF', '[1].name', 276], ['name not UTF-8', heap + 1, [0xff], 'UTF8', '[0].name', 449],
  ['name not UTF-8, its first byte', heap, [0xff], 'UTF8', '[0].name', 448], ['name twice', heap + 2, [0x61, 0x62], 'TYPE', '[1].name', 450],
  ['heap not filled', 20, [5], 'FRAME', '', 452], ['padding', heap + 5, [1], 'FRAME', '', 453], ['the last of the padding', 511, [1], 'FRAME', '', 511],
  ['scheme', first + 91, [3], 'TYPE', '[0].scheme', 155], ['axis', first + 92, [2], 'TYPE', '[0].quant_axis', 156], ['group_size', first + 96, [0], 'TYPE', '[0].group_size', 160],
  ['scale_index of its own', first + 100, [0], 'TYPE', '[0].scale_index', 164], ['scale_index of no tensor', first + 100, [3], 'TYPE', '[0].scale_index', 164],
  ['scale_index of another count', first + 100, [2], 'TYPE', '[0].scale_index', 164], ['outer_index without its scheme', first + 104, [1], 'TYPE', '[0].outer_index', 168],
  ['links without a scheme', second + 96, [1], 'TYPE', '[1].scheme', 283],
])('%s', (_, at, to, code, path, offset) => {
  expect(told(block, at, to)).toEqual([code, path, offset])
})

test('each reserved byte of a descriptor is at its word, each byte of its checksum and flags counts', () => {
  for (let i = 0; i < 16; i++) expect(told(block, first + 112 + i, [0x80])).toEqual(['FRAME', '[0].reserved', first + 112 + i - (i % 4)])
  for (let i = 0; i < 4; i++) expect(told(block, second + 108 + i, [0x80])).toEqual(['FRAME', '[1].checksum', second + 108])
  // Several words whose sum would be 0 in 32 bits.
  expect(told(block, first + 112, [0, 0, 0, 0x80, 0, 0, 0, 0x80])).toEqual(['FRAME', '[0].reserved', first + 112])
})

test('the links of a tensor with an outer scale', () => {
  const outer = encodeDirectory([
    tensor('w', 'u8', [4], new Uint8Array(4), { scale: 's', outer: 'o', axis: 0, groupSize: 2 }), tensor('s', 'f32', [2], [1, 2]), tensor('o', 'f32', [], [3]),
    tensor('two', 'f32', [2], [1, 2]),
  ])
  const cases: readonly (readonly [string, number, number[], string, number])[] = [
    ['itself', first + 104, [0], '[0].outer_index', 168], ['the scale', first + 104, [1], '[0].outer_index', 168], ['two elements', first + 104, [3], '[0].outer_index', 168],
    ['no tensor', first + 104, [4], '[0].outer_index', 168], ['not f32', 64 + 2 * 128 + 88, [7, 0], '[0].outer_index', 168], ['a rank of 0', first + 90, [0], '[0].shape[0]', 64],
  ]
  for (const [name, at, to, path, offset] of cases) expect([name, told(outer, at, to)]).toEqual([name, ['TYPE', path, offset]])
  // A scale, and an outer one, that has links itself.
  const linked = [1, 0, 0, 0, 1, 0, 0, 0]
  for (const [sibling, path, at] of [[1, '[0].scale_index', 164], [2, '[0].outer_index', 168]] as const) {
    const bytes = outer.slice()
    bytes[64 + sibling * 128 + 91] = 1
    bytes.set([0, 0], 64 + sibling * 128 + 92)
    expect(told(bytes, 64 + sibling * 128 + 96, [...linked])).toEqual(['TYPE', path, at])
  }
})

test.each<[string, object, string]>([
  ['an axis that is no integer', { axis: 0.5 }, 'axis'], ['an axis below 0', { axis: -1 }, 'axis'], ['an axis over u16', { axis: 65_536 }, 'axis'],
  ['a group of no integer', { groupSize: 1.5 }, 'group ?size'], ['a group of none', { groupSize: 0 }, 'group ?size'], ['a group over u32', { groupSize: 2 ** 32 }, 'group ?size'],
])('%s is not written', (_, options, word) => {
  const error = fault(() => encodeDirectory([tensor('w', 'u8', [4], new Uint8Array(4), { scale: 's', axis: 0, groupSize: 4, ...options } as never), tensor('s', 'f32', [1], [1])]))
  expect([error.code, error.path, error.offset]).toEqual(['TYPE', `w.${Object.keys(options)[0]}`, undefined])
  expect(error.detail).toMatch(new RegExp(word, 'i'))
})

test('names that stand twice, few or many, and names that are none', () => {
  for (const count of [2, 20, 200]) {
    const tensors = Array.from({ length: count }, (_, i) => tensor(`t${i}`, 'u8', [0], []))
    expect(readDirectory(encodeDirectory(tensors)).length).toBe(count)
    const error = fault(() => encodeDirectory([...tensors, tensor('t0', 'u8', [0], [])]))
    expect([error.code, error.path]).toEqual(['TYPE', 't0'])
  }
  for (const name of [5, null, {}]) {
    expect(fault(() => encodeDirectory([tensor('a', 'u8', [0], []), { ...tensor('b', 'u8', [0], []), name: name as never }]))).toMatchObject({ code: 'TYPE', path: '[1]' })
  }
  expect(readDirectory(encodeDirectory([{ ...tensor('', 'u8', [0], []), name: undefined }])).names).toEqual([''])
})

test('what is not canonical, for a strict reader, wherever the block lies', () => {
  const canonical = encodeDirectory([tensor('a', 'u8', [1], [7])])
  const strictly = (from: Uint8Array): unknown => {
    const bytes = new Uint8Array(from.length + 7).subarray(7)
    bytes.set(from)
    expect(readDirectory(bytes).at(0).bytes).toEqual(Uint8Array.of(7))
    const { code, path, offset } = fault(() => readDirectory(bytes, { strict: true }))
    return [code, path, offset]
  }
  expect(strictly(encodeDirectory([tensor('a', 'u8', [1], [7])], { alignment: 512 }))).toEqual(['TYPE', '', 24])
  const longer = new Uint8Array(267)
  longer.set(canonical)
  longer.set([11, 1], 8)
  expect(strictly(longer)).toEqual(['TYPE', '', 8])
  const gap = new Uint8Array(321)
  gap.set(canonical.subarray(0, 256))
  gap.set([65, 1], 8)
  gap[64 + 64] = 64
  gap[320] = 7
  expect(strictly(gap)).toEqual(['TYPE', '[0].byte_offset', 128])
  expect(readDirectory(canonical, { strict: true }).length).toBe(1)
})

test('names of any length, many of one beginning or end, are each found and no other is', () => {
  for (const count of [1, 8, 9, 16, 17, 33, 1000]) {
    const names = Array.from({ length: count }, (_, i) => ['', 'x'.repeat(i % 7), `layers.${i % 3}.`][i % 3]! + String(i).padStart(1 + (i % 9), '0'))
    const directory = readDirectory(encodeDirectory(names.map((name) => tensor(name, 'u8', [0], []))))
    for (const [i, name] of names.entries()) {
      expect(directory.get(name).index).toBe(i)
      for (const other of [`${name}x`, `x${name}x`, name.slice(0, -1), name.replace(/.$/, '/'), '', `${name}é`, name.repeat(40)]) {
        const at = other === '' ? -1 : names.indexOf(other)
        if (directory.has(other) !== (at >= 0)) throw new Error(`${other} of ${count}`)
      }
    }
  }
})
